import type { ApiClient } from '../kubernetes/api-client.ts';
import { buildLabAssets } from './control-plane/assets.ts';
import type { LabProcess } from './control-plane/child-process.ts';
import type { Plan } from './control-plane/control-plane.ts';
import { layFiles, urlOf } from './control-plane/files.ts';
import { freePort } from './control-plane/free-port.ts';
import { kubeconfigOf } from './control-plane/kubeconfig.ts';
import { type KubectlOptions, runKubectl } from './control-plane/kubectl.ts';
import { type Parts, Running } from './control-plane/running.ts';
import { jsonLines } from './json-lines.ts';
import type { ProgramResult } from './run-program.ts';

export interface LabOptions extends Parts {
  /** `1.34`, `1.36` or `1.37`; the environment's `DROVER_LAB_KUBERNETES`, else 1.36, where none is given. */
  readonly kubernetes?: string | undefined;
  readonly apiServerFlags?: readonly string[] | undefined;
  /** The folder of the binaries; found, or built, where absent. */
  readonly assets?: string | undefined;
}

/** By this kind of address the API server calls kubelets: all nodes have the same, which `kubectl get nodes` does not show. */
export const KUBELET_ADDRESS = 'InternalDNS';

/** For a lab in which nodes and pods are played: no kubelet takes the mark of a new node away, and nobody makes accounts of pods. */
export const LAB_FLAGS: readonly string[] = [
  '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
  `--kubelet-preferred-address-types=${KUBELET_ADDRESS}`,
];

/** Who somebody is to the API server. */
export interface LabIdentity {
  readonly user: string;
  readonly groups?: readonly string[];
}

/** A real control plane: etcd and kube-apiserver, and where asked for scheduler and controller-manager. No nodes. */
export interface Lab {
  readonly server: string;
  /** The folder with data, certificates, logs and kubeconfigs. */
  readonly folder: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly authority: string;
  /** Kubeconfig of a cluster administrator. */
  readonly kubeconfig: string;
  /** The administrator's client. */
  readonly admin: ApiClient;
  readonly etcd: LabProcess;
  /** The one that runs now: after a crash it is another one. */
  readonly apiServer: LabProcess;
  /** Writes a kubeconfig with a client certificate of somebody, and gives the file. */
  kubeconfigFor(identity: LabIdentity, server?: string): Promise<string>;
  /** A kubeconfig of a service account, `namespace/name`; whether the account exists does not matter. */
  kubeconfigForAccount(account: string): Promise<string>;
  /** A certificate of the lab's authority for a server on this machine, and for further names of it. */
  serverCertificate(
    ...hosts: readonly string[]
  ): Promise<{ readonly certificate: string; readonly key: string }>;
  /** Runs the real kubectl to its end, as the administrator unless another kubeconfig is given. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<ProgramResult>;
  /** A file of the lab's folder, such as `kube-apiserver.log`. */
  readFile(name: string): string;
  /** What the API server was asked to do, oldest first. */
  audit(): readonly Readonly<Record<string, unknown>>[];
  /** Resolves when a part has ended that nobody has stopped: which, and what it said last. */
  readonly broken: Promise<string>;
  /** SIGKILL, as a crash. */
  killApiServer(): Promise<void>;
  /** Starts it again on the same port, and waits until it is ready. */
  restartApiServer(flags?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a lab on free ports, in a folder of its own. Rejects with the end of the log when a part does not come up. */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const plan = await layPlan(options);
  const running = new Running(plan);
  try {
    await running.start(options);
    return labOf(plan, running);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function layPlan(options: LabOptions): Promise<Plan> {
  const assets = options.assets ?? buildLabAssets(options.kubernetes, (line) => console.error(line));
  const port = await freePort();
  return {
    assets,
    files: await layFiles(port),
    etcdPort: await freePort(),
    etcdPeerPort: await freePort(),
    port,
    apiServerFlags: options.apiServerFlags ?? [],
  };
}

function labOf(plan: Plan, running: Running): Lab {
  const { files } = plan;
  const kubeconfig = files.path('admin.kubeconfig');
  const kubeconfigFor: Lab['kubeconfigFor'] = async ({ user, groups = [] }, server = urlOf(plan.port)) => {
    const client = await files.authority.issue({ commonName: user, organizations: groups });
    const name = `${user.replace(/\W+/g, '-')}-${Math.random().toString(36).slice(2, 8)}.kubeconfig`;
    return files.write(name, kubeconfigOf(server, files.authority.certificate, client));
  };
  return {
    server: urlOf(plan.port),
    folder: files.folder,
    authority: files.authority.certificate,
    kubeconfig,
    admin: running.admin,
    get etcd() {
      return running.etcd;
    },
    get apiServer() {
      return running.apiServer;
    },
    kubeconfigFor,
    kubeconfigForAccount: (account) => kubeconfigFor(accountIdentity(account)),
    serverCertificate: (...hosts) =>
      files.authority.issue({ commonName: 'lab', hosts: ['127.0.0.1', 'localhost', ...hosts] }),
    kubectl: (args, options) => runKubectl(plan.assets, args, { kubeconfig, ...options }),
    readFile: (name) => files.read(name),
    audit: () => jsonLines(files.read('audit.log')),
    broken: running.broken,
    killApiServer: () => running.killApiServer(),
    restartApiServer: (flags) => running.startApiServer(flags),
    stop: () => running.stop(),
  };
}

function accountIdentity(account: string): LabIdentity {
  const [namespace, name] = account.split('/');
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

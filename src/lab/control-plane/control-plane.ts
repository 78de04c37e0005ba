import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type LabProcess, startProcess } from './child-process.ts';
import type { LabFiles } from './files.ts';

/** How the parts of a control plane are started; flags only, no waiting. */
export interface Plan {
  readonly assets: string;
  readonly files: LabFiles;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
  readonly port: number;
  /** Further flags of kube-apiserver, which win over the lab's own. */
  readonly apiServerFlags: readonly string[];
}

/** Controllers that need nothing but the API; without kubelets the node controllers would take every node for dead. */
const CONTROLLERS = [
  'disruption-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
  'namespace-controller',
  'deployment-controller',
  'replicaset-controller',
  'daemonset-controller',
  'resourcequota-controller',
  'pod-garbage-collector-controller',
];

export function startEtcd({ assets, files, etcdPort, etcdPeerPort }: Plan): Promise<LabProcess> {
  const client = etcdUrl(etcdPort);
  const peer = etcdUrl(etcdPeerPort);
  return start(assets, files, 'etcd', [
    `--data-dir=${files.path('etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ]);
}

export function startApiServer(plan: Plan): Promise<LabProcess> {
  const { assets, files } = plan;
  return start(assets, files, 'kube-apiserver', [
    `--etcd-servers=${etcdUrl(plan.etcdPort)}`,
    `--secure-port=${plan.port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    // Marks new nodes as not ready, and the controller that would take the mark away is not run: no kubelets.
    '--disable-admission-plugins=TaintNodesByCondition',
    `--cert-dir=${files.path('apiserver')}`,
    `--tls-cert-file=${files.path('apiserver.crt')}`,
    `--tls-private-key-file=${files.path('apiserver.key')}`,
    `--client-ca-file=${files.path('ca.crt')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.path('service-account.pub')}`,
    `--service-account-signing-key-file=${files.path('service-account.key')}`,
    `--requestheader-client-ca-file=${files.path('ca.crt')}`,
    '--requestheader-allowed-names=front-proxy',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${files.path('front-proxy.crt')}`,
    `--proxy-client-key-file=${files.path('front-proxy.key')}`,
    `--audit-policy-file=${files.path('audit-policy.json')}`,
    `--audit-log-path=${files.path('audit.log')}`,
    ...plan.apiServerFlags,
  ]);
}

export function startControllerManager({ assets, files }: Plan): Promise<LabProcess> {
  return start(assets, files, 'kube-controller-manager', [
    `--kubeconfig=${files.path('kube-controller-manager.kubeconfig')}`,
    `--controllers=${CONTROLLERS.join(',')}`,
    `--root-ca-file=${files.path('ca.crt')}`,
    `--service-account-private-key-file=${files.path('service-account.key')}`,
    '--use-service-account-credentials=false',
    '--leader-elect=false',
    '--secure-port=0',
  ]);
}

export function startScheduler({ assets, files }: Plan): Promise<LabProcess> {
  return start(assets, files, 'kube-scheduler', [
    `--kubeconfig=${files.path('kube-scheduler.kubeconfig')}`,
    '--leader-elect=false',
    '--secure-port=0',
  ]);
}

export function etcdUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function start(assets: string, files: LabFiles, name: string, args: readonly string[]): Promise<LabProcess> {
  const command = join(assets, name);
  if (!existsSync(command))
    throw new Error(`${assets} has no ${name}: build the lab's own with npm run lab:assets`);
  return startProcess({ name, command, args, folder: files.folder, logFile: files.path(`${name}.log`) });
}

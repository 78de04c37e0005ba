import type { ApiClient } from '../../kubernetes/api-client.ts';
import { connect } from '../../kubernetes/connect.ts';
import { LabError } from '../errors.ts';
import { waitFor } from '../wait.ts';
import type { LabProcess } from './child-process.ts';
import {
  etcdUrl,
  type Plan,
  startApiServer,
  startControllerManager,
  startEtcd,
  startScheduler,
} from './control-plane.ts';
import type { LabFiles } from './files.ts';
import { lastWords } from './last-words.ts';

/** Parts beside etcd and the API server. */
export interface Parts {
  readonly controllerManager?: boolean | undefined;
  readonly scheduler?: boolean | undefined;
}

/** The processes of a lab. */
export class Running {
  readonly plan: Plan;
  readonly admin: ApiClient;
  #etcd: LabProcess | undefined;
  #apiServer: LabProcess | undefined;
  readonly #others: LabProcess[] = [];
  readonly #broken = promised<string>();
  #isStopping = false;

  constructor(plan: Plan) {
    this.plan = plan;
    this.admin = connect({ kubeconfig: plan.files.path('admin.kubeconfig'), requestTimeoutSeconds: 60 });
  }

  /** Resolves when a part has ended that nobody has stopped: which, and what it said last. */
  get broken(): Promise<string> {
    return this.#broken.promise;
  }

  get etcd(): LabProcess {
    if (!this.#etcd) throw new Error('etcd does not run');
    return this.#etcd;
  }

  get apiServer(): LabProcess {
    if (!this.#apiServer) throw new Error('the API server does not run');
    return this.#apiServer;
  }

  async start({ controllerManager, scheduler }: Parts): Promise<void> {
    const etcd = this.#watched(await startEtcd(this.plan));
    this.#etcd = etcd;
    await ready(etcd, this.plan.files, async () => (await fetch(`${etcdUrl(this.plan.etcdPort)}/health`)).ok);
    await this.startApiServer();
    if (controllerManager) this.#others.push(this.#watched(await startControllerManager(this.plan)));
    if (scheduler) this.#others.push(this.#watched(await startScheduler(this.plan)));
  }

  async startApiServer(flags: readonly string[] = this.plan.apiServerFlags): Promise<void> {
    const server = this.#watched(await startApiServer({ ...this.plan, apiServerFlags: flags }));
    this.#apiServer = server;
    await ready(server, this.plan.files, async () => {
      const answer = await this.admin.call({ method: 'GET', path: '/api/v1/namespaces/default' });
      const rights = await this.admin.call({ method: 'GET', path: CLUSTER_ADMIN });
      return answer.ok && rights.ok;
    });
  }

  async killApiServer(): Promise<void> {
    await this.#apiServer?.kill();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.admin.close();
    await Promise.all(this.#others.map((process) => process.stop()));
    await this.#apiServer?.stop();
    await this.#etcd?.kill();
    this.plan.files.remove();
  }

  #watched(process: LabProcess): LabProcess {
    void process.ended.then(async () => {
      if (this.#isStopping) return;
      this.#broken.resolve(await endOf(process, this.plan.files));
      // Whoever still asks hears at once that nobody answers, and does not wait for what cannot come.
      await this.#apiServer?.kill();
    });
    return process;
  }
}

function promised<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** How a part has ended, and why as far as it told. */
async function endOf({ name, ended }: LabProcess, files: LabFiles): Promise<string> {
  const how = await ended;
  if (typeof how !== 'number') return `${name} was ended from outside, by ${how}`;
  return `${name} has ended with exit code ${how}; it said last: ${lastWords(files.read(`${name}.log`))}`;
}

/** A role that the API server itself creates last of all when it starts. */
const CLUSTER_ADMIN = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin';

async function ready(process: LabProcess, files: LabFiles, check: () => Promise<boolean>): Promise<void> {
  await waitFor(
    async () => {
      if (process.isRunning()) return check().catch(() => false);
      throw new LabError('LabBroken', await endOf(process, files));
    },
    { what: `${process.name} to be ready`, seconds: 60, everyMs: 50 },
  );
}

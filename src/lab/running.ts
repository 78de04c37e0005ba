import type { ApiClient } from '../kubernetes/api-client.ts';
import { connect } from '../kubernetes/connect.ts';
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
import { waitFor } from './wait.ts';

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

  constructor(plan: Plan) {
    this.plan = plan;
    this.admin = connect({ kubeconfig: plan.files.path('admin.kubeconfig'), requestTimeoutSeconds: 60 });
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
    const etcd = await startEtcd(this.plan);
    this.#etcd = etcd;
    await ready(etcd, this.plan.files, async () => (await fetch(`${etcdUrl(this.plan.etcdPort)}/health`)).ok);
    await this.startApiServer();
    if (controllerManager) this.#others.push(await startControllerManager(this.plan));
    if (scheduler) this.#others.push(await startScheduler(this.plan));
  }

  async startApiServer(flags: readonly string[] = this.plan.apiServerFlags): Promise<void> {
    const server = await startApiServer({ ...this.plan, apiServerFlags: flags });
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
    await this.admin.close();
    await Promise.all(this.#others.map((process) => process.stop()));
    await this.#apiServer?.stop();
    await this.#etcd?.kill();
    this.plan.files.remove();
  }
}

/** A role that the API server itself creates last of all when it starts. */
const CLUSTER_ADMIN = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin';

async function ready(process: LabProcess, files: LabFiles, check: () => Promise<boolean>): Promise<void> {
  await waitFor(
    async () => {
      if (process.isRunning()) return check().catch(() => false);
      throw new Error(`${process.name} ended: ${files.read(`${process.name}.log`).slice(-2_000)}`);
    },
    { what: `${process.name} to be ready`, seconds: 60, everyMs: 50 },
  );
}

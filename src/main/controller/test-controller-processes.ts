import { afterAll, afterEach, beforeAll } from 'vitest';
import { objectAt } from '../../kubevirt/json.ts';
import type { Lab } from '../../lab/lab.ts';
import { grantShipped, type Overlay } from '../../lab/test-shipped.ts';
import { get } from '../webhook/test-webhook.ts';
import { clear, migrations, type Replica, startControllerLab, startReplica } from './test-controller.ts';

/** A lab, and processes of `drover controller` on it, which no test leaves behind. Sets itself up; to be called within a `describeLab`. */
export function controllerProcesses() {
  let lab: Lab;
  let replicas: Replica[] = [];
  /** Migrations that the tests before have seen. */
  let seen = 0;

  beforeAll(async () => {
    lab = await startControllerLab();
  }, 90_000);
  afterEach(async () => {
    for (const { child } of replicas) child.kill('SIGKILL');
    replicas = [];
    await clear(lab);
    seen = migrations(lab).length;
  });
  afterAll(() => lab?.stop());

  return {
    get lab() {
      return lab;
    },
    /** The kubeconfig of the account that is shipped, with the rights that are. */
    shipped: async (overlay: Overlay) => lab.kubeconfigForAccount(await grantShipped(lab, overlay)),
    start(kubeconfig: string, ...flags: readonly string[]): Replica {
      const replica = startReplica(kubeconfig, ...flags);
      replicas.push(replica);
      return replica;
    },
    /** VMIs that got a migration in this test. */
    moves: () =>
      migrations(lab)
        .slice(seen)
        .map(({ vmi }) => vmi)
        .sort(),
    lease: async (name = 'drover-controller') =>
      (await get(lab, `/apis/coordination.k8s.io/v1/namespaces/drover-system/leases/${name}`)) ?? {},
    /** How many outdated VMIs the status of KubeVirt tells of. */
    counted: async (): Promise<unknown> => {
      const kubevirt = await get(lab, '/apis/kubevirt.io/v1/namespaces/default/kubevirts/kubevirt');
      return objectAt(kubevirt ?? {}, 'status').outdatedVirtualMachineInstanceWorkloads;
    },
  };
}

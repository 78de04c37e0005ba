import { afterAll, beforeAll, expect, it } from 'vitest';
import { BATCH_ANNOTATION, batchMemoryIn } from '../controllers/batch-memory.ts';
import { EvacuationController } from '../controllers/evacuation-controller.ts';
import { DeedsInHand } from '../controllers/in-hand.ts';
import { silent } from '../controllers/silent.ts';
import { WorkloadUpdateController } from '../controllers/workload-update-controller.ts';
import { connect } from '../kubernetes/connect.ts';
import { LeaderLease } from '../kubernetes/lease/leader-lease.ts';
import { follow } from '../kubernetes/test-follow.ts';
import { steadyClock, systemRandom, wallClock } from '../kubernetes/wall-clock.ts';
import { aKubeVirt, aNode, aPod, aVmi } from '../kubevirt/builders.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { describeLab } from './describe-lab.ts';
import { LAB_FLAGS, type Lab, startLab } from './lab.ts';
import { kubevirtCrds } from './objects/crds.ts';
import { loadCrds } from './objects/load-crds.ts';
import { type FaultProxy, startFaultProxy } from './test-fault-proxy.ts';
import { waitFor } from './wait.ts';

const KINDS = [
  'KubeVirt',
  'Namespace',
  'Node',
  'Pod',
  'ResourceQuota',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
] as const;
const TIMING = { leaseDurationSeconds: 3, renewDeadlineSeconds: 2, retryPeriodSeconds: 0.3 };
const INTERVAL_SECONDS = 20;

/** A process of Drover: it runs its controllers while it leads. */
async function startDrover(kubeconfig: string, identity: string) {
  const api = connect({ kubeconfig });
  const controllers: { stop(): Promise<void> }[] = [];
  const lease: LeaderLease = new LeaderLease({
    ...{ api, identity, namespace: 'default', name: 'drover', timing: TIMING, ...silent },
    ...{ clock: steadyClock, random: systemRandom },
    onStartedLeading: () => begin(),
    onStoppedLeading: () => {},
  });
  const { cluster, stop } = follow(kubeconfig, { kinds: KINDS, mayWrite: () => lease.isHeld() });
  function begin(): void {
    const common = { cluster, clock: wallClock, ...silent, behavior: 'intended' as const };
    const inHand = new DeedsInHand(wallClock);
    const store = {
      read: () => lease.annotation(BATCH_ANNOTATION),
      write: (text: string) => lease.annotate(BATCH_ANNOTATION, text),
    };
    const updater = new WorkloadUpdateController({
      ...{ ...common, inHand, random: systemRandom, memory: batchMemoryIn(store, () => wallClock.now()) },
      ...{ strategy: () => ({ kind: 'kubevirt' as const }), launcherImage: () => 'launcher:v2' },
    });
    const evacuator = new EvacuationController({ ...common, inHand });
    controllers.push(updater, evacuator);
    for (const controller of [updater, evacuator]) controller.start();
  }
  await waitFor(() => cluster.isSynced(), { what: 'the first lists' });
  lease.start();
  return {
    lease,
    stop: async () => {
      await Promise.all(controllers.map((controller) => controller.stop()));
      await lease.stop();
      await stop();
      await api.close();
    },
  };
}

describeLab('the controllers on a real API server', () => {
  let lab: Lab;
  let proxy: FaultProxy;
  const droves: Awaited<ReturnType<typeof startDrover>>[] = [];

  beforeAll(async () => {
    lab = await startLab({ apiServerFlags: LAB_FLAGS });
    proxy = await startFaultProxy(lab);
    await loadCrds(lab.admin, kubevirtCrds());
  }, 120_000);
  afterAll(async () => {
    proxy?.setFault(() => undefined);
    await Promise.all(droves.map((drover) => drover.stop()));
    await proxy?.close();
    await lab?.stop();
  });

  const vmi = (name: string, migratable: string) =>
    aVmi(name, 'default').on('n1').launcher('launcher:v1').strategy('None').migratable(migratable);

  /** Creates an object as the API server wants it, and gives the UID. */
  async function create(path: string, object: object, status?: object): Promise<string> {
    const made = await lab.admin.call({ method: 'POST', path, body: object });
    if (!made.ok) throw new Error(made.message);
    const { name, uid } = made.object.metadata as { name: string; uid: string };
    if (status) {
      const body = { status };
      const contentType = 'application/merge-patch+json';
      await lab.admin.call({ method: 'PATCH', path: `${path}/${name}/status`, body, contentType });
    }
    return uid;
  }

  async function createVmi(draft: Vmi): Promise<void> {
    const { uid: _, ...metadata } = draft.metadata;
    const vmis = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances';
    const uid = await create(vmis, { apiVersion: 'kubevirt.io/v1', ...draft, metadata });
    const owner = { ...draft, metadata: { ...draft.metadata, uid } };
    const pod = aPod(`virt-launcher-${metadata.name}-1`, 'default').on('n1').launcherOf(owner).build();
    const ownerReferences = pod.metadata.ownerReferences?.map((reference) => {
      return { ...reference, apiVersion: 'kubevirt.io/v1' };
    });
    const spec = { ...pod.spec, containers: [{ name: 'compute', image: 'launcher:v1' }] };
    const body = { ...pod, metadata: { ...pod.metadata, uid: undefined, ownerReferences }, spec };
    await create('/api/v1/namespaces/default/pods', body, { phase: 'Running' });
  }

  const evictions = () =>
    lab
      .audit()
      .filter(({ objectRef, responseStatus }) => {
        const reference = objectRef as { subresource?: string } | undefined;
        return reference?.subresource === 'eviction' && (responseStatus as { code?: number }).code === 201;
      })
      .map((entry) => Date.parse(String(entry.stageTimestamp)) / 1000);
  const migrations = async () =>
    (await lab.kubectl(['get', 'vmim', '-o', 'jsonpath={.items[*].metadata.name}'])).stdout.split(' ');

  it('a roll-out goes on under another leader, without a second migration or an early batch', async () => {
    for (const name of ['n1', 'n2']) {
      const node = aNode(name).labelled('kubevirt.io/schedulable', 'true').build();
      const allocatable = { cpu: '8', memory: '16Gi', pods: '50' };
      await create('/api/v1/nodes', { apiVersion: 'v1', ...node }, { allocatable, capacity: allocatable });
    }
    for (const name of ['a', 'b']) await createVmi(vmi(name, 'True').build());
    for (const name of ['c', 'd', 'e']) await createVmi(vmi(name, 'False').build());
    const { status, ...kubevirt } = aKubeVirt('kubevirt', 'default')
      .methods('LiveMigrate', 'Evict')
      .batches(2, `${INTERVAL_SECONDS}s`)
      .build();
    const kubevirts = '/apis/kubevirt.io/v1/namespaces/default/kubevirts';
    await create(kubevirts, { apiVersion: 'kubevirt.io/v1', ...kubevirt }, status);

    droves.push(await startDrover(proxy.kubeconfig, 'a'));
    await waitFor(() => droves[0]?.lease.isHeld(), { what: 'a to lead' });
    droves.push(await startDrover(lab.kubeconfig, 'b'));
    await waitFor(() => evictions().length === 2, { what: 'the first batch' });
    // The first leader is cut off from the API server, as by a crash.
    proxy.setFault(() => ({ reset: 'before' }));
    await waitFor(() => evictions().length === 3, { what: 'the second batch', seconds: 120 });

    expect(droves[1]?.lease.isHeld()).toBe(true);
    const [, second = 0, third = 0] = evictions();
    expect(third - second).toBeGreaterThan(INTERVAL_SECONDS);
    const made = await migrations();
    expect(made).toHaveLength(2);
    for (const name of made) expect(name).toMatch(/^kubevirt-workload-update-[0-9a-f]{16}$/);
    const count = await lab.kubectl([
      ...['get', 'kv', 'kubevirt', '-o'],
      'jsonpath={.status.outdatedVirtualMachineInstanceWorkloads}',
    ]);
    expect(count.stdout).toBe('5');
    await waitFor(
      async () =>
        (await lab.kubectl(['get', 'events', '-o', 'wide'])).stdout.includes('workload-update-controller'),
      { what: 'the events' },
    );
  }, 240_000);

  it('an evacuation gives a marked VMI its migration, as soon as the node may have another', async () => {
    const [first] = await migrations();
    const path = `/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstancemigrations/${first}/status`;
    const contentType = 'application/merge-patch+json';
    await lab.admin.call({ method: 'PATCH', path, body: { status: { phase: 'Succeeded' } }, contentType });
    await createVmi(vmi('f', 'True').strategy('LiveMigrate').launcher('launcher:v2').marked().build());
    await waitFor(async () => (await migrations()).some((name) => name.startsWith('kubevirt-evacuation-')), {
      what: 'the migration',
    });
    expect((await migrations()).filter((name) => name.startsWith('kubevirt-evacuation-'))).toHaveLength(1);
  });
});

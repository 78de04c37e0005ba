import { describe, expect, it } from 'vitest';
import type { ApiFailure } from '../../../decide/api-result.ts';
import type { MemoryClusterOptions, Write } from '../../memory-cluster.ts';
import { aMigrationWorld, aMovable, anOrder } from './test-nodes.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const VMI = 'VirtualMachineInstance';
const QUOTA: ApiFailure = {
  ok: false,
  code: 403,
  reason: 'Forbidden',
  message: 'pods "x" is forbidden: exceeded quota',
};

/** A cluster that refuses writes as long as it is told to. */
function refusing(verb: Write['verb'], kind: Write['kind'], answer: ApiFailure) {
  const state = { refuses: true, tries: 0 };
  const faultOf: MemoryClusterOptions['faultOf'] = (write) => {
    if (write.verb !== verb || write.kind !== kind) return undefined;
    state.tries++;
    return state.refuses ? { answer } : undefined;
  };
  return { state, faults: { faultOf } };
}

describe('a target pod that the API server refuses', () => {
  it('is tried again and again, with growing waits', async () => {
    const { state, faults } = refusing('create', 'Pod', { ok: false, code: 500, message: 'no' });
    const world = aMigrationWorld([aMovable().build()], {}, faults);
    world.ask(anOrder().build());
    await world.seconds(10);
    expect(state.tries).toBeGreaterThan(8);
    expect(state.tries).toBeLessThan(14);
    expect(world.told(VMI, 'db')).toEqual(['FailedCreate Error creating pod: no']);
    expect(world.migration()?.status).toMatchObject({ phase: 'Pending' });
    expect(world.migration()?.status?.conditions).toBeUndefined();
    state.refuses = false;
    await world.seconds(20);
    expect(world.started()).toEqual(['move-1']);
  });

  it('by a quota is noted, and tried again when a quota of the namespace changes', async () => {
    const { state, faults } = refusing('create', 'Pod', QUOTA);
    const world = aMigrationWorld([aMovable().build()], {}, faults);
    world.ask(anOrder().build());
    await world.seconds(600);
    expect(world.migration()?.status?.conditions).toEqual([
      { type: 'migrationRejectedByResourceQuota', status: 'True' },
    ]);
    state.refuses = false;
    const quota = (namespace: string) => ({ kind: 'ResourceQuota', metadata: { name: 'q', namespace } });
    world.put(quota('shopping'));
    await world.seconds();
    expect(world.started()).toEqual([]);
    world.put(quota('shop'));
    await world.seconds();
    expect(world.started()).toEqual(['move-1']);
    expect(world.migration()?.status).toMatchObject({ phase: 'Scheduling', conditions: [] });
    await world.seconds();
  });

  it('cannot be rendered without the SELinux context of the guest', async () => {
    const world = aMigrationWorld([aMovable().status({ selinuxContext: undefined }).build()]);
    world.ask(anOrder().build());
    await world.seconds(3);
    expect(world.started()).toEqual([]);
    expect(world.told(VMI, 'db')).toEqual([]);
    world.changeVmi({ selinuxContext: 'system_u:object_r:container_file_t:s0:c1,c2' });
    await world.seconds();
    expect(world.podOf()?.spec?.securityContext).toEqual({ seLinuxOptions: { level: 's0:c1,c2' } });
  });

  it('is not asked for while the VMI cannot be prepared', async () => {
    const { state, faults } = refusing('modify', VMI, { ok: false, code: 500, message: 'no' });
    const world = aMigrationWorld([aMovable().build()], {}, faults);
    world.ask(anOrder().build());
    await world.seconds(1);
    expect(world.started()).toEqual([]);
    expect(world.told(VMI, 'db')).toEqual([]);
    state.refuses = false;
    await world.seconds(2);
    expect(world.started()).toEqual(['move-1']);
  });
});

describe('a hand-off that fails', () => {
  it('is tried again, and told once it is done', async () => {
    const world = aMigrationWorld(
      [aMovable().annotated('kubevirt.io/nonroot', 'true').status({ runtimeUser: 107 }).build()],
      {},
      {
        faultOf: ({ verb, kind }) =>
          verb === 'modify' && kind === VMI && refuses
            ? { answer: { ok: false, message: 'lost' } }
            : undefined,
      },
    );
    let refuses = false;
    world.ask(anOrder().build());
    await world.seconds();
    refuses = true;
    world.startPod(world.podOf());
    await world.seconds(1);
    expect(world.migration()?.status?.phase).toBe('Scheduled');
    expect(world.told(MIGRATION, 'move-1')).toHaveLength(1);
    refuses = false;
    await world.seconds(2);
    expect(world.migration()?.status?.phase).toBe('PreparingTarget');
    expect(world.told(MIGRATION, 'move-1')).toHaveLength(2);
  });

  it('names the policy that fits', async () => {
    const world = aMigrationWorld([aMovable().labelled('tier', 'db').build()]);
    const selectors = { namespaceSelector: { team: 'a' }, virtualMachineInstanceSelector: { tier: 'db' } };
    world.put(
      { kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' } } },
      {
        kind: 'MigrationPolicy',
        metadata: { name: 'slow' },
        spec: { selectors, completionTimeoutPerGiB: 7 },
      },
    );
    world.ask(anOrder().build());
    await world.seconds();
    world.startPod(world.podOf());
    await world.seconds();
    expect(world.vmi().status?.migrationState).toMatchObject({
      migrationPolicyName: 'slow',
      migrationConfiguration: { completionTimeoutPerGiB: 7 },
    });
  });
});

describe('a VMI with plugged volumes', () => {
  const plugged = () =>
    aMovable().spec({
      volumes: [{ name: 'extra', persistentVolumeClaim: { claimName: 'claim', hotpluggable: true } }],
    });

  it('gets an attachment pod for its target before the migration goes on, as it was recorded', async () => {
    const world = aMigrationWorld([plugged().build()]);
    world.ask(anOrder().build());
    await world.seconds();
    expect(world.podOf('move-1', 'hotplug-disk')).toBeUndefined();
    world.startPod(world.podOf());
    await world.seconds();
    expect(world.migration()?.status?.phase).toBe('Pending');
    const attachment = world.podOf('move-1', 'hotplug-disk');
    expect(attachment?.metadata).toMatchObject({
      labels: { 'kubevirt.io': 'hotplug-disk', 'kubevirt.io/migrationJobUID': 'uid-move-1' },
      ownerReferences: [{ kind: 'Pod', name: world.podOf()?.metadata.name }],
    });
    expect(attachment?.metadata.name).toMatch(/^hp-volume-[a-z0-9]{5}$/);
    world.startPod(attachment);
    await world.seconds();
    expect(world.vmi().status?.migrationState?.targetAttachmentPodUID).toBe(attachment?.metadata.uid);
    expect(world.phases.get('move-1')).toEqual(['Pending', 'Scheduling', 'Scheduled', 'PreparingTarget']);
    expect(world.told(MIGRATION, 'move-1')).toEqual([
      `SuccessfulCreate Created migration target pod ${world.podOf()?.metadata.name}`,
      `SuccessfulCreate Created attachment pod ${attachment?.metadata.name}`,
      'SuccessfulHandOver Migration target pod is ready for preparation by virt-handler.',
    ]);
  });

  it('fails with its attachment pod', async () => {
    const world = aMigrationWorld([plugged().build()]);
    world.ask(anOrder().build());
    await world.seconds();
    world.startPod(world.podOf());
    await world.seconds();
    world.changePod(world.podOf('move-1', 'hotplug-disk'), { phase: 'Failed' });
    await world.seconds();
    expect(world.told(MIGRATION, 'move-1').at(-1)).toBe(
      'FailedMigration Migration failed because target attachment pod shutdown during migration',
    );
  });

  it('is told when the attachment pod is refused', async () => {
    const faultOf = ({ verb, kind }: Write) =>
      verb === 'create' && kind === 'Pod' && world.podOf() ? { answer: QUOTA } : undefined;
    const world = aMigrationWorld([plugged().build()], {}, { faultOf });
    world.ask(anOrder().build());
    await world.seconds();
    world.startPod(world.podOf());
    await world.seconds(1);
    expect(world.told(VMI, 'db')).toEqual([`FailedCreate Error creating attachment pod: ${QUOTA.message}`]);
    expect(world.migration()?.status?.conditions).toBeUndefined();
  });
});

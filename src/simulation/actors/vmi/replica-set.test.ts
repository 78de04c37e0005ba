import { describe, expect, it } from 'vitest';
import { replicaChange } from '../../../decide/vmi/replicas.ts';
import { aVmi } from '../../../kubevirt/builders.ts';
import type { ReplicaSet } from '../../../kubevirt/objects.ts';
import { VMI, VmWorld } from '../vm/test-world-of-vms.ts';
import { replicaSetController } from './replica-set.ts';

const aSet = (spec: ReplicaSet['spec'], meta: object = {}): ReplicaSet => ({
  metadata: { name: 'web', ...meta },
  spec,
});

describe('what a replica set has to do', () => {
  const [a, b] = [aVmi('a').build(), aVmi('b').build()];
  const pending = aVmi('c').phase('Pending').build();
  const ended = aVmi('d').phase('Failed').build();
  const leaving = aVmi('e').deleting().build();

  it.each([
    ['make what is missing', aSet({ replicas: 3 }), [a], 2, []],
    ['make one where it names no number', aSet({}), [], 1, []],
    ['replace what ended', aSet({ replicas: 2 }), [a, ended], 1, ['d']],
    ['replace what leaves', aSet({ replicas: 2 }), [a, leaving], 1, []],
    [
      'delete what is too many, what does not run first',
      aSet({ replicas: 1 }),
      [a, b, pending],
      0,
      ['c', 'a'],
    ],
    ['nothing', aSet({ replicas: 2 }), [b, a], 0, []],
    ['nothing while paused', aSet({ replicas: 3, paused: true }), [ended], 0, []],
    ['nothing when it is deleted', aSet({ replicas: 3 }, { deletionTimestamp: 'now' }), [ended], 0, []],
  ])('%s', (_, set, vmis, create, remove) => {
    const change = replicaChange(set, vmis);
    expect([change.create, change.remove.map(({ metadata }) => metadata.name)]).toEqual([create, remove]);
  });
});

describe('a replica set', () => {
  it('keeps its number of VMIs, whatever becomes of them', async () => {
    const world = new VmWorld();
    const template = { metadata: { labels: { app: 'web' } }, spec: { domain: { devices: {} } } };
    const metadata = { name: 'web', namespace: 'shop', uid: 'uid-web' };
    world.api.put('VirtualMachineInstanceReplicaSet', { metadata, spec: { replicas: 3, template } });
    const { clock } = world;
    const actor = replicaSetController(world.context);
    actor.start();
    await clock.advance(5);
    const vmis = () => [...world.api.list(VMI)];
    expect(vmis().map(({ metadata: { labels } }) => labels)).toEqual(
      Array.from({ length: 3 }, () => ({ app: 'web', 'kubevirt.io/nodeName': 'n1' })),
    );
    const before = new Set(vmis().map(({ metadata: { uid } }) => uid));
    await world.evict();
    await clock.advance(10);
    expect(vmis()).toHaveLength(3);
    expect(vmis().filter(({ metadata: { uid } }) => before.has(uid))).toHaveLength(2);
    await actor.stop();
  });
});

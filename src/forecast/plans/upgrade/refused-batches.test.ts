import { describe, expect, it } from 'vitest';
import type { Behavior } from '../../../decide/rules.ts';
import { clusterObjects } from '../../../scenario/cluster.ts';
import type { ScenarioVm } from '../../../scenario/schema.ts';
import { fleetOf } from '../../test-clusters.ts';
import { planUpgrade } from '../upgrade.ts';

describe('batches that some VMs are refused in', () => {
  const refuses = (name: string): ScenarioVm => ({
    name,
    node: 'n1',
    migratable: 'No',
    strategy: 'LiveMigrate',
  });
  const evicted: ScenarioVm = { name: 'evicted', node: 'n1', migratable: 'No', strategy: 'None' };
  const planned = (batchEvictionSize: number, behavior: Behavior) => {
    const kubevirt = { methods: ['Evict'], batchEvictionSize };
    const vms = [refuses('a'), refuses('b'), evicted, { ...evicted, name: 'too' }];
    const objects = clusterObjects({ nodes: ['n1', 'n2'], kubevirt, vms });
    const { status } = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0, behavior });
    const batches = status.vms.map(({ batch }) => batch);
    return { note: status.notes.find((text) => text.startsWith('4 evictions')), batches };
  };

  it.each<[number, Behavior, string]>([
    [
      1,
      'exact',
      '4 evictions, 1 in a batch, a batch every 60 s: at least 4 batches. 2 VMs refused each time are tried again every 60 s. Who is in a batch is chance, and refused VMs take places in it, so the others may take longer.',
    ],
    [
      1,
      'intended',
      '4 evictions, 1 in a batch, a batch every 60 s: at least 2 batches. 2 VMs refused each time are tried again every 60 s. Refused VMs leave their places to the others.',
    ],
    [
      2,
      'intended',
      '4 evictions, all in the first batch (2 every 60 s). 2 VMs refused each time are tried again every 60 s.',
    ],
    [
      4,
      'exact',
      '4 evictions, all in the first batch (4 every 60 s). 2 VMs refused each time are tried again every 60 s.',
    ],
  ])('of %i, %s', (size, behavior, expected) => {
    expect(planned(size, behavior).note).toBe(expected);
  });

  it.each<[number, Behavior, number | undefined]>([
    [2, 'exact', undefined],
    [2, 'intended', 1],
    [1, 'intended', undefined],
    [4, 'exact', 1],
  ])('of %i, %s: all in the same one, or by chance', (size, behavior, batch) => {
    expect(planned(size, behavior).batches).toEqual([batch, batch, batch, batch]);
  });
});

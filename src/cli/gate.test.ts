import { describe, expect, it } from 'vitest';
import { fleetOf } from '../forecast/test-clusters.ts';
import { planUpgrade } from '../forecast/upgrade.ts';
import { clusterObjects } from '../scenario/cluster.ts';
import type { ScenarioVm } from '../scenario/schema.ts';
import { failsGate } from './gate.ts';

const kubevirt = { methods: ['LiveMigrate'] };
const nodes = [
  { name: 'n1', cpu: 32 },
  { name: 'n2', cpu: 8 },
];
const vm = (name: string, node: string, cpu: number, launcher = 'L1'): ScenarioVm => {
  return { name, node, cpu, launcher, migratable: true, strategy: 'LiveMigrate' };
};
const upgrade = (vms: readonly ScenarioVm[]) =>
  planUpgrade(
    fleetOf(clusterObjects({ kubevirt, nodes, vms: [...vms] })),
    { launcherImage: 'L2' },
    { now: 0 },
  );

describe('the gate of an upgrade that interrupts no VM', () => {
  it.each<[string, boolean, readonly ScenarioVm[]]>([
    ['lets one pass that waits until another has left room', false, [vm('a', 'n1', 6), vm('b', 'n2', 6)]],
    ['fails at one for which nobody leaves room', true, [vm('a', 'n1', 6), vm('b', 'n2', 6, 'L2')]],
    [
      'fails where others take the room that is left',
      true,
      [vm('a', 'n1', 6), vm('b', 'n2', 6), vm('c', 'n1', 6)],
    ],
    ['fails where not all fit together', true, [vm('a', 'n1', 6), vm('b', 'n1', 6)]],
    ['lets pass what fits together', false, [vm('a', 'n1', 4), vm('b', 'n1', 4)]],
  ])('%s', (_, fails, vms) => {
    expect(failsGate(upgrade(vms), 'Restarts')).toBe(fails);
  });

  it('can be opened', () => {
    const stuck = upgrade([vm('a', 'n1', 6), vm('b', 'n2', 6, 'L2')]);
    expect(failsGate(stuck, 'Blocks')).toBe(false);
    expect(failsGate(stuck, 'never')).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import type { VmVerdict } from '../forecast.ts';
import { planDrain } from '../plans/drain.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';

const bears: Partial<ScenarioVm> = { tolerations: [{ operator: 'Exists' }] };
const movable: Partial<ScenarioVm> = { migratable: true, strategy: 'LiveMigrate' };
const NODES = ['n1', 'n2', 'n3'];
const TAINTED = { name: 'n2', taints: [{ key: 'kubevirt.io/drain', effect: 'NoSchedule' }] };

function drained(
  vm: Partial<ScenarioVm>,
  nodes: readonly string[],
  client: 'kubectl' | 'talos-node' | 'talosctl' = 'kubectl',
): VmVerdict | undefined {
  const fleet = fleetOf(clusterObjects({ nodes: NODES, vms: [{ name: 'a', node: 'n1', ...vm }] }));
  return planDrain(fleet, { ...DRAIN_DEFAULTS, nodes, client }, { now: 0 }).status.vms[0];
}

it('a VM that bears a cordon may come to a node that is drained later', () => {
  expect(drained(bears, ['n1', 'n2'])).toMatchObject({ outcome: 'Restarts', otherwise: ['MetAgain'] });
  expect(drained(bears, ['n1', 'n2'])?.message).toMatch(
    /; should it come to n2, drained later, it is met there once more$/,
  );
  expect(drained({ ...bears, ...movable }, ['n1', 'n2'])).toMatchObject({ outcome: 'LiveMigrates' });
  expect(drained({ ...bears, ...movable }, ['n1', 'n2'])?.otherwise).toEqual(['MetAgain']);
});

it('a VM comes to no node that was drained before, or that is cordoned for it', () => {
  expect(drained(bears, ['n2', 'n1'])?.otherwise).toBeUndefined();
  expect(drained({}, ['n1', 'n2'])?.otherwise).toBeUndefined();
  expect(drained({ ...bears, migratable: 'No', strategy: 'LiveMigrate' }, ['n1', 'n2'])).toMatchObject({
    outcome: 'Blocks',
  });
});

it('a VM that is being deleted may be back on its node before that is looked at', () => {
  const verdict = drained({ ...bears, deleting: true }, ['n1']);
  expect(verdict).toMatchObject({ outcome: 'Untouched', reason: 'BeingDeleted', otherwise: ['MetAgain'] });
  expect(verdict?.message).toMatch(
    /; should it be back on n1 before that is drained, it is met there once more$/,
  );
  expect(drained({ deleting: true }, ['n1'])?.otherwise).toBeUndefined();
  expect(drained({ ...bears, deleting: true, runStrategy: 'Manual' }, ['n1'])?.otherwise).toBeUndefined();
  expect(drained(bears, ['n1'])?.otherwise).toBeUndefined();
});

it.each(['talos-node', 'talosctl'] as const)('a VM may be back on its node before %s boots it', (client) => {
  const verdict = drained(bears, ['n1'], client);
  expect(verdict).toMatchObject({ outcome: 'Restarts', otherwise: ['Cut'] });
  expect(verdict?.message).toMatch(/; should it be back on n1 before that is booted, it goes down with it$/);
  expect(drained({}, ['n1'], client)?.otherwise).toBeUndefined();
  expect(drained({ ...bears, runStrategy: 'Manual' }, ['n1'], client)?.otherwise).toBeUndefined();
});

function upgraded(vm: Partial<ScenarioVm>): VmVerdict | undefined {
  const cluster: ScenarioCluster = {
    kubevirt: { methods: ['LiveMigrate', 'Evict'] },
    nodes: ['n1', TAINTED],
    vms: [{ name: 'a', node: 'n1', ...vm }],
  };
  return planUpgrade(fleetOf(clusterObjects(cluster)), { launcherImage: 'L2' }, { now: 0 }).status.vms[0];
}

it('a VM that bears the old drain taint may come to a node that has it evacuated', () => {
  expect(upgraded({ ...bears, ...movable })?.otherwise).toEqual(['MetAgain']);
  expect(upgraded({ ...bears, ...movable })?.message).toMatch(
    /; should it come to n2, tainted kubevirt.io\/drain, it is evacuated once more$/,
  );
  expect(upgraded({ ...bears, migratable: 'No' })).toMatchObject({ outcome: 'Restarts' });
  expect(upgraded({ ...bears, migratable: 'No' })?.otherwise).toBeUndefined();
  expect(upgraded({ ...movable, node: 'n2', launcher: 'L1' })?.message).toMatch(
    / for the taint kubevirt.io\/drain of its node, with the launcher of today, and then /,
  );
});

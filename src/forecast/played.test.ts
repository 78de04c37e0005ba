import { describe, expect, it } from 'vitest';
import { clusterObjects } from '../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../scenario/schema.ts';
import { planDrain } from './drain.ts';
import { DRAIN_DEFAULTS } from './questions.ts';
import { fleetOf } from './test-clusters.ts';
import { planUpgrade } from './upgrade.ts';

/** What a play in the simulator has shown to go another way than was foretold. */
const vm: ScenarioVm = { name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate' };

function drained(change: Partial<ScenarioVm>, cluster: Partial<ScenarioCluster> = {}, behavior = 'exact') {
  const objects = clusterObjects({ nodes: ['n1', 'n2'], ...cluster, vms: [{ ...vm, ...change }] });
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
  return planDrain(fleetOf(objects), question, { now: 0, behavior: behavior as 'exact' }).status.vms[0];
}

const BACK_IF =
  'default/a is evicted and shut down: it stays off if the guest powers off in time, and restarts if it does not';

describe('a VM whose guest decides, and whose launcher', () => {
  const mayStay = { strategy: 'None', runStrategy: 'RerunOnFailure', cpu: 8 };

  it.each([
    ['fits on another node', {}, [], BACK_IF],
    [
      'waits for room',
      {},
      [{ name: 'n2', cpu: 10 }],
      `${BACK_IF}, as soon as a node has room for its launcher`,
    ],
    [
      'waits for the uncordon',
      { nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
      [],
      `${BACK_IF}, as soon as a node that it fits on is uncordoned`,
    ],
  ])('%s', (_, change, nodes, message) => {
    const busy: ScenarioVm = { name: 'b', node: 'n2', cpu: 6 };
    const objects = clusterObjects({
      nodes: ['n1', ...(nodes.length > 0 ? nodes : ['n2'])],
      vms: [{ ...vm, ...mayStay, ...change }, busy],
    });
    const [verdict] = planDrain(fleetOf(objects), { ...DRAIN_DEFAULTS, nodes: ['n1'] }, { now: 0 }).status
      .vms;
    expect(verdict).toMatchObject({ outcome: 'MayStayOff', reason: 'GuestDecides', message });
  });

  it('fits nowhere ever again stays off in any case', () => {
    expect(drained({ ...mayStay, nodeSelector: { gone: 'yes' } })).toMatchObject({
      outcome: 'StaysOff',
      reason: 'NoNodeFits',
    });
  });
});

describe.each(['parallelMigrationsPerCluster', 'parallelOutboundMigrationsPerNode'])(
  'without places (%s)',
  (cap) => {
    const kubevirt = { migrations: { [cap]: 0 }, methods: ['LiveMigrate'] };

    it('an evacuation never begins, and evictions are refused for ever', () => {
      expect(drained({}, { kubevirt })).toMatchObject({
        outcome: 'Blocks',
        reason: 'NoMigrationPlaces',
        message: `default/a refuses eviction: it is marked for evacuation, but ${cap} lets no migration begin`,
        remedies: [`Set ${cap} of the KubeVirt CR to more than 0.`],
      });
    });

    it('an update waits', () => {
      const objects = clusterObjects({ nodes: ['n1', 'n2'], kubevirt, vms: [vm] });
      const [verdict] = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 }).status.vms;
      expect(verdict).toMatchObject({
        outcome: 'Deferred',
        reason: 'NoMigrationPlaces',
        message: `default/a waits: ${cap} allows no migration at all`,
      });
    });
  },
);

it('Drover makes no attempt where KubeVirt tries on and on', () => {
  const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'n1' } };
  expect(drained(pinned)?.message).toMatch(/; every attempt is given up after 300 s/);
  expect(drained(pinned, {}, 'intended')?.message).toMatch(/; no attempt is made before a node can take it$/);
});

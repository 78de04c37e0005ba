import { describe, expect, it } from 'vitest';
import { afterEndTable } from '../../decide/run-strategy/after-end.ts';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { STAYS_OFF_WORDS } from '../chains/shutdown.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf, poolBudget } from '../test-clusters.ts';
import { planDrain } from './drain.ts';
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

    it('an update waits, with a migration where the updater does not look at the cap', () => {
      const objects = clusterObjects({ nodes: ['n1', 'n2'], kubevirt, vms: [vm] });
      const [verdict] = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 }).status.vms;
      const [outcome, says] =
        cap === 'parallelMigrationsPerCluster'
          ? ['Deferred', `waits: ${cap} allows no migration at all`]
          : [
              'NeverCompletes',
              `has an outdated launcher and has a migration created that waits for ever: ${cap} lets none begin`,
            ];
      expect(verdict).toMatchObject({ outcome, reason: 'NoMigrationPlaces', message: `default/a ${says}` });
    });
  },
);

it('Drover makes no attempt where KubeVirt tries on and on', () => {
  const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'n1' } };
  expect(drained(pinned)?.message).toMatch(/; every attempt is given up after 300 s/);
  expect(drained(pinned, {}, 'intended')?.message).toMatch(/; no attempt is made before a node can take it$/);
});

it('a VM that nothing starts again is told why, by every rule that says so', () => {
  const rules = afterEndTable
    .filter(({ then }) => then({ vm: {} } as never) === 'StaysOff')
    .map(({ name }) => name);
  expect(rules.filter((name) => STAYS_OFF_WORDS[name] === undefined)).toEqual([]);
});

describe('a migration from before', () => {
  const pending = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'before', uid: 'before', labels: { 'kubevirt.io/vmi-name': 'a' } },
    spec: { vmiName: 'a' },
    status: { phase: 'Pending' },
  };
  const closed = { migrations: { parallelMigrationsPerCluster: 0 } };

  it('moves a VM whose eviction is refused', () => {
    expect(drained({ strategy: 'External' }, { objects: [pending] })).toMatchObject({
      outcome: 'LiveMigrates',
      reason: 'MigrationUnderWay',
    });
  });

  it('does not where a cap of 0 keeps it in line', () => {
    expect(drained({}, { objects: [pending], kubevirt: closed })?.reason).toBe('NoMigrationPlaces');
    expect(drained({ strategy: 'External' }, { objects: [pending], kubevirt: closed })?.outcome).toBe(
      'HandedOver',
    );
  });

  it('may be quicker than a shutdown', () => {
    const { outcome, message } = drained({ strategy: 'None' }, { objects: [pending] }) ?? {};
    expect(outcome).toBe('Restarts');
    expect(message).toMatch(/; should the migration that is under way be done before, it moves$/);
  });

  it('brings the launcher of before, so that an upgrade without LiveMigrate evicts the VM then', () => {
    const kubevirt = { methods: ['Evict'] };
    const vms = [{ ...vm, strategy: 'None' }];
    const objects = clusterObjects({ nodes: ['n1', 'n2'], kubevirt, vms, objects: [pending] });
    const [verdict] = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 }).status.vms;
    expect(verdict?.outcome).toBe('Restarts');
    expect(verdict?.message).toContain('unless that brings a new one: then it is evicted and shut down');
  });

  it('is of no use to a VM that is being deleted, which an upgrade may meet once it is back', () => {
    const told = (runStrategy: string) => {
      const vms = [{ ...vm, deleting: true, runStrategy }];
      const objects = clusterObjects({ nodes: ['n1', 'n2'], kubevirt: { methods: ['LiveMigrate'] }, vms });
      return planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 }).status.vms[0];
    };
    expect(told('Always')).toMatchObject({ outcome: 'Untouched', reason: 'BeingDeleted' });
    expect(told('Always')?.message).toMatch(
      /; should it start again before its launcher is a new one, it has an outdated launcher and live-migrates/,
    );
    expect(told('Manual')?.message).toMatch(/is being deleted already$/);
  });

  it('that no node takes is given up, and an upgrade without LiveMigrate evicts the VM then', () => {
    const kubevirt = { methods: ['Evict'] };
    const vms = [{ ...vm, strategy: 'None' }];
    const objects = clusterObjects({ nodes: ['n1'], kubevirt, vms, objects: [pending] });
    const [verdict] = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 }).status.vms;
    expect(verdict?.outcome).toBe('Restarts');
    expect(verdict?.message).toContain('when that is given up, it is evicted and shut down');
  });
});

describe('a VM that bears the cordon of its node and keeps off a pod there', () => {
  const web = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name: 'web', namespace: 'default', labels: { pool: 'web' } },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true },
      ],
    },
    spec: { nodeName: 'n1', containers: [{ name: 'main' }] },
    status: { phase: 'Running' },
  };
  const apart = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { pool: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  };
  const kept = {
    ...{ strategy: 'None', nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
    ...{ tolerations: [{ operator: 'Exists' }], affinity: { podAntiAffinity: apart } },
  };

  it('is back there once the drain has taken the pod away', () => {
    expect(drained(kept, { objects: [web] })).toMatchObject({ outcome: 'Restarts', reason: 'WaitsForRoom' });
  });

  it('is not where a budget keeps the pod', () => {
    const guard = poolBudget({ minAvailable: 1 }, 'guard');
    expect(drained(kept, { objects: [web, guard] })).toMatchObject({
      outcome: 'StaysOff',
      reason: 'NoNodeFits',
    });
  });
});

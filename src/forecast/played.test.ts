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

describe('an outdated External worker that carries a mark before the upgrade', () => {
  const machine = { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'a' } };
  const upgraded = (change: Partial<ScenarioVm>, external: 'unknown' | 'none' | 'capk-v0.1.10') => {
    const cluster: ScenarioCluster = {
      kubevirt: { methods: ['LiveMigrate'] },
      nodes: ['n1', 'n2'],
      vms: [{ ...vm, strategy: 'External', marked: 'n1', ...change }],
      objects: [machine],
    };
    const options = { now: 0, external };
    return planUpgrade(fleetOf(clusterObjects(cluster)), { launcherImage: 'L2' }, options).status.vms[0];
  };

  it('is in the hands of CAPK, whatever the updater does', () => {
    expect(upgraded({}, 'capk-v0.1.10')).toMatchObject({
      outcome: 'HandedOver',
      reason: 'CapkDeletesMigratable',
      message: expect.stringMatching(
        /^default\/a carries a mark already and is handed over to CAPK v0.1.10, /,
      ),
    });
  });

  it.each<[string, Partial<ScenarioVm>, 'unknown' | 'none' | 'capk-v0.1.10']>([
    ['nobody acts on marks', {}, 'none'],
    ['it is not known who acts on marks', {}, 'unknown'],
    ['there is no mark', { marked: undefined }, 'capk-v0.1.10'],
    ['its strategy is another', { strategy: 'LiveMigrate' }, 'capk-v0.1.10'],
    ['CAPK overlooks it', { name: 'b' }, 'capk-v0.1.10'],
  ])('is updated where %s', (_, change, external) => {
    expect(upgraded(change, external)).toMatchObject({ outcome: 'LiveMigrates', reason: 'LauncherOutdated' });
  });

  it('is left alone where it is up to date', () => {
    expect(upgraded({ launcher: 'L2' }, 'capk-v0.1.10')?.outcome).toBe('Untouched');
  });
});

describe('a marked VM of another strategy whose Machine CAPK gives up', () => {
  const group = { group: 'workers' };
  const worker = (name: string) => [
    { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name } },
    {
      apiVersion: 'v1beta1',
      kind: 'Machine',
      metadata: {
        name: `machine-${name}`,
        labels: group,
        ownerReferences: [{ kind: 'MachineSet', name: 'workers', controller: true }],
      },
      spec: { clusterName: 'tenant', infrastructureRef: { kind: 'KubevirtMachine', name } },
      status: { phase: 'Running', nodeRef: { name } },
    },
  ];
  const asked = (maxUnhealthy: string, others: readonly Partial<ScenarioVm>[] = []) => {
    const pinned: ScenarioVm = { ...vm, migratable: 'DisksNotLiveMigratable', marked: 'n1' };
    const check = {
      apiVersion: 'v1beta1',
      kind: 'MachineHealthCheck',
      metadata: { name: 'workers' },
      spec: { clusterName: 'tenant', maxUnhealthy, selector: { matchLabels: group } },
    };
    const beside = others.map((change, i) => ({ ...pinned, name: `b${i}`, ...change }));
    const objects = clusterObjects({
      nodes: ['n1', 'n2'],
      vms: [pinned, ...beside],
      objects: [check, ...worker('a'), ...beside.flatMap(({ name }) => worker(name))],
    });
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
    return planDrain(fleetOf(objects), question, { now: 0, external: 'capk-backport' }).status.vms[0];
  };

  it('goes with it, whatever the eviction is answered', () => {
    expect(asked('100%')).toMatchObject({
      outcome: 'HandedOver',
      reason: 'MachineReplaced',
      answer: { code: 429 },
      message:
        'default/a carries a mark already and is handed over to CAPK, which leaves the VMI alone, since its own spec does not say External, and marks its Machine as failed for good: MachineHealthCheck workers has Machine machine-a replaced by a new one',
    });
  });

  it.each<[string, string, readonly Partial<ScenarioVm>[], string]>([
    ['alone, of which half may be gone', '50%', [], 'Blocks'],
    ['beside one that is well', '50%', [{ marked: undefined }], 'HandedOver'],
    ['beside one that is marked too, on another node', '50%', [{ node: 'n2', marked: 'n2' }], 'Blocks'],
    ['beside one that can migrate', '50%', [{ migratable: true }], 'HandedOver'],
    ['beside one that the drain marks', '50%', [{ marked: undefined, strategy: 'External' }], 'Blocks'],
    [
      'beside one that no drain marks',
      '50%',
      [{ marked: undefined, strategy: 'External', node: 'n2' }],
      'HandedOver',
    ],
  ])('%s', (_, maxUnhealthy, others, outcome) => {
    expect(asked(maxUnhealthy, others)?.outcome).toBe(outcome);
  });
});

import { describe, expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { contextOf } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { VmVerdict } from '../forecast.ts';
import { planDrain } from '../plans/drain.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';
import { Trail } from '../trail.ts';
import { isAsSevere } from '../views/severity.ts';
import { withContest } from './contest.ts';

function drained(cluster: Partial<ScenarioCluster>, ...nodes: readonly string[]): Map<string, VmVerdict> {
  const fleet = fleetOf(clusterObjects({ nodes: ['n1', 'n2'], vms: [], ...cluster }));
  const { status } = planDrain(
    fleet,
    { ...DRAIN_DEFAULTS, nodes: [...nodes] },
    { now: 0, external: 'capk-backport' },
  );
  return new Map(status.vms.map((verdict) => [verdict.name, verdict]));
}

function upgraded(cluster: Partial<ScenarioCluster>): Map<string, VmVerdict> {
  const kubevirt = { methods: ['LiveMigrate', 'Evict'] };
  const fleet = fleetOf(clusterObjects({ nodes: ['n1', 'n2'], vms: [], kubevirt, ...cluster }));
  const { status } = planUpgrade(fleet, { launcherImage: 'L2' }, { now: 0 });
  return new Map(status.vms.map((verdict) => [verdict.name, verdict]));
}

const moves = (name: string, cpu: number, change: Partial<ScenarioVm> = {}): ScenarioVm => {
  return { name, node: 'n1', migratable: true, strategy: 'LiveMigrate', cpu, ...change };
};
const restarts = (name: string, cpu: number, change: Partial<ScenarioVm> = {}): ScenarioVm => {
  return { name, node: 'n1', migratable: 'No', strategy: 'None', cpu, ...change };
};
const told = (verdicts: ReadonlyMap<string, VmVerdict>): Record<string, string> =>
  Object.fromEntries([...verdicts].map(([name, { outcome, reason }]) => [name, `${outcome} ${reason}`]));

const RIVALS = { object: 'this action', path: 'who asks for the same room' };
const twoNodes = (free: number) => [
  { name: 'n1', cpu: 32 },
  { name: 'n2', cpu: free },
];

describe('VMs that fit one by one, and not together', () => {
  const vms = [moves('a', 4), moves('b', 4), moves('c', 4)];

  it('are met in turn: who comes too late stays', () => {
    const verdicts = drained({ nodes: twoNodes(8), vms }, 'n1');
    expect(told(verdicts)).toEqual({
      a: 'LiveMigrates Evacuates',
      b: 'LiveMigrates Evacuates',
      c: 'NeverCompletes RoomTaken',
    });
    expect(verdicts.get('a')?.message).toBe(
      'default/a is marked for evacuation and live-migrates to another node; should default/b, default/c take the room before it, it stays until there is some again',
    );
    expect(verdicts.get('c')).toMatchObject({
      message:
        'default/c is marked for evacuation and cannot migrate once default/a, default/b have taken the room that there is; should it come before them, it moves',
      remedies: ['Make room on other nodes, or add a node.'],
    });
    expect(verdicts.get('c')?.evidence).toContainEqual({ ...RIVALS, value: ['default/a', 'default/b'] });
  });

  it('name no more rivals than a person reads', () => {
    const many = Array.from({ length: 18 }, (_, index) => moves(`vm-${index + 10}`, 1));
    const verdict = drained({ nodes: twoNodes(8), vms: many }, 'n1').get('vm-10');
    const evidence = verdict?.evidence.find(({ path }) => path === RIVALS.path);
    expect(evidence?.value).toHaveLength(16);
    expect(verdict?.message).toContain(
      'should default/vm-11, default/vm-12, default/vm-13 and 14 more take the room',
    );
  });

  it('are told nothing where there is room for all', () => {
    const verdicts = drained({ nodes: twoNodes(12), vms }, 'n1');
    for (const { message } of verdicts.values())
      expect(message).toMatch(/ is marked for evacuation and live-migrates to another node$/);
  });

  it('meet those of the nodes that were drained before', () => {
    const nodes = [...twoNodes(32), { name: 'n3', cpu: 4 }];
    const across = [moves('b', 4), moves('a', 4, { node: 'n2' })];
    expect(told(drained({ nodes, vms: across }, 'n1', 'n2'))).toEqual({
      a: 'NeverCompletes RoomTaken',
      b: 'LiveMigrates Evacuates',
    });
  });

  it('are told of the contest once, when their own node is drained, and not again at the next one', () => {
    const fleet = fleetOf(
      clusterObjects({ nodes: [...twoNodes(8), 'n3'], vms: [...vms, moves('d', 4, { node: 'n3' })] }),
    );
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1', 'n3'], timeoutSeconds: 60 };
    const { status } = planDrain(fleet, question, { now: 0, explain: true });
    const contested = status.vms.map(({ name, stages }) => {
      return `${name} ${stages?.filter(({ reason }) => reason === 'RoomContested').length}`;
    });
    expect(contested).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
  });

  it('go to the roomiest node first', () => {
    const nodes = [
      { name: 'n1', cpu: 32 },
      { name: 'n2', cpu: 4 },
      { name: 'n3', cpu: 7 },
    ];
    const sized = [moves('a', 3), moves('b', 4), moves('c', 4)];
    expect(told(drained({ nodes, vms: sized }, 'n1'))).toEqual({
      a: 'LiveMigrates Evacuates',
      b: 'LiveMigrates Evacuates',
      c: 'LiveMigrates Evacuates',
    });
  });
});

describe('VMs that are shut down and find their room taken', () => {
  it('wait where they come too late', () => {
    const verdicts = drained({ nodes: twoNodes(4), vms: [restarts('a', 4), restarts('b', 4)] }, 'n1');
    expect(told(verdicts)).toEqual({ a: 'Restarts RunStrategyAlways', b: 'Restarts WaitsForRoom' });
    expect(verdicts.get('a')?.message).toBe(
      'default/a is evicted and shut down: run strategy Always starts it again; should default/b take its room before it is back, it waits until a node has room for its launcher',
    );
    expect(verdicts.get('b')).toMatchObject({
      message:
        'default/b is evicted and shut down: run strategy Always starts it again, but waits for room once default/a has taken what there is; should it come before that, it is back at once',
      remedies: ['Make room on other nodes, or add a node.'],
    });
  });

  it('may wait where the guest decides', () => {
    const vms = [restarts('a', 4), restarts('b', 4, { runStrategy: 'RerunOnFailure' })];
    expect(drained({ nodes: twoNodes(4), vms }, 'n1').get('b')).toMatchObject({
      outcome: 'MayStayOff',
      message: expect.stringMatching(
        /, and restarts if it does not; should default\/a take its room before it is back, it waits until a node has room for its launcher$/,
      ),
    });
  });

  it('may lose it to one that waits for just that room', () => {
    const nodes = [
      { name: 'n1', cpu: 9 },
      { name: 'n2', cpu: 64, unschedulable: true },
    ];
    const vms = [restarts('back', 6), moves('waits', 6, { node: 'n2' })];
    const verdicts = upgraded({ nodes, vms });
    expect(told(verdicts)).toEqual({
      back: 'Restarts RunStrategyAlways',
      waits: 'NeverCompletes WaitsForRoom',
    });
    expect(verdicts.get('back')?.message).toMatch(
      /; should default\/waits take its room before it is back, it waits /,
    );
    expect(verdicts.get('waits')?.message).toMatch(
      /; it goes as soon as default\/back leaves room that no other VM takes before it$/,
    );
  });
});

describe('VMs that wait for room', () => {
  const nodes = [
    { name: 'n1', cpu: 32 },
    { name: 'n2', cpu: 4 },
  ];

  it('move where it is theirs for sure', () => {
    const vms = [moves('a', 4), moves('b', 2, { node: 'n2' })];
    const verdicts = upgraded({ nodes, vms });
    expect(told(verdicts)).toEqual({ a: 'LiveMigrates WaitsForRoom', b: 'LiveMigrates LauncherOutdated' });
    expect(verdicts.get('a')?.message).toMatch(/; it goes as soon as default\/b leaves room$/);
  });

  it('move in turn where others may take it', () => {
    const vms = [moves('a', 4), moves('b', 2, { node: 'n2' }), moves('c', 4)];
    const verdicts = upgraded({ nodes, vms });
    expect(told(verdicts)).toEqual({
      a: 'LiveMigrates WaitsForRoom',
      b: 'LiveMigrates LauncherOutdated',
      c: 'NeverCompletes WaitsForRoom',
    });
    expect(verdicts.get('a')?.message).toMatch(
      /; it goes as soon as default\/b leaves room, unless others take it$/,
    );
  });
});

it('VMs that wait for room are promised none where there are too many kinds of VMs to be weighed', () => {
  const fleet = fleetOf(
    clusterObjects({ nodes: ['n1', 'n2'], vms: [moves('a', 1), moves('b', 2), moves('c', 3)] }),
  );
  const endings: Record<string, Ending> = {
    a: {
      outcome: 'LiveMigrates',
      reason: 'WaitsForRoom',
      lacks: 'n2 is full',
      leavers: ['b'],
      says: 'cannot migrate yet: n2 is full; it goes as soon as b leaves room',
      tail: '; should its target be put out of reach of a volume, it stays',
    },
    b: { outcome: 'LiveMigrates', reason: 'Evacuates', says: 'goes' },
    c: { outcome: 'Restarts', reason: 'WaitsForRoom', says: 'waits' },
  };
  const foreseen = [...fleet.all('VirtualMachineInstance')].map((vmi) => {
    return { vmi, ending: endings[vmi.metadata.name] as Ending, trail: new Trail(false) };
  });
  const contested = (mostJudged?: number) =>
    withContest(contextOf(fleet, { now: 0 }), foreseen, [], mostJudged).map(({ ending }) => ending);
  expect(contested()).toEqual(Object.values(endings));
  expect(contested(6)).toEqual(Object.values(endings));
  expect(contested(5)).toEqual([
    {
      ...endings.a,
      outcome: 'NeverCompletes',
      otherwise: ['Moves'],
      says: 'cannot migrate yet: n2 is full; it goes as soon as b leaves room that no other VM takes before it',
    },
    endings.b,
    endings.c,
  ]);
});

describe('an External VM that CAPK migrates', () => {
  it('may be deleted where another takes the room', () => {
    const objects = [{ apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'b' } }];
    const vms = [moves('a', 4), moves('b', 4, { strategy: 'External' })];
    expect(drained({ nodes: twoNodes(4), vms, objects }, 'n1').get('b')).toMatchObject({
      outcome: 'HandedOver',
      reason: 'CapkMayMigrate',
      message: expect.stringMatching(
        /, and the VM restarts; it fails should default\/a take the room before it$/,
      ),
    });
  });
});

it('a VM whose eviction a budget refuses may still come in the way of others', () => {
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { pool: 'web' } } },
  };
  const labels = { pool: 'web' };
  const vms = [
    restarts('a', 1, { labels, runStrategy: 'Manual' }),
    restarts('b', 4, { labels }),
    restarts('c', 4),
  ];
  const verdicts = drained({ nodes: twoNodes(4), vms, objects: [budget] }, 'n1');
  expect(told(verdicts)).toMatchObject({ b: 'Blocks BudgetSpent', c: 'Restarts RunStrategyAlways' });
  expect(verdicts.get('b')?.message).not.toContain('room');
  expect(verdicts.get('c')?.message).toMatch(/; should default\/b take its room before it is back/);
});

describe('to a gate at Restarts, an upgrade that interrupts no VM', () => {
  const nodes = twoNodes(8);
  const there = moves('b', 6, { node: 'n2' });
  it.each<[string, boolean, readonly ScenarioVm[]]>([
    ['is fine where one waits until another has left room', false, [moves('a', 6), there]],
    ['fails at one that nobody leaves room for', true, [moves('a', 6), { ...there, launcher: 'L2' }]],
    ['fails where others take the room that is left', true, [moves('a', 6), there, moves('c', 6)]],
    ['fails where not all fit together', true, [moves('a', 6), moves('c', 6)]],
    ['is fine where all fit together', false, [moves('a', 4), moves('c', 4)]],
  ])('%s', (_, fails, vms) => {
    const outcomes = [...upgraded({ nodes, vms: [...vms] }).values()].map(({ outcome }) => outcome);
    expect(outcomes.some((outcome) => isAsSevere(outcome, 'Restarts'))).toBe(fails);
  });
});

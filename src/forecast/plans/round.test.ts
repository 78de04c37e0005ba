import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioCluster } from '../../scenario/schema.ts';
import type { Forecast } from '../forecast.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { aCluster, aTightCluster } from '../test-arbitraries.ts';
import { fleetOf } from '../test-clusters.ts';
import { planDrain } from './drain.ts';
import { planRound } from './round.ts';

const OPTIONS = { now: 0 };
const VM = { migratable: true, strategy: 'LiveMigrate' } as const;
const OLD = { labels: { 'kubevirt.io/outdatedLauncherImage': '' } };
const SMALL = ['n1', 'n2', 'n3'].map((name) => ({ name, cpu: 4 }));

function roundOf(cluster: Partial<ScenarioCluster>, nodes: readonly string[] = [], options = {}): Forecast {
  const fleet = fleetOf(clusterObjects({ nodes: SMALL, vms: [], ...cluster }));
  return planRound(fleet, { nodes }, { ...OPTIONS, ...options });
}

const orderOf = ({ status }: Forecast) => status.round?.steps.map(({ node }) => node);
const endsOf = ({ status }: Forecast) =>
  Object.fromEntries(
    status.vms.map(({ name, outcome, reason, path }) => [name, [outcome, reason, path?.join(' ')]]),
  );

describe('a maintenance round', () => {
  it('is over all nodes that are not cordoned, or over those that are named, cordoned or not', () => {
    const nodes = [...SMALL, { name: 'shut', unschedulable: true }];
    const vms = [{ ...VM, name: 'x', node: 'n1' }];
    expect(orderOf(roundOf({ nodes, vms }))).toEqual(['n2', 'n1', 'n3']);
    const named = roundOf({ nodes, vms }, ['n1', 'shut', 'n1']);
    expect(named.spec.parameters).toMatchObject({ nodes: ['n1', 'shut'] });
    expect(named.spec.title).toBe('maintenance round · n1, shut · 1 VM there');
    expect(() => roundOf({ nodes }, ['n9'])).toThrow('no node "n9" in the input');
  });

  it.each<[string, Partial<ScenarioCluster['kubevirt'] & object>, object, boolean]>([
    ['old launchers that the updater moves', {}, OLD, true],
    ['launchers of today', {}, {}, false],
    ['old launchers that nobody moves', { methods: [] }, OLD, false],
    ['a release that is being rolled out', { target: 'd2' }, OLD, false],
    ['old launchers that refuse for ever', {}, { ...OLD, migratable: 'DisksNotLiveMigratable' }, false],
  ])('is warned of beside a roll-out: %s', (_, kubevirt, vm, isWarned) => {
    const vms = [
      { ...VM, name: 'a', node: 'n1', ...vm },
      { ...VM, name: 'b', node: 'n2' },
    ];
    const { status } = roundOf({ vms, kubevirt: { methods: ['LiveMigrate', 'Evict'], ...kubevirt } });
    const warning =
      'A roll-out is under way: KubeVirt moves 1 VM meanwhile, to nodes that this round counts on. Let it end first (drover status).';
    expect(status.warnings.includes(warning)).toBe(isWarned);
  });

  it('tells the way of each VM, and what the round comes to', () => {
    const vms = ['n1', 'n2', 'n3'].map((node) => ({ ...VM, name: `on-${node}`, node, cpu: 2 }));
    const forecast = roundOf({ vms });
    expect(forecast.status.summary).toBe(
      'The round finishes; 4 moves in all, at most 2 of any VM; no VM is shut down.',
    );
    expect(
      forecast.status.vms.map(({ message }) => message).filter((text) => text.includes('2 moves')),
    ).toEqual([
      expect.stringMatching(
        /^default\/\S+ is marked for evacuation and live-migrates to another node; 2 moves: n\d → n\d → n\d$/,
      ),
    ]);
    expect(forecast.status.round).toMatchObject({
      ...{ mostMoves: 2, totalMoves: 4, stuck: 0 },
      atLeast: { moves: 2, reason: 'NoRoomBeforeTheFirst' },
    });
    expect(forecast.status.notes).toContain(
      '4 moves in all, at most 2 of any VM; no order does with fewer: whichever node is drained first, its VMs do not all find room on nodes that need not be drained after it.',
    );
    const [turn] = forecast.status.round?.steps ?? [];
    expect(forecast.status.warnings).toEqual([
      `KubeVirt leaves the choice of targets to kube-scheduler. So that VMs go to nodes that are done, cordon all that are due first (kubectl cordon ${orderOf(forecast)?.join(' ')}), drain them in this order, and uncordon each only when it is back. Until then other new pods find no place there either.`,
      `While ${turn?.node} is drained, uncordon ${turn?.opens[0]} too: nodes that are done have too little room. Cordon it again afterwards.`,
    ]);
  });

  it('judges each drain with everything where it is by then', () => {
    const vms = [
      { ...VM, name: 'large', node: 'n1', cpu: 4 },
      { ...VM, name: 'small', node: 'n2', cpu: 2 },
      { ...VM, name: 'tiny', node: 'n3', cpu: 1 },
    ];
    // Today no other node has room for the large one; once n2 has given its VM away, one has.
    expect(endsOf(roundOf({ vms }))).toMatchObject({
      large: ['LiveMigrates', 'Evacuates', expect.any(String)],
    });
    const alone = planDrain(
      fleetOf(clusterObjects({ nodes: SMALL, vms })),
      { ...DRAIN_DEFAULTS, nodes: ['n1'] },
      OPTIONS,
    );
    expect(alone.status.vms[0]).toMatchObject({ outcome: 'NeverCompletes', reason: 'NoRoom' });
  });

  it('says who finds no room beside the others', () => {
    const vms = ['a', 'b', 'c'].map((name) => ({ ...VM, name, node: 'n1', cpu: 1 }));
    const nodes = [
      { name: 'n1', cpu: 4 },
      { name: 'n2', cpu: 2 },
    ];
    const forecast = roundOf({ nodes, vms });
    expect(forecast.status.counts).toMatchObject({ LiveMigrates: 2, NeverCompletes: 1 });
    const stuck = forecast.status.vms.find(({ outcome }) => outcome === 'NeverCompletes');
    expect(stuck).toMatchObject({
      reason: 'NoRoom',
      message: `default/${stuck?.name} finds no room beside the other VMs of n1 when that is drained`,
      remedies: ['Make room, or add a node for the time of the round.'],
    });
    expect(forecast.status.summary).toBe(
      'The round does not finish by itself: 1 VM stays on the node; 2 moves in all, at most 1 of any VM; no VM is shut down.',
    );
  });

  it('keeps VMs apart that must be', () => {
    const apart = (name: string, node: string) => ({ ...VM, name, node, cpu: 1 });
    const cluster = clusterObjects({ nodes: SMALL, vms: [apart('a', 'n1'), apart('b', 'n2')] });
    const term = { labelSelector: { matchExpressions: [{ key: 'kubevirt.io', operator: 'Exists' }] } };
    const podAntiAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, topologyKey: 'kubernetes.io/hostname' }],
    };
    const objects = cluster.map((object) =>
      object.kind === 'Pod'
        ? { ...object, spec: { ...(object.spec as object), affinity: { podAntiAffinity } } }
        : object,
    );
    const forecast = planRound(fleetOf(objects), { nodes: [] }, OPTIONS);
    expect(forecast.status.counts.LiveMigrates).toBe(2);
    expect(forecast.status.round?.steps.map(({ moves }) => moves.length)).toEqual([0, 1, 1]);
    expect(forecast.status.round).toMatchObject({ mostMoves: 1, stuck: 0 });
  });

  it('shows and counts VMs of the scope, and orders for all', () => {
    const vms = [
      { ...VM, name: 'x', node: 'n1', labels: { app: 'x' } },
      { ...VM, name: 'y', node: 'n2' },
    ];
    const forecast = roundOf({ vms }, [], { scope: { selector: { matchLabels: { app: 'x' } } } });
    expect(Object.keys(endsOf(forecast))).toEqual(['x']);
    expect(forecast.status.round?.totalMoves).toBe(2);
    expect(forecast.status.round?.steps.flatMap(({ moves }) => moves.map(({ vm }) => vm))).toEqual([
      'default/x',
    ]);
  });

  it('says nothing of cordons where nothing moves, nor where there is one node', () => {
    const idle = roundOf({});
    expect(idle.status.warnings).toEqual([]);
    expect(idle.status.summary).toBe('The round finishes; no VM moves; no VM is shut down.');
    expect(roundOf({ vms: [{ ...VM, name: 'x', node: 'n1' }] }, ['n1']).status.warnings).toEqual([]);
  });

  it('frees the place of a VM that stays off', () => {
    const vms = [
      { name: 'once', node: 'n1', strategy: 'None', runStrategy: 'Once', cpu: 4 },
      { ...VM, name: 'x', node: 'n2', cpu: 4 },
    ];
    const forecast = roundOf({ nodes: SMALL.slice(0, 2), vms });
    expect(orderOf(forecast)).toEqual(['n1', 'n2']);
    expect(endsOf(forecast)).toMatchObject({ x: ['LiveMigrates', 'Evacuates', 'n2 n1'] });
  });
});

describe('whatever the cluster', () => {
  it('each VM on a node of the round has one verdict, and no path ends on a node that is not open', () => {
    fc.assert(
      fc.property(fc.oneof(aCluster, aTightCluster), (cluster) => {
        const fleet = fleetOf(clusterObjects(cluster));
        const { status, spec } = planRound(fleet, { nodes: [] }, OPTIONS);
        const nodes = spec.parameters.nodes as readonly string[];
        const there = nodes.flatMap((node) => fleet.vmisOn(node)).map(({ metadata }) => metadata.name);
        expect(status.vms.map(({ name }) => name)).toEqual(expect.arrayContaining(there));
        expect(new Set(status.vms.map(({ name }) => name)).size).toBe(status.vms.length);
        const open = [...fleet.all('Node')].filter(({ spec }) => spec?.unschedulable !== true);
        const places = new Set([...nodes, ...open.map(({ metadata }) => metadata.name)]);
        for (const { path = [], node } of status.vms) {
          if (path.length > 0) expect(path[0]).toBe(node);
          for (const place of path) expect(places).toContain(place);
        }
        const moves = status.vms.reduce((sum, { path = [''] }) => sum + path.length - 1, 0);
        expect(status.round?.totalMoves).toBe(moves);
      }),
      { numRuns: 25, seed: 3 },
    );
  });
});

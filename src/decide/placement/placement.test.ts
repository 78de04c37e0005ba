import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Node, Pod, ResourceQuota } from '../../kubevirt/objects.ts';
import { CordonedWorld } from './cordoned.ts';
import { type Exclusion, judgePlacement, type PlacementQuestion, tellExclusions } from './placement.ts';
import { PlacementWorld } from './world.ts';

const vmi = aVmi().on('n1').build();
const launcher = aPod('l').launcherOf(vmi).on('n1').asking({ cpu: '2' }).build();
const room = { cpu: '4', memory: '8Gi', pods: '9' };
const node = (name: string) => aNode(name).offering(room);
const worldOf = (nodes: Node[], pods: Pod[] = [launcher]) =>
  new PlacementWorld({ nodes, podsOn: (name) => pods.filter(({ spec }) => spec?.nodeName === name) });
const ask = (nodes: Node[], more: Partial<PlacementQuestion> & { pods?: Pod[] } = {}) => {
  const { pods, ...rest } = more;
  return judgePlacement({
    pod: launcher,
    vmi,
    purpose: 'migration-target',
    behavior: 'intended',
    world: worldOf(nodes, pods),
    ...rest,
  });
};
const outline = (excluded: readonly Exclusion[]) =>
  excluded.map(({ node: name, reason, isLasting }) => `${name} ${reason}${isLasting ? ' lasting' : ''}`);

describe('placement', () => {
  it('C10: on a single node, the target of a migration has nowhere to go', () => {
    const placement = ask([node('n1').build()]);
    expect(placement).toEqual({
      fitsNow: [],
      fitsIfEmpty: [],
      excluded: [
        {
          node: 'n1',
          reason: 'SourceNode',
          message: 'n1 is the node that the migration leaves',
          evidence: [{ object: 'Pod shop/l', path: 'spec.nodeName', value: 'n1' }],
          isLasting: true,
        },
      ],
      quota: undefined,
      missing: [],
    });
  });

  it('C16: with room everywhere it goes to any other node, by name', () => {
    const placement = ask([node('n3').build(), node('n1').build(), node('n2').build()]);
    expect(placement.fitsNow).toEqual(['n2', 'n3']);
    expect(placement.fitsIfEmpty).toEqual(['n2', 'n3']);
    expect(outline(placement.excluded)).toEqual(['n1 SourceNode lasting']);
  });

  it('a restart goes back to its node, unless a drain cordoned it', () => {
    const nodes = [node('n1').build()];
    expect(ask(nodes, { purpose: 'restart' }).fitsNow).toEqual(['n1']);
    const world = new CordonedWorld(new PlacementWorld({ nodes, podsOn: () => [launcher] }), ['n1']);
    const drained = ask(nodes, { purpose: 'restart', world });
    expect(outline(drained.excluded)).toEqual(['n1 NodeUnschedulable lasting']);
  });

  it('U40: a VM that is pinned by its selector has nowhere to go', () => {
    const pinned = aVmi()
      .on('n1')
      .spec({ nodeSelector: { 'kubernetes.io/hostname': 'n1' } })
      .build();
    const placement = ask([node('n1').build(), node('n2').build()], { vmi: pinned });
    expect(outline(placement.excluded)).toEqual(['n1 SourceNode lasting', 'n2 NodeSelectorMismatch lasting']);
    expect(placement.excluded[1]?.evidence).toEqual([
      {
        object: 'VirtualMachineInstance shop/db',
        path: 'spec.nodeSelector[kubernetes.io/hostname]',
        value: 'n1',
      },
      { object: 'Node n2', path: 'metadata.labels[kubernetes.io/hostname]', value: 'n2' },
    ]);
  });

  it('tells what only takes waiting from what lasts', () => {
    const web = aPod('virt-launcher-web').launcherOf(aVmi('web').build()).asking({ cpu: '3' });
    const system = aPod('system').asking({ cpu: '3' });
    const placement = ask(
      ['n1', 'n4', 'n3', 'n2'].map((name) => node(name).build()),
      {
        pods: [launcher, web.on('n2').build(), system.on('n3').build()],
      },
    );
    expect(placement.fitsNow).toEqual(['n4']);
    expect(placement.fitsIfEmpty).toEqual(['n2', 'n4']);
    expect(outline(placement.excluded)).toEqual([
      'n1 SourceNode lasting',
      'n2 InsufficientResources',
      'n3 InsufficientResources lasting',
    ]);
  });

  it('takes a pod that is larger than every node as lasting', () => {
    const large = aPod('l').launcherOf(vmi).on('n1').asking({ cpu: '64' }).build();
    const placement = ask([node('n2').build()], { pod: large });
    expect(outline(placement.excluded)).toEqual(['n2 InsufficientResources lasting']);
  });

  it("adds the selector of the migration, under the VMI's own", () => {
    const nodes = [node('n2').labelled('rack', '2').build(), node('n3').labelled('rack', '3').build()];
    expect(ask(nodes, { addedNodeSelector: { rack: '3' } }).fitsNow).toEqual(['n3']);
    const owned = aVmi()
      .on('n1')
      .spec({ nodeSelector: { rack: '2' } })
      .build();
    expect(ask(nodes, { addedNodeSelector: { rack: '3' }, vmi: owned }).fitsNow).toEqual(['n2']);
  });
});

describe('what is missing for a placement', () => {
  it.each<[string, Partial<PlacementQuestion>, Node[], string[]]>([
    [
      'the launcher pod',
      { pod: undefined },
      [node('n2').build()],
      ['launcher pod of VirtualMachineInstance shop/db'],
    ],
    ['the nodes', {}, [], ['nodes']],
    ['both', { pod: undefined }, [], ['launcher pod of VirtualMachineInstance shop/db', 'nodes']],
  ])('%s', (_name, more, nodes, missing) => {
    expect(ask(nodes, more)).toEqual({ fitsNow: [], fitsIfEmpty: [], excluded: [], missing });
  });

  it('a node that does not tell what it has is named, not guessed', () => {
    const placement = ask([aNode('n2').build(), node('n3').build(), aNode('n4').cordoned().build()]);
    expect(placement.fitsNow).toEqual(['n3']);
    expect(placement.fitsIfEmpty).toEqual(['n3']);
    expect(outline(placement.excluded)).toEqual(['n4 NodeUnschedulable lasting']);
    expect(placement.missing).toEqual(['status.allocatable of Node n2']);
  });

  it('such a node is not promised for later either', () => {
    const guard = aPod('w')
      .launcherOf(aVmi('web').build())
      .on('n2')
      .spec({
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: {}, topologyKey: 'kubernetes.io/hostname' },
            ],
          },
        },
      })
      .build();
    const placement = ask([aNode('n2').build()], { pods: [launcher, guard] });
    expect(outline(placement.excluded)).toEqual(['n2 ExistingPodsAntiAffinity']);
    expect(placement.fitsIfEmpty).toEqual([]);
  });
});

describe('quotas in a placement', () => {
  const full: ResourceQuota = {
    metadata: { name: 'q', namespace: 'shop' },
    status: { hard: { pods: '1' }, used: { pods: '1' } },
  };
  const nodes = [node('n2').build()];
  it("a target needs room beside today's launcher, a restart does not", () => {
    expect(ask(nodes, { quotas: [full] }).quota?.message).toBe(
      'exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    );
    expect(ask(nodes, { quotas: [full], purpose: 'restart' }).quota).toBeUndefined();
    expect(ask(nodes, { quotas: [full] }).fitsNow).toEqual(['n2']);
  });

  it('one that is not known is missing', () => {
    const unknown = { ...full, status: { hard: { pods: '1' } } };
    expect(ask([aNode('n2').build()], { quotas: [unknown] }).missing).toEqual([
      'status.used of ResourceQuota shop/q',
      'status.allocatable of Node n2',
    ]);
  });

  it("limits are KubeVirt's business only with its gate", () => {
    const limits = { ...full, status: { hard: { 'limits.cpu': '9' }, used: { 'limits.cpu': '0' } } };
    const gate = (...featureGates: string[]) => ({ featureGates, disabledFeatureGates: [] });
    expect(ask(nodes, { quotas: [limits] }).quota?.reason).toBe('QuotaMustSpecify');
    expect(ask(nodes, { quotas: [limits], settings: gate() }).quota?.reason).toBe('QuotaMustSpecify');
    const automatic = ask(nodes, { quotas: [limits], settings: gate('AutoResourceLimitsGate') });
    expect(automatic.quota).toBeUndefined();
    expect(automatic.missing).toEqual([
      'limits that KubeVirt will give the next launcher, for ResourceQuota shop/q',
    ]);
  });
});

describe('exclusions told in one line', () => {
  const exclusion = (name: string, reason: string): Exclusion => ({
    node: name,
    reason,
    message: '',
    evidence: [],
    isLasting: true,
  });
  it.each<[string, Exclusion[], string]>([
    ['none', [], ''],
    ['one', [exclusion('n1', 'SourceNode')], 'SourceNode (n1)'],
    [
      'most nodes first, then by reason',
      ['n1 B', 'n2 A', 'n3 C', 'n4 C'].map((told) => exclusion(told.slice(0, 2), told.slice(3))),
      'C (n3, n4), A (n2), B (n1)',
    ],
    ['three nodes are named', ['n1', 'n2', 'n3'].map((name) => exclusion(name, 'A')), 'A (n1, n2, n3)'],
    [
      'of more, three',
      ['n1', 'n2', 'n3', 'n4', 'n5'].map((name) => exclusion(name, 'A')),
      'A (n1, n2, n3 and 2 more)',
    ],
  ])('%s', (_name, excluded, told) => {
    expect(tellExclusions(excluded)).toBe(told);
  });
});

describe('for any load', () => {
  it('every node is in exactly one list, and waiting never takes a node away', () => {
    const loads = fc.array(
      fc.record({ cpu: fc.integer({ min: 0, max: 5 }), vm: fc.boolean(), cordoned: fc.boolean() }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(loads, (of) => {
        const nodes = of.map(({ cordoned }, i) =>
          (cordoned ? node(`m${i}`).cordoned() : node(`m${i}`)).build(),
        );
        const pods = of.map(({ cpu, vm }, i) => {
          const pod = aPod(`p${i}`)
            .on(`m${i}`)
            .asking({ cpu: `${cpu}` });
          return vm ? pod.launcherOf(aVmi(`v${i}`).build()).build() : pod.build();
        });
        const { fitsNow, fitsIfEmpty, excluded } = ask(nodes, { pods: [launcher, ...pods] });
        const names = nodes.map(({ metadata }) => metadata.name);
        expect([...fitsNow, ...excluded.map((one) => one.node)].sort()).toEqual(names);
        expect(fitsNow.every((name) => fitsIfEmpty.includes(name))).toBe(true);
        expect(fitsNow).toEqual(names.filter((_name, i) => of[i] && of[i].cpu <= 2 && !of[i].cordoned));
        expect(fitsIfEmpty).toEqual(
          names.filter((_name, i) => of[i] && (of[i].cpu <= 2 || of[i].vm) && !of[i].cordoned),
        );
      }),
    );
  });
});

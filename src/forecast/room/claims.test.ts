import { describe, expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { contextOf, withCordoned } from '../context.ts';
import type { Outcome } from '../forecast.ts';
import { fleetOf } from '../test-clusters.ts';
import { Trail } from '../trail.ts';
import { type Claim, claimsOf, leavesHome } from './claims.ts';
import type { Manner } from './manner.ts';

interface Told {
  readonly outcome?: Outcome;
  readonly reason?: string;
  readonly change?: (object: RawObject) => RawObject;
  readonly cordoned?: readonly string[];
  readonly others?: readonly RawObject[];
}

/** The claims of these VMs, all with the same outcome. */
function claims(
  vms: readonly ScenarioVm[],
  { outcome = 'LiveMigrates', reason = 'Any', change, cordoned = [], others = [] }: Told = {},
): Claim[] {
  const objects = clusterObjects({ nodes: ['n1', { name: 'n2', cpu: 8 }, 'n3'], vms: [...vms] });
  const fleet = fleetOf([...(change ? objects.map(change) : objects), ...others]);
  const context = withCordoned(contextOf(fleet, { now: 0 }), cordoned);
  const foreseen = [...fleet.all('VirtualMachineInstance')].map((vmi) => {
    return { vmi, ending: { outcome, reason, says: '' }, trail: new Trail(false) };
  });
  return [...(claimsOf(context, foreseen)?.all ?? [])];
}

const vm = (name: string, change: Partial<ScenarioVm> = {}): ScenarioVm => {
  return { name, node: 'n1', migratable: true, cpu: 2, ...change };
};

describe('a claim', () => {
  it('names where it is, what it asks for, and where it may be', () => {
    const [claim] = claims([vm('a')]);
    expect(claim).toMatchObject({ vm: 'default/a', home: 'n1', manner: 'moves' });
    expect(claim?.kind.amounts.get('cpu')).toBe(2000);
    expect(claim?.kind.amounts.get('pods')).toBe(1);
    expect([...(claim?.kind.nodes ?? [])]).toEqual(['n1', 'n2', 'n3']);
  });

  it('asks for what is plugged in too', () => {
    expect(claims([vm('a', { hotplugged: true })])[0]?.kind.amounts.get('pods')).toBe(2);
  });

  it('may be on no node that is closed to it, or too small beside those who stay', () => {
    const stays = (object: RawObject): RawObject =>
      (object.metadata as { name: string }).name === 'virt-launcher-b-00000'
        ? {
            ...object,
            metadata: { ...(object.metadata as object), ownerReferences: [], labels: {}, annotations: {} },
          }
        : object;
    const nodesOf = (told: Told) => [
      ...(claims([vm('a'), vm('b', { node: 'n2', cpu: 7 })], told)[0]?.kind.nodes ?? []),
    ];
    expect(nodesOf({})).toEqual(['n1', 'n2', 'n3']);
    expect(nodesOf({ cordoned: ['n3'] })).toEqual(['n1', 'n2']);
    expect(nodesOf({ change: stays })).toEqual(['n1', 'n3']);
  });

  it.each<[string, Told]>([
    ['stays', { outcome: 'Untouched' }],
    [
      'has no launcher',
      { change: (object) => (object.kind === 'Pod' ? { ...object, kind: 'Secret' } : object) },
    ],
    [
      'has one that is on no node',
      {
        change: (object) =>
          object.kind === 'Pod'
            ? { ...object, spec: { ...(object.spec as object), nodeName: undefined } }
            : object,
      },
    ],
  ])('is not made for a VM that %s', (_, told) => {
    expect(claims([vm('a')], told)).toEqual([]);
  });
});

it.each<[string, Partial<ScenarioVm>, string, boolean]>([
  ['was marked where it is, and an upgrade moves it too', { marked: 'n1' }, 'LauncherOutdated', true],
  ['was marked elsewhere', { marked: 'n2' }, 'LauncherOutdated', false],
  ['is not marked', {}, 'LauncherOutdated', false],
  ['was marked, and is only evacuated', { marked: 'n1' }, 'Evacuates', false],
  ['is on its way already', {}, 'MigrationUnderWay', true],
])('whether one may return that %s', (_, change, reason, expected) => {
  expect(claims([vm('a', change)], { reason })[0]?.mayReturn).toBe(expected);
});

it.each<[Manner, boolean, boolean]>([
  ['moves', false, true],
  ['moves', true, false],
  ['restarts', false, false],
])('whether one leaves its home that %s, may return: %s', (manner, mayReturn, expected) => {
  expect(leavesHome({ manner, mayReturn } as Claim)).toBe(expected);
});

describe('claims are of one kind', () => {
  it.each<[string, Partial<ScenarioVm>, boolean]>([
    ['where they ask for the same', {}, true],
    ['on whatever node they are', { node: 'n3' }, true],
    ['not of another size', { cpu: 1 }, false],
    ['not where one is pinned', { nodeSelector: { 'kubernetes.io/hostname': 'n2' } }, false],
    ['not where one has volumes plugged in', { hotplugged: true }, false],
  ])('%s', (_, change, expected) => {
    const [a, b] = claims([vm('a'), vm('b', change)]);
    expect(a?.kind === b?.kind).toBe(expected);
  });

  it('of which several ask for the same, which is worked out once', () => {
    const [a, b, c] = claims([vm('a'), vm('b', { nodeSelector: { zone: 'a' } }), vm('c', { cpu: 1 })]);
    expect(a?.kind).not.toBe(b?.kind);
    expect(a?.kind.amounts).toBe(b?.kind.amounts);
    expect(a?.kind.amounts).not.toBe(c?.kind.amounts);
  });

  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { pool: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  };
  const web = { labels: { pool: 'web' } };

  it('also where they keep each other away, for on the nodes without them nobody does', () => {
    const change = (object: RawObject): RawObject =>
      object.kind === 'Pod'
        ? { ...object, spec: { ...(object.spec as object), affinity: { podAntiAffinity } } }
        : object;
    const [a, b, c] = claims([vm('a'), vm('b', web), vm('c')], { change });
    expect(a?.kind).toBe(c?.kind);
    expect(a?.kind).toBe(b?.kind);
  });

  it('not where a pod that stays keeps one away', () => {
    const stays = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'stays', namespace: 'default' } },
      spec: { nodeName: 'n2', affinity: { podAntiAffinity }, containers: [{ name: 'c' }] },
    };
    const [a, b] = claims([vm('a'), vm('b', web)], { others: [stays] });
    expect([...(a?.kind.nodes ?? [])]).toEqual(['n1', 'n2', 'n3']);
    expect([...(b?.kind.nodes ?? [])]).toEqual(['n1', 'n3']);
  });
});

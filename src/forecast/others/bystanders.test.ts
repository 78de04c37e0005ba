import { expect, it } from 'vitest';
import { aMigration } from '../../kubevirt/builders.ts';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import type { VmVerdict } from '../forecast.ts';
import { planDrain } from '../plans/drain.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';

const moves: ScenarioVm = { name: 'moves', node: 'n1', migratable: true, strategy: 'LiveMigrate', cpu: 4 };
const other: ScenarioVm = { ...moves, name: 'other', node: 'n2', marked: 'n2' };
const nodes = [
  { name: 'n1', cpu: 8 },
  { name: 'n2', cpu: 5 },
  { name: 'n3', cpu: 5 },
];

function drained(beside: Partial<ScenarioVm>, cluster: Partial<ScenarioCluster> = {}): VmVerdict | undefined {
  const vms = [moves, { ...other, ...beside }, ...(cluster.vms ?? [])];
  const fleet = fleetOf(clusterObjects({ nodes, ...cluster, vms }));
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
  const { status } = planDrain(fleet, question, { now: 0, external: 'capk-v0.1.10' });
  expect(status.vms.map(({ name }) => name)).toEqual(['moves']);
  return status.vms[0];
}

it('one that was marked before and moves anyway may take the room', () => {
  const full = { vms: [{ ...moves, name: 'stays', node: 'n2', cpu: 1 }] };
  expect(drained({ cpu: 1 }, full)?.message).toMatch(/ and live-migrates to another node$/);
  expect(drained({}, full)?.message).toMatch(/; should default\/other take the room before it, /);
  expect(drained({ marked: undefined }, full)?.message).toMatch(/ and live-migrates to another node$/);
  expect(drained({ marked: 'n3' }, full)?.message).toMatch(/ and live-migrates to another node$/);
});

it('one that was marked before and moves anyway leaves room', () => {
  const wide = { nodes: [nodes[0] ?? 'n1', nodes[1] ?? 'n2', { name: 'n3', cpu: 3 }] };
  expect(drained({ cpu: 3 }, wide)).toMatchObject({
    outcome: 'LiveMigrates',
    reason: 'WaitsForRoom',
    message: expect.stringMatching(/; it goes as soon as default\/other leaves room$/),
  });
  expect(drained({ cpu: 3, marked: undefined }, wide)).toMatchObject({ reason: 'NoRoom' });
});

it('one that has a migration from before takes room too, and holds its place', () => {
  const pending = { ...aMigration('move', 'other', 'default').phase('Pending').build() };
  const beside = (change: Partial<ScenarioVm>, kubevirt = {}) =>
    drained(
      { cpu: 4, marked: undefined, ...change },
      { kubevirt, objects: [pending], vms: [{ ...moves, name: 'stays', node: 'n2', cpu: 1 }] },
    );
  expect(beside({})?.message).toMatch(/; should default\/other take the room before it, /);
  const one = { migrations: { parallelMigrationsPerCluster: 1 } };
  const nowhere = { hotplugged: true, nodeSelector: { tier: 'none' } };
  expect(beside(nowhere, one)?.reason).toBe('PlacesHeld');
  expect(beside({ ...nowhere, hotplugged: false }, one)?.reason).toBe('Evacuates');
});

it('one that is being deleted leaves room, and asks for it again where its VM starts it', () => {
  const going = { ...other, marked: undefined, deleting: true, cpu: 3 };
  const wide = { nodes: [nodes[0] ?? 'n1', nodes[1] ?? 'n2'] };
  expect(drained({ ...going, runStrategy: 'Manual' }, wide)).toMatchObject({
    outcome: 'LiveMigrates',
    reason: 'WaitsForRoom',
    message: expect.stringMatching(/; it goes as soon as default\/other leaves room$/),
  });
  expect(drained(going, wide)?.reason).toBe('WaitsForRoom');
  expect(drained({ ...going, deleting: false }, wide)?.reason).toBe('NoRoom');
});

it('one whose Machine is replaced anyway leaves room, unless that is for who replaces it', () => {
  const owner = { kind: 'MachineSet', name: 'workers', controller: true };
  const objects: RawObject[] = [
    { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'other' } },
    {
      apiVersion: 'v1beta1',
      kind: 'Machine',
      metadata: { name: 'machine-other', labels: { group: 'workers' }, ownerReferences: [owner] },
      spec: { clusterName: 'tenant', infrastructureRef: { kind: 'KubevirtMachine', name: 'other' } },
      status: { phase: 'Running', nodeRef: { name: 'other' } },
    },
    {
      apiVersion: 'v1beta1',
      kind: 'MachineHealthCheck',
      metadata: { name: 'workers' },
      spec: { clusterName: 'tenant', maxUnhealthy: '100%', selector: { matchLabels: { group: 'workers' } } },
    },
  ];
  const alone = { nodes: nodes.slice(0, 2), objects };
  expect(drained({ migratable: 'No', marked: 'n1' }, alone)).toMatchObject({
    outcome: 'NeverCompletes',
    reason: 'WaitsForRoom',
    message: expect.stringMatching(
      /; it goes as soon as default\/other leaves room that no other VM takes before it$/,
    ),
  });
});

it('one that an upgrade leaves alone leaves room all the same, if it is marked', () => {
  const upgraded = (marked?: string) => {
    const vms = [moves, { ...other, cpu: 3, launcher: 'L2', marked }];
    const kubevirt = { methods: ['LiveMigrate'] };
    const wide = [nodes[0] ?? 'n1', nodes[1] ?? 'n2'];
    const fleet = fleetOf(clusterObjects({ kubevirt, nodes: wide, vms }));
    const { status } = planUpgrade(fleet, { launcherImage: 'L2' }, { now: 0 });
    return status.vms.map(({ name, outcome, reason }) => `${name} ${outcome} ${reason}`);
  };
  expect(upgraded('n2')).toEqual(['moves LiveMigrates WaitsForRoom', 'other Untouched UpToDate']);
  expect(upgraded()).toEqual(['moves NeverCompletes NoRoom', 'other Untouched UpToDate']);
});

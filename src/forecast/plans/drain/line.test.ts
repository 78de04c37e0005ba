import { expect, it } from 'vitest';
import { aMigration, aPod } from '../../../kubevirt/builders.ts';
import { clusterObjects, type RawObject } from '../../../scenario/cluster.ts';
import type { ScenarioVm } from '../../../scenario/schema.ts';
import { DRAIN_DEFAULTS } from '../../questions.ts';
import { fleetOf, poolBudget } from '../../test-clusters.ts';
import { planDrain } from '../drain.ts';

const later: ScenarioVm = { name: 'later', node: 'n2', strategy: 'None' };
const movable: Partial<ScenarioVm> = { migratable: true, strategy: 'LiveMigrate' };
const pending = aMigration('move', 'later', 'default').phase('Pending').build();

/** What comes of the VM of the second node, behind this one of the first. */
function behind(
  first: Partial<ScenarioVm>,
  change: Partial<ScenarioVm> = {},
  {
    objects = [],
    timeoutSeconds,
    nodes = ['n1', 'n2', 'n3'],
  }: {
    objects?: object[];
    timeoutSeconds?: number;
    nodes?: string[];
  } = {},
): string {
  const vms: ScenarioVm[] = [
    { name: 'first', node: 'n1', ...first },
    { ...later, ...change },
  ];
  const fleet = fleetOf(clusterObjects({ nodes, vms, objects: objects as RawObject[] }));
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1', 'n2'], timeoutSeconds };
  const { vms: told } = planDrain(fleet, question, { now: 0 }).status;
  const { outcome, reason, message } = told.find(({ name }) => name === 'later') ?? told[0] ?? never();
  return `${outcome} ${reason}: ${message}`;
}

function never(): never {
  throw new Error('no verdict');
}

const BLOCKS: Partial<ScenarioVm> = { migratable: 'No', strategy: 'LiveMigrate' };
const NOT_SURE = /; its turn comes once node n1 is empty, which is not sure$/;

it('a node whose VMs all go has the next one follow', () => {
  expect(behind({ strategy: 'None' })).toMatch(/^Restarts RunStrategyAlways: .* starts it again$/);
});

it('a node that is never done keeps the next one from its turn', () => {
  expect(behind(BLOCKS)).toMatch(/^Deferred EarlierNodeNotDone: /);
  expect(behind(BLOCKS, {}, { timeoutSeconds: 60 })).toMatch(/^Restarts RunStrategyAlways: /);
});

it('a pod that is no VM keeps the next node from its turn, too', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true };
  const web = aPod('web', 'default').on('n1').phase('Running').build();
  const pod = { ...web, metadata: { ...web.metadata, labels: { pool: 'web' }, ownerReferences: [owner] } };
  const guard = poolBudget({ minAvailable: 1 }, 'guard');
  expect(behind({ strategy: 'None' }, {}, { objects: [pod] })).toMatch(/^Restarts /);
  expect(behind({ strategy: 'None' }, {}, { objects: [pod, guard] })).toMatch(
    /^Deferred EarlierNodeNotDone: /,
  );
});

it('kubectl goes on after an error that is no refusal', () => {
  const labels = { pool: 'web' };
  const objects = ['one', 'two'].map((name) => poolBudget({ minAvailable: 0 }, name));
  expect(behind({ strategy: 'None', labels }, {}, { objects })).toMatch(/^Restarts RunStrategyAlways: /);
});

it('kubectl does not get past the attachment pods of a VM that stays', () => {
  const labels = { pool: 'web' };
  const objects = ['one', 'two'].map((name) => poolBudget({ minAvailable: 0 }, name));
  const plugged = { strategy: 'None', labels, hotplugged: true };
  expect(behind(plugged, {}, { objects })).toMatch(/^Deferred EarlierNodeNotDone: /);
  expect(behind(plugged, {}, {})).toMatch(/^Restarts RunStrategyAlways: /);
});

it('a node that is done only if somebody acts, or by chance, makes the next one unsure', () => {
  expect(behind({ strategy: 'External' })).toMatch(NOT_SURE);
  const objects = [poolBudget({ minAvailable: 1 }, 'guard')];
  const off: Partial<ScenarioVm> = { strategy: 'None', runStrategy: 'Manual', labels: { pool: 'web' } };
  expect(behind({ ...off, strategy: 'None' }, off, { objects })).toMatch(/^Blocks BudgetSpent: /);
});

it('a VM whose turn never comes moves all the same, for its mark or a migration from before', () => {
  expect(behind(BLOCKS, { ...movable, marked: 'n2' })).toMatch(/^LiveMigrates Evacuates: /);
  expect(behind(BLOCKS, movable, { objects: [pending] })).toMatch(/^LiveMigrates MigrationUnderWay: /);
});

it('a VM whose turn never comes is told what keeps its migration from before', () => {
  expect(behind(BLOCKS, movable, { objects: [pending], nodes: ['n1', 'n2'] })).toMatch(
    /^Deferred EarlierNodeNotDone: .*; meanwhile it has a migration under way and cannot migrate: no other node can take it/,
  );
});

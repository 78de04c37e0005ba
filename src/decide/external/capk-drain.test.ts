import { describe, expect, it } from 'vitest';
import { aWorker } from '../../kubevirt/cluster-api/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import { capkBackportTable } from './capk-backport.ts';
import type { CapkStep } from './capk-drain.ts';
import { capkMigrationTable } from './capk-migration.ts';
import { capkV0110Table } from './capk-v0-1-10.ts';
import {
  annotation,
  at,
  CORDONED,
  GRACE,
  gone,
  inputOf,
  LATER,
  mark,
  nothing,
  type Scene,
  SUBMITTED,
  VMI,
} from './test-capk-drain.ts';

describe('CAPK v0.1.10, as it is', () => {
  it.each<[string, string, Scene, CapkStep, Evidence[]]>([
    ['NotMarked', 'no VMI', { vmi: undefined }, nothing(), []],
    [
      'NotMarked',
      'a VMI without a mark',
      { vmi: aWorker().status({ evacuationNodeName: '' }).build(), marks: { [GRACE]: at(1) } },
      nothing(GRACE),
      [mark[0] as Evidence, { object: VMI, path: 'status.evacuationNodeName', value: '' }],
    ],
    ['NotMarked', 'a VMI on its way out', { vmi: aWorker().deleting().build() }, nothing(), mark],
    [
      'NotMarked',
      'another strategy',
      { vmi: aWorker().strategy('LiveMigrate').build() },
      nothing(),
      [{ object: VMI, path: 'spec.evictionStrategy', value: 'LiveMigrate' }, mark[1] as Evidence],
    ],
    [
      'GuestNodeMissing',
      'the defect: the guest has no node n1, so the VMI goes at once',
      { nodes: { w1: 'not-drained' } },
      gone(),
      mark,
    ],
    [
      'GuestNodeMissing',
      'the defect: also a VMI that could migrate',
      { vmi: aWorker('True').build() },
      gone(),
      mark,
    ],
    [
      'GuestNodeNotDrained',
      'a guest node of that name',
      { nodes: { n1: 'not-drained' } },
      { step: 'drain', node: 'n1', againSeconds: 1, removes: [], graceUntil: LATER },
      mark,
    ],
    [
      'GuestNodeNotDrained',
      'while the grace time runs',
      { nodes: { n1: 'not-drained' }, marks: { [GRACE]: at(0) } },
      { step: 'drain', node: 'n1', againSeconds: 1, removes: [] },
      mark,
    ],
    [
      'GuestNodeNotDrained',
      'a malformed grace time is written anew',
      { nodes: { n1: 'not-drained' }, marks: { [GRACE]: 'soon' } },
      { step: 'drain', node: 'n1', againSeconds: 1, removes: [], graceUntil: LATER },
      mark,
    ],
    [
      'GuestNodeDrained',
      'once it is drained',
      { nodes: { n1: 'drained' }, marks: { [GRACE]: at(5) } },
      gone(GRACE),
      mark,
    ],
    [
      'GraceOver',
      'once the grace time is over',
      { nodes: { n1: 'not-drained' }, marks: { [GRACE]: at(-1) } },
      gone(GRACE),
      [annotation(GRACE, at(-1))],
    ],
  ])('%s: %s', (reason, _name, scene, result, evidence) => {
    expect(decide(capkV0110Table, inputOf(scene))).toEqual({ reason, result, evidence });
  });
});

describe('CAPK v0.1.10, without its defects', () => {
  const intended = (scene: Scene) =>
    decide(capkV0110Table, inputOf({ ...scene, more: { behavior: 'intended' } }));
  it.each<[string, Scene, string, CapkStep['step']]>([
    [
      'looks the guest node up by the right name',
      { nodes: { w1: 'not-drained' } },
      'GuestNodeNotDrained',
      'drain',
    ],
    ['migrates a VMI that can', { vmi: aWorker('True').build() }, 'MigrationToBeCreated', 'create-migration'],
    [
      'gives the guest node back',
      { vmi: aWorker().status({ evacuationNodeName: '' }).build(), marks: { [CORDONED]: 'true' } },
      'NotMarked',
      'nothing',
    ],
  ])('%s', (_name, scene, reason, step) => {
    expect(intended(scene)).toMatchObject({ reason, result: { step } });
  });

  it('is what the backport does', () => {
    const scene: Scene = { nodes: { w1: 'not-drained' } };
    expect(intended(scene)).toEqual(decide(capkBackportTable, inputOf(scene)));
  });
});

describe('a try to migrate', () => {
  const state = (migrationState: NonNullable<NonNullable<Vmi['status']>['migrationState']>) =>
    aWorker('True').migrationState(migrationState).build();
  const told = (failed: unknown, completed: unknown): Evidence[] => [
    { object: VMI, path: 'status.migrationState.failed', value: failed },
    { object: VMI, path: 'status.migrationState.completed', value: completed },
  ];
  it.each<[string, string, Scene, string, Evidence[]]>([
    [
      'Migrated',
      'elsewhere',
      { vmi: aWorker('True').status({ nodeName: 'n2' }).build() },
      'migrated',
      [
        { object: VMI, path: 'status.nodeName', value: 'n2' },
        { object: VMI, path: 'status.evacuationNodeName', value: 'n1' },
      ],
    ],
    [
      'MigrationFailed',
      'the defect: any failure of the past',
      { vmi: state({ failed: true, completed: true, endTimestamp: '2025-01-01T00:00:00Z' }) },
      'give-up',
      told(true, true),
    ],
    [
      'MigrationTooSlow',
      'under way for too long',
      { vmi: state({}), marks: { [GRACE]: at(-1) } },
      'give-up',
      [...told(undefined, undefined), annotation(GRACE, at(-1))],
    ],
    [
      'MigrationUnderWay',
      'under way',
      { vmi: state({ completed: false }), marks: { [GRACE]: at(0) } },
      'wait',
      told(undefined, false),
    ],
    [
      'MigrationSubmitted',
      'created',
      { marks: { [SUBMITTED]: at(1) } },
      'wait',
      [annotation(SUBMITTED, at(1))],
    ],
    [
      'MigrationSubmitted',
      'created, after an earlier one that succeeded',
      { vmi: state({ completed: true }), marks: { [SUBMITTED]: at(1) } },
      'wait',
      [annotation(SUBMITTED, at(1))],
    ],
    [
      'MigrationNeverBegan',
      'created too long ago',
      { marks: { [SUBMITTED]: at(0) } },
      'give-up',
      [annotation(SUBMITTED, at(0))],
    ],
    [
      'MigrationNeverBegan',
      'a marker that cannot be read',
      { marks: { [SUBMITTED]: 'true' } },
      'give-up',
      [annotation(SUBMITTED, 'true')],
    ],
    [
      'MigrationRefused',
      'refused',
      { more: { acceptsMigration: false } },
      'give-up',
      [annotation(SUBMITTED, undefined)],
    ],
    [
      'MigrationToBeCreated',
      'not created yet',
      { more: { acceptsMigration: true } },
      'create',
      [annotation(SUBMITTED, undefined)],
    ],
    ['MigrationToBeCreated', 'not asked yet', {}, 'create', [annotation(SUBMITTED, undefined)]],
  ])('%s: %s', (reason, _name, scene, result, evidence) => {
    const { vmi = aWorker('True').build() } = scene;
    expect(decide(capkMigrationTable, { ...inputOf(scene), vmi })).toEqual({
      reason,
      result,
      evidence,
    });
  });

  it('takes a VMI without status as one that is where it was and never moved', () => {
    const bare = { metadata: { name: 'w1', namespace: 'shop' } };
    expect(decide(capkMigrationTable, { ...inputOf({}), vmi: bare }).reason).toBe('MigrationToBeCreated');
  });
});

describe('the tables', () => {
  it('read nothing of a VMI that is not there', () => {
    const input = inputOf({ vmi: undefined });
    const read = [...capkV0110Table, ...capkBackportTable].flatMap(({ reads }) => reads(input));
    expect(new Set(read.map(({ object }) => object))).toEqual(new Set(['KubevirtMachine shop/w1']));
  });
});

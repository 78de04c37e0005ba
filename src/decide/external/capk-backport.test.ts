import { describe, expect, it } from 'vitest';
import { aWorker } from '../../kubevirt/cluster-api/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import { capkBackportTable } from './capk-backport.ts';
import type { CapkStep } from './capk-drain.ts';
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

const migratable = (value: string): Evidence => ({
  object: VMI,
  path: 'status.conditions[type=LiveMigratable]',
  value,
});

describe('CAPK with the backport', () => {
  const back = aWorker().status({ evacuationNodeName: '' }).build();
  const moved = aWorker('True').status({ nodeName: 'n2' });
  const state = (migrationState: NonNullable<NonNullable<Vmi['status']>['migrationState']>) =>
    aWorker('True').migrationState(migrationState).build();
  it.each<[string, string, Scene, CapkStep]>([
    [
      'NotMarked',
      'no VMI',
      { vmi: undefined, marks: { [CORDONED]: 'true', [GRACE]: 'x', [SUBMITTED]: 'y' } },
      { step: 'nothing', uncordons: undefined, removes: [SUBMITTED, GRACE] },
    ],
    [
      'NotMarked',
      'the VMI is back',
      { vmi: back, marks: { [CORDONED]: 'true', [SUBMITTED]: 'draining' } },
      { step: 'nothing', uncordons: 'w1', removes: [SUBMITTED, CORDONED] },
    ],
    [
      'NotMarked',
      'the guest node was never cordoned',
      { vmi: back },
      { step: 'nothing', uncordons: undefined, removes: [] },
    ],
    [
      'NotMarked',
      'the annotation says something else',
      { vmi: back, marks: { [CORDONED]: 'false' } },
      { step: 'nothing', uncordons: undefined, removes: [] },
    ],
    [
      'NotMarked',
      'the VMI is on its way out',
      { vmi: aWorker().deleting().build(), marks: { [CORDONED]: 'true' } },
      { step: 'nothing', uncordons: undefined, removes: [] },
    ],
    [
      'Migrated',
      'the VMI has moved',
      { vmi: moved.build(), marks: { [GRACE]: at(1), [SUBMITTED]: at(1) } },
      nothing(SUBMITTED, GRACE),
    ],
    [
      'Migrated',
      'the VMI has moved after CAPK gave up',
      { vmi: moved.build(), marks: { [SUBMITTED]: 'draining' } },
      nothing(SUBMITTED),
    ],
    [
      'MigrationToBeCreated',
      'a VMI that can migrate',
      { vmi: aWorker('True').build() },
      { step: 'create-migration', againSeconds: 10, submittedUntil: LATER, removes: [] },
    ],
    [
      'MigrationAwaited',
      'a migration that was created',
      { vmi: aWorker('True').build(), marks: { [SUBMITTED]: at(1) } },
      { step: 'wait-for-migration', againSeconds: 10, removes: [] },
    ],
    [
      'MigrationAwaited',
      'a migration that runs: the grace time begins',
      { vmi: state({}) },
      { step: 'wait-for-migration', againSeconds: 10, removes: [], graceUntil: LATER },
    ],
    [
      'MigrationAwaited',
      'a migration that runs within its grace time',
      { vmi: state({}), marks: { [GRACE]: at(1) } },
      { step: 'wait-for-migration', againSeconds: 10, removes: [] },
    ],
    [
      'GuestNodeNotDrained',
      'giving up: marked, and with a fresh grace time',
      {
        vmi: state({ failed: true, completed: true }),
        marks: { [GRACE]: at(-5) },
        nodes: { w1: 'not-drained' },
      },
      { step: 'drain', node: 'w1', againSeconds: 1, removes: [], draining: true, graceUntil: LATER },
    ],
    [
      'GuestNodeDrained',
      'giving up, and no guest node',
      { vmi: state({ failed: true }), marks: { [GRACE]: at(-5) } },
      { ...gone(GRACE), draining: true },
    ],
    [
      'GuestNodeNotDrained',
      'given up: the grace time runs on',
      {
        vmi: aWorker('True').build(),
        marks: { [SUBMITTED]: 'draining', [GRACE]: at(9) },
        nodes: { w1: 'not-drained' },
      },
      { step: 'drain', node: 'w1', againSeconds: 1, removes: [] },
    ],
    [
      'GraceOver',
      'given up, and the grace time is over',
      {
        vmi: aWorker('True').build(),
        marks: { [SUBMITTED]: 'draining', [GRACE]: at(-1) },
        nodes: { w1: 'not-drained' },
      },
      gone(GRACE),
    ],
    [
      'GuestNodeNotDrained',
      'a VMI that cannot migrate',
      { nodes: { w1: 'not-drained' } },
      { step: 'drain', node: 'w1', againSeconds: 1, removes: [], graceUntil: LATER },
    ],
    [
      'GuestNodeDrained',
      'once the guest node is drained',
      { nodes: { w1: 'drained' }, marks: { [GRACE]: at(1) } },
      gone(GRACE),
    ],
    ['GuestNodeDrained', 'no guest node', {}, gone()],
    [
      'GraceOver',
      'once the grace time is over',
      { nodes: { w1: 'not-drained' }, marks: { [GRACE]: at(-1) } },
      gone(GRACE),
    ],
  ])('%s: %s', (reason, _name, scene, result) => {
    const decided = decide(capkBackportTable, inputOf(scene));
    expect([decided.reason, decided.result]).toEqual([reason, result]);
  });

  it.each<[string, Scene, Evidence[]]>([
    [
      'the mark',
      { vmi: back },
      [mark[0] as Evidence, { object: VMI, path: 'status.evacuationNodeName', value: '' }],
    ],
    [
      'what the try rests on',
      { vmi: aWorker('True').build(), marks: { [SUBMITTED]: at(1) } },
      [migratable('True'), annotation(SUBMITTED, at(1))],
    ],
    ['the condition alone, where nothing is tried', { nodes: { w1: 'drained' } }, [migratable('False')]],
    [
      'the grace time',
      { nodes: { w1: 'not-drained' }, marks: { [GRACE]: at(-1) } },
      [annotation(GRACE, at(-1))],
    ],
  ])('rests on %s', (_name, scene, evidence) => {
    expect(decide(capkBackportTable, inputOf(scene)).evidence).toEqual(evidence);
  });
});

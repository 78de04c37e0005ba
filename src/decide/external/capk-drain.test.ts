import { describe, expect, it } from 'vitest';
import { aKubevirtMachine, aWorker, NOW } from '../../kubevirt/cluster-api/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { decide, type Evidence } from '../rules.ts';
import { capkBackportTable } from './capk-backport.ts';
import type { CapkInput, CapkStep } from './capk-drain.ts';
import { capkMigrationTable } from './capk-migration.ts';
import { capkV0110Table } from './capk-v0-1-10.ts';

const GRACE = 'capk.cluster.x-k8s.io/vmi-deletion-grace-time';
const SUBMITTED = 'capk.cluster.x-k8s.io/migration-submitted';
const CORDONED = 'capk.cluster.x-k8s.io/node-cordoned';
const LATER = NOW + 600_000;
const at = (offsetSeconds: number) => formatInstant(NOW + offsetSeconds * 1000);

interface Scene {
  readonly vmi?: Vmi | undefined;
  readonly marks?: Record<string, string>;
  /** What draining comes to, by the name of the node. */
  readonly nodes?: Record<string, 'drained' | 'not-drained'>;
  readonly more?: Partial<CapkInput>;
}

const inputOf = (scene: Scene): CapkInput => ({
  machine: aKubevirtMachine(scene.marks),
  vmi: 'vmi' in scene ? scene.vmi : aWorker('False').build(),
  now: NOW,
  drainOf: (node) => scene.nodes?.[node] ?? 'missing',
  behavior: 'exact',
  ...scene.more,
});

const nothing = (...removes: string[]): CapkStep => ({ step: 'nothing', removes });
const gone = (...removes: string[]): CapkStep => ({ step: 'delete-vmi', againSeconds: 10, removes });
const VMI = 'VirtualMachineInstance shop/w1';
const mark: Evidence[] = [
  { object: VMI, path: 'spec.evictionStrategy', value: 'External' },
  { object: VMI, path: 'status.evacuationNodeName', value: 'n1' },
];
const annotation = (name: string, value: string | undefined): Evidence => ({
  object: 'KubevirtMachine shop/w1',
  path: `metadata.annotations[${name}]`,
  value,
});
const migratable = (value: string): Evidence => ({
  object: VMI,
  path: 'status.conditions[type=LiveMigratable]',
  value,
});

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

  it('ask and cite', () => {
    for (const { asks, source } of [...capkV0110Table, ...capkBackportTable, ...capkMigrationTable]) {
      expect(asks.length).toBeGreaterThan(8);
      expect(source).toMatch(/^(cluster-api-provider-kubevirt v0\.1\.10 pkg|cozystack 0001-backport)/);
    }
  });
});

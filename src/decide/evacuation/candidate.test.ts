import { describe, expect, it } from 'vitest';
import { aMigration, aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { decide, traceOf } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { type EvacuationInput, evacuationTable, hasDrainTaint } from './candidate.ts';

const now = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const plainNode = aNode('n1').build();
const taintedNode = aNode('n1').tainted('kubevirt.io/drain').build();
const settings = resolveSettings(undefined);
const movable = () => aVmi().on('n1').strategy('LiveMigrate').migratable();

const ask = (vmi: ReturnType<typeof movable>, change: Partial<EvacuationInput> = {}): EvacuationInput => ({
  vmi: vmi.build(),
  node: plainNode,
  pods: [aPod('source').build()],
  unfinishedMigrations: [],
  settings,
  now,
  ...change,
});
const tainted = { node: taintedNode };
const migratingState = { startTimestamp: '2026-03-01T11:59:00Z' };

describe('does a VMI leave its node', () => {
  it.each([
    ['on another node, marked', ask(aVmi().on('n2').marked()), 'OnAnotherNode', 'Leave'],
    ['on no node yet', ask(aVmi()), 'OnAnotherNode', 'Leave'],
    ['not marked', ask(movable()), 'NotMarked', 'Leave'],
    ['an empty mark', ask(movable().marked('')), 'NotMarked', 'Leave'],
    [
      'marked for a node that it has left (C12)',
      ask(movable().marked('n2')),
      'MarkedForAnotherNode',
      'Leave',
    ],
    ['marked and migrating', ask(movable().marked().migrationState(migratingState)), 'Migrating', 'Wait'],
    [
      'marked, its migration just ended',
      ask(
        movable()
          .marked()
          .migrationState({ ...migratingState, endTimestamp: '2026-03-01T12:00:00Z' }),
      ),
      'Evacuate',
      'CreateMigration',
    ],
    ['Succeeded', ask(movable().marked().phase('Succeeded')), 'Ending', 'Leave'],
    ['Failed', ask(movable().marked().phase('Failed')), 'Ending', 'Leave'],
    ['being deleted', ask(movable().marked().deleting()), 'Ending', 'Leave'],
    [
      'External',
      ask(aVmi().on('n1').marked().strategy('External').migratable()),
      'StrategyDoesNotMigrate',
      'Leave',
    ],
    ['no strategy anywhere', ask(aVmi().on('n1').marked().migratable()), 'StrategyDoesNotMigrate', 'Leave'],
    [
      'IfPossible that cannot',
      ask(aVmi().on('n1').marked().strategy('LiveMigrateIfPossible').migratable('False')),
      'StrategyDoesNotMigrate',
      'Leave',
    ],
    [
      'IfPossible that can',
      ask(aVmi().on('n1').marked().strategy('LiveMigrateIfPossible').migratable()),
      'Evacuate',
      'CreateMigration',
    ],
    [
      'LiveMigrate that cannot',
      ask(aVmi().on('n1').marked().strategy('LiveMigrate').migratable('False')),
      'NotLiveMigratable',
      'CannotMigrate',
    ],
    [
      'LiveMigrate, condition absent',
      ask(aVmi().on('n1').marked().strategy('LiveMigrate')),
      'NotLiveMigratable',
      'CannotMigrate',
    ],
    [
      'LiveMigrate, the first of two conditions False',
      ask(aVmi().on('n1').marked().strategy('LiveMigrate').migratable('False').migratable('True')),
      'NotLiveMigratable',
      'CannotMigrate',
    ],
    [
      'a migration pending',
      ask(movable().marked(), { unfinishedMigrations: [aMigration().build()] }),
      'MigrationUnfinished',
      'Wait',
    ],
    [
      'two pods',
      ask(movable().marked(), { pods: [aPod('a').build(), aPod('b').phase('Pending').build()] }),
      'PodsLeftOver',
      'Wait',
    ],
    [
      'a second pod that has ended',
      ask(movable().marked(), { pods: [aPod('a').build(), aPod('b').phase('Failed').build()] }),
      'Evacuate',
      'CreateMigration',
    ],
    ['no pod at all', ask(movable().marked(), { pods: [] }), 'Evacuate', 'CreateMigration'],
    ['not yet Running', ask(movable().marked().phase('Scheduled')), 'Evacuate', 'CreateMigration'],
    ['tainted node, no mark', ask(movable(), tainted), 'Evacuate', 'CreateMigration'],
    [
      'tainted node, marked for another node',
      ask(movable().marked('n2'), tainted),
      'Evacuate',
      'CreateMigration',
    ],
    [
      'tainted node, migrating',
      ask(movable().migrationState(migratingState), tainted),
      'Evacuate',
      'CreateMigration',
    ],
    [
      'tainted node, VMI elsewhere',
      ask(aVmi().on('n2').strategy('LiveMigrate'), tainted),
      'OnAnotherNode',
      'Leave',
    ],
  ])('%s: %s', (_, input, reason, action) => {
    expect(decide(evacuationTable, input)).toMatchObject({ reason, result: { action } });
  });

  it("falls back on the cluster's strategy", () => {
    const cluster = { ...settings, evictionStrategy: 'LiveMigrate' };
    const vmi = aVmi().on('n1').marked().migratable();
    expect(decide(evacuationTable, ask(vmi, { settings: cluster })).reason).toBe('Evacuate');
  });

  it('creates the migration that is meant', () => {
    expect(decide(evacuationTable, ask(movable().marked())).result).toEqual({
      action: 'CreateMigration',
      migration: {
        generateName: 'kubevirt-evacuation-',
        namespace: 'shop',
        annotations: { 'kubevirt.io/evacuationMigration': 'n1' },
        spec: { vmiName: 'db', priority: 'system-critical' },
      },
    });
  });
});

describe('the drain taint', () => {
  const withKey = { ...settings, migrations: { ...settings.migrations, nodeDrainTaintKey: 'mine' } };

  it.each([
    ['none', aNode(), settings, false],
    ['the default key', aNode().tainted('kubevirt.io/drain'), settings, true],
    ['with a value', aNode().tainted('kubevirt.io/drain', 'NoSchedule', 'x'), settings, true],
    ['effect NoExecute', aNode().tainted('kubevirt.io/drain', 'NoExecute'), settings, false],
    ['effect PreferNoSchedule', aNode().tainted('kubevirt.io/drain', 'PreferNoSchedule'), settings, false],
    ['another key', aNode().tainted('node.kubernetes.io/unschedulable'), settings, false],
    ['second of two', aNode().tainted('other').tainted('kubevirt.io/drain'), settings, true],
    ["the cluster's own key", aNode().tainted('mine'), withKey, true],
    ['the default key where the cluster has its own', aNode().tainted('kubevirt.io/drain'), withKey, false],
  ])('%s: %s', (_, node, given, expected) => {
    expect(hasDrainTaint(node.build(), given)).toBe(expected);
  });

  it('a node without a spec has none', () => {
    expect(hasDrainTaint({ metadata: { name: 'n1' } }, settings)).toBe(false);
  });
});

describe('evidence', () => {
  const VMI = 'VirtualMachineInstance shop/db';
  const evidenceOf = (input: EvacuationInput) =>
    Object.fromEntries(traceOf(evacuationTable, input).map((step) => [step.rule, step.evidence]));

  it('shows what each rule looked at', () => {
    const input = ask(movable().marked(), {
      unfinishedMigrations: [],
      pods: [aPod('a').build()],
    });
    const mark = [
      { object: VMI, path: 'status.evacuationNodeName', value: 'n1' },
      { object: 'Node n1', path: 'spec.taints', value: undefined },
    ];
    const strategy = { object: VMI, path: 'spec.evictionStrategy', value: 'LiveMigrate' };
    expect(evidenceOf(input)).toEqual({
      OnAnotherNode: [{ object: VMI, path: 'status.nodeName', value: 'n1' }],
      NotMarked: mark,
      MarkedForAnotherNode: [...mark, { object: VMI, path: 'status.nodeName', value: 'n1' }],
      Migrating: [
        { object: VMI, path: 'status.migrationState.startTimestamp', value: undefined },
        { object: VMI, path: 'status.migrationState.endTimestamp', value: undefined },
      ],
      Ending: [
        { object: VMI, path: 'status.phase', value: 'Running' },
        { object: VMI, path: 'metadata.deletionTimestamp', value: undefined },
      ],
      StrategyDoesNotMigrate: [strategy],
      NotLiveMigratable: [
        strategy,
        { object: VMI, path: 'status.conditions[type=LiveMigratable]', value: 'True' },
      ],
      MigrationUnfinished: [],
      PodsLeftOver: [{ object: 'Pod shop/a', path: 'status.phase', value: 'Running' }],
      Evacuate: [...mark, strategy],
    });
  });

  it('names the condition where LiveMigrateIfPossible depends on it', () => {
    const vmi = aVmi().on('n1').marked().strategy('LiveMigrateIfPossible').migratable('False', 'Gpu', 'no');
    expect(decide(evacuationTable, ask(vmi)).evidence).toEqual([
      { object: VMI, path: 'spec.evictionStrategy', value: 'LiveMigrateIfPossible' },
      { object: VMI, path: 'status.conditions[type=LiveMigratable]', value: 'False: Gpu: no' },
    ]);
  });

  it('names the unfinished migrations', () => {
    const input = ask(movable().marked(), {
      unfinishedMigrations: [aMigration('m').phase('Pending').build()],
    });
    expect(decide(evacuationTable, input).evidence).toEqual([
      { object: 'VirtualMachineInstanceMigration shop/m', path: 'status.phase', value: 'Pending' },
    ]);
  });
});

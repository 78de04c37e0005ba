import { describe, expect, it } from 'vitest';
import { aVmi } from '../kubevirt/builders.ts';
import { NON_EVICTABLE_METRIC, nonEvictableLabels, nonEvictableTable } from './non-evictable.ts';
import { decide } from './rules.ts';

const settings = { evictionStrategy: 'None' };

describe('kubevirt_vmi_non_evictable', () => {
  it.each([
    ['LiveMigrate, True', aVmi().strategy('LiveMigrate').migratable(), 0, 'Evictable'],
    ['LiveMigrate, False', aVmi().strategy('LiveMigrate').migratable('False'), 1, 'NotLiveMigratable'],
    ['LiveMigrate, absent', aVmi().strategy('LiveMigrate'), 1, 'NotLiveMigratable'],
    ['LiveMigrate, Unknown', aVmi().strategy('LiveMigrate').migratable('Unknown'), 0, 'Evictable'],
    ['IfPossible, True', aVmi().strategy('LiveMigrateIfPossible').migratable(), 0, 'Evictable'],
    [
      'IfPossible, False',
      aVmi().strategy('LiveMigrateIfPossible').migratable('False'),
      0,
      'StrategyDoesNotMigrate',
    ],
    ['External, False', aVmi().strategy('External').migratable('False'), 0, 'StrategyDoesNotMigrate'],
    ['None, False', aVmi().strategy('None').migratable('False'), 0, 'StrategyDoesNotMigrate'],
    ['unset, False', aVmi().migratable('False'), 0, 'StrategyDoesNotMigrate'],
    [
      'LiveMigrate, the first of two conditions False',
      aVmi().strategy('LiveMigrate').migratable('False').migratable('True'),
      1,
      'NotLiveMigratable',
    ],
    [
      'LiveMigrate, the first of two conditions True',
      aVmi().strategy('LiveMigrate').migratable('True').migratable('False'),
      0,
      'Evictable',
    ],
  ])('%s', (_, builder, value, reason) => {
    const decision = decide(nonEvictableTable, { vmi: builder.build(), settings });
    expect(decision).toMatchObject({ result: value, reason });
  });

  it("takes the cluster's strategy where the VMI has none", () => {
    const vmi = aVmi().migratable('False').build();
    expect(decide(nonEvictableTable, { vmi, settings: { evictionStrategy: 'LiveMigrate' } }).result).toBe(1);
  });

  it('shows the strategy and the condition', () => {
    const vmi = aVmi().strategy('LiveMigrate').migratable('False', 'DisksNotLiveMigratable').build();
    expect(decide(nonEvictableTable, { vmi, settings }).evidence).toEqual([
      { object: 'VirtualMachineInstance shop/db', path: 'spec.evictionStrategy', value: 'LiveMigrate' },
      {
        object: 'VirtualMachineInstance shop/db',
        path: 'status.conditions[type=LiveMigratable]',
        value: 'False: DisksNotLiveMigratable',
      },
    ]);
  });

  it('has one series a VMI, labelled by node, namespace and name', () => {
    expect(NON_EVICTABLE_METRIC).toBe('kubevirt_vmi_non_evictable');
    expect(nonEvictableLabels(aVmi().on('n1').build())).toEqual(['n1', 'shop', 'db']);
    expect(nonEvictableLabels({ metadata: { name: 'db' } })).toEqual(['', '', 'db']);
  });
});

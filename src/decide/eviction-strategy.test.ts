import { describe, expect, it } from 'vitest';
import { aVmi } from '../kubevirt/builders.ts';
import {
  effectiveStrategy,
  isMigratableOnEviction,
  strategyEvidence,
  strategyStampTable,
  strategyValidationTable,
} from './eviction-strategy.ts';
import { type Behavior, decide } from './rules.ts';

const CLUSTER = { evictionStrategy: 'LiveMigrateIfPossible' };
const OWN = { object: 'VirtualMachineInstance shop/db', path: 'spec.evictionStrategy' };
const CLUSTERS = { object: 'KubeVirt', path: 'spec.configuration.evictionStrategy' };

describe('effectiveStrategy', () => {
  it.each([
    ["its own before the cluster's", aVmi().strategy('None').build(), 'None'],
    ["the cluster's where it has none", aVmi().build(), 'LiveMigrateIfPossible'],
    ['an empty one is its own', aVmi().strategy('').build(), ''],
    ['an unknown one too', aVmi().strategy('Bogus').build(), 'Bogus'],
    ["the cluster's without a VMI", undefined, 'LiveMigrateIfPossible'],
  ])('%s', (_name, vmi, expected) => {
    expect(effectiveStrategy(vmi, CLUSTER)).toBe(expected);
  });

  it('tells where it stands', () => {
    expect(strategyEvidence(aVmi().strategy('').build(), CLUSTER)).toEqual([{ ...OWN, value: '' }]);
    expect(strategyEvidence(aVmi().build(), CLUSTER)).toEqual([
      { ...OWN, value: undefined },
      { ...CLUSTERS, value: 'LiveMigrateIfPossible' },
    ]);
  });
});

describe('isMigratableOnEviction', () => {
  it.each([
    ['LiveMigrate', ['True'], true],
    ['LiveMigrate', ['False'], true],
    ['LiveMigrate', [], true],
    ['LiveMigrateIfPossible', ['True'], true],
    ['LiveMigrateIfPossible', ['False'], false],
    ['LiveMigrateIfPossible', ['Unknown'], false],
    ['LiveMigrateIfPossible', [], false],
    ['LiveMigrateIfPossible', ['True', 'False'], true],
    ['LiveMigrateIfPossible', ['False', 'True'], true],
    ['External', ['True'], false],
    ['None', ['True'], false],
    ['Bogus', ['True'], false],
    ['', ['True'], false],
  ])('%s with LiveMigratable %j: %s', (strategy, conditions, expected) => {
    const vmi = conditions.reduce((b, status) => b.migratable(status), aVmi().strategy(strategy)).build();
    expect(isMigratableOnEviction(vmi, { evictionStrategy: 'None' })).toBe(expected);
  });

  it('falls back on the cluster', () => {
    expect(isMigratableOnEviction(aVmi().build(), { evictionStrategy: 'LiveMigrate' })).toBe(true);
    expect(isMigratableOnEviction(aVmi().build(), { evictionStrategy: 'None' })).toBe(false);
  });
});

describe('what a new VMI is stamped with', () => {
  it.each([
    ['its own', aVmi().strategy('External').build(), 'External', 'OwnStrategyKept'],
    ['its own, though empty', aVmi().strategy('').build(), '', 'OwnStrategyKept'],
    ["the cluster's", aVmi().build(), 'LiveMigrateIfPossible', 'ClusterStrategyStamped'],
  ])('%s', (_name, vmi, result, reason) => {
    expect(decide(strategyStampTable, { vmi, settings: CLUSTER })).toEqual({
      result,
      reason,
      evidence: strategyEvidence(vmi, CLUSTER),
    });
  });

  it("a VMI without spec gets the cluster's", () => {
    const vmi = { metadata: { name: 'db' } };
    expect(decide(strategyStampTable, { vmi, settings: CLUSTER }).result).toBe('LiveMigrateIfPossible');
  });
});

describe('validation', () => {
  const validate = (
    strategy: string | undefined,
    evictionStrategy: string,
    behavior: Behavior = 'exact',
    path = 'spec',
  ) =>
    decide(strategyValidationTable, {
      object: aVmi().build(),
      path,
      strategy,
      settings: { evictionStrategy },
      behavior,
    });

  const refused = (value: string, path = 'spec') => ({
    causes: [
      {
        reason: 'FieldValueInvalid',
        message: `${path}.evictionStrategy is set with an unrecognized option: ${value}`,
        field: `${path}.evictionStrategy`,
      },
    ],
  });

  it.each(['None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External'])('knows %s', (strategy) => {
    expect(validate(strategy, 'Bogus')).toMatchObject({ reason: 'KnownStrategy', result: { causes: [] } });
    expect(validate(undefined, strategy)).toMatchObject({ reason: 'KnownStrategy', result: { causes: [] } });
  });

  it.each(['Bogus', 'livemigrate', ''])('refuses "%s" as its own strategy', (strategy) => {
    expect(validate(strategy, 'None')).toEqual({
      result: refused(strategy),
      reason: 'UnknownStrategy',
      evidence: [{ ...OWN, value: strategy }],
    });
  });

  it('names the field of a VM template', () => {
    const { result } = validate('Bogus', 'None', 'exact', 'spec.template.spec');
    expect(result).toEqual(refused('Bogus', 'spec.template.spec'));
  });

  it.each(['Bogus', ''])(
    'U4: the cluster\'s "%s" crashes KubeVirt where the object names none',
    (cluster) => {
      expect(validate(undefined, cluster, 'exact')).toEqual({
        result: { panic: 'runtime error: invalid memory address or nil pointer dereference' },
        reason: 'ClusterStrategyUnknownPanics',
        evidence: [
          { ...OWN, value: undefined },
          { ...CLUSTERS, value: cluster },
        ],
      });
      expect(validate(undefined, cluster, 'intended')).toMatchObject({
        result: refused(cluster),
        reason: 'UnknownStrategy',
      });
    },
  );
});

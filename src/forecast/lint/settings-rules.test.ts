import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import { aFleet, findingsOf, objectsFound } from './builders.ts';
import {
  batchOutOfRange,
  severalKubeVirts,
  unknownEvictionStrategy,
  unknownUpdateMethod,
} from './settings-rules.ts';

const CR = 'KubeVirt kubevirt/kubevirt';
const PATCH = 'kubectl patch kubevirt -n kubevirt kubevirt --type merge -p';

describe('UnknownEvictionStrategy', () => {
  const withStrategy = (evictionStrategy?: string) =>
    aFleet(aKubeVirt().spec({ configuration: { evictionStrategy } }).build());

  it.each(['None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External', undefined])(
    'accepts %s',
    (strategy) => {
      expect(objectsFound(unknownEvictionStrategy, withStrategy(strategy))).toEqual([]);
    },
  );

  it('finds a word in the wrong case and offers the right one', () => {
    expect(findingsOf(unknownEvictionStrategy, withStrategy('liveMigrate '))).toEqual([
      {
        code: 'DRV001',
        name: 'UnknownEvictionStrategy',
        severity: 'error',
        title: "the cluster's eviction strategy is a word that KubeVirt does not know",
        objects: [CR],
        cause:
          'spec.configuration.evictionStrategy is "liveMigrate ", but KubeVirt knows only None, LiveMigrate, ' +
          'LiveMigrateIfPossible and External. VMs and VMIs without a strategy of their own are refused at creation, ' +
          'and running ones are evicted as with None.',
        cure: `Write one of the known words: \`${PATCH} '{"spec":{"configuration":{"evictionStrategy":"LiveMigrate"}}}'\``,
        evidence: [{ object: CR, path: 'spec.configuration.evictionStrategy', value: 'liveMigrate ' }],
      },
    ]);
  });

  it('offers the mild strategy for a word that resembles none', () => {
    const [finding] = findingsOf(unknownEvictionStrategy, withStrategy('Migrate'));
    expect(finding?.cure).toContain('"evictionStrategy":"LiveMigrateIfPossible"');
  });
});

describe('UnknownUpdateMethod', () => {
  const withMethods = (...methods: string[]) =>
    aFleet(
      aKubeVirt()
        .methods(...methods)
        .build(),
    );

  it.each([[['LiveMigrate', 'Evict']], [['Evict']], [[]]])('accepts %j', (methods) => {
    expect(objectsFound(unknownUpdateMethod, withMethods(...methods))).toEqual([]);
  });

  it('says what is left in effect', () => {
    const [finding] = findingsOf(unknownUpdateMethod, withMethods('Evict', 'livemigrate', 'Restart'));
    expect(finding?.objects).toEqual([CR]);
    expect(finding?.cause).toBe(
      'workloadUpdateMethods lists "livemigrate" and "Restart", which nothing reads; only Evict is in effect.',
    );
    expect(finding?.cure).toBe(
      `List only LiveMigrate and Evict: \`${PATCH} '{"spec":{"workloadUpdateStrategy":{"workloadUpdateMethods":["Evict","LiveMigrate"]}}}'\``,
    );
    expect(finding?.evidence).toEqual([
      {
        object: CR,
        path: 'spec.workloadUpdateStrategy.workloadUpdateMethods',
        value: ['Evict', 'livemigrate', 'Restart'],
      },
    ]);
  });

  it('says that nothing is left', () => {
    const [finding] = findingsOf(unknownUpdateMethod, withMethods('live-migrate'));
    expect(finding?.cause).toBe(
      'workloadUpdateMethods lists "live-migrate", which nothing reads; no method is in effect, so nothing is ever updated.',
    );
  });
});

describe('BatchOutOfRange', () => {
  const withBatch = (methods: string[], batchEvictionSize?: number, batchEvictionInterval?: string) =>
    aFleet(
      aKubeVirt()
        .spec({
          workloadUpdateStrategy: {
            workloadUpdateMethods: methods,
            batchEvictionSize,
            batchEvictionInterval,
          },
        })
        .build(),
    );

  it.each([
    ['one at a time', withBatch(['Evict'], 1, '1ms')],
    ['the defaults', withBatch(['Evict'])],
    ['a size of zero that no method uses', withBatch(['LiveMigrate'], 0, '0s')],
  ])('accepts %s', (_, fleet) => {
    expect(objectsFound(batchOutOfRange, fleet)).toEqual([]);
  });

  it.each([0, -1])('finds a size of %i', (size) => {
    expect(findingsOf(batchOutOfRange, withBatch(['Evict'], size))).toMatchObject([
      {
        objects: [CR],
        cause: `batchEvictionSize is ${size}: no VMI is ever picked for eviction, although the methods list Evict.`,
        cure: `Take a size of one or more (10 where none is set): \`${PATCH} '{"spec":{"workloadUpdateStrategy":{"batchEvictionSize":10}}}'\``,
        evidence: [{ object: CR, path: 'spec.workloadUpdateStrategy.batchEvictionSize', value: size }],
      },
    ]);
  });

  it.each([
    ['0s', 'batchEvictionInterval is 0s: batches of 3 VMIs are evicted without a pause between them.'],
    ['-1m', 'batchEvictionInterval is -1m: batches of 3 VMIs are evicted without a pause between them.'],
    [
      'soon',
      'batchEvictionInterval is "soon", which is not a duration: KubeVirt\'s webhook refuses this CR.',
    ],
  ])('finds an interval of %s', (interval, cause) => {
    expect(findingsOf(batchOutOfRange, withBatch(['LiveMigrate', 'Evict'], 3, interval))).toMatchObject([
      {
        objects: [CR],
        cause,
        cure: `Take an interval of a minute or more: \`${PATCH} '{"spec":{"workloadUpdateStrategy":{"batchEvictionInterval":"1m"}}}'\``,
        evidence: [
          { object: CR, path: 'spec.workloadUpdateStrategy.batchEvictionInterval', value: interval },
        ],
      },
    ]);
  });

  it('tells both apart', () => {
    expect(objectsFound(batchOutOfRange, withBatch(['Evict'], 0, '0s'))).toEqual([[CR], [CR]]);
  });
});

describe('SeveralKubeVirts', () => {
  const named = (name: string, phase?: string) => ({
    kind: 'KubeVirt',
    metadata: { name, namespace: 'kubevirt' },
    status: { phase },
  });

  it.each([
    ['none', aFleet()],
    ['one', aFleet(named('kubevirt', 'Deployed'))],
  ])('accepts %s', (_, fleet) => {
    expect(objectsFound(severalKubeVirts, fleet)).toEqual([]);
  });

  it('names each with its phase', () => {
    const fleet = aFleet(named('kubevirt', 'Deployed'), named('again'));
    expect(findingsOf(severalKubeVirts, fleet)).toMatchObject([
      {
        objects: ['KubeVirt kubevirt/again', 'KubeVirt kubevirt/kubevirt'],
        cause:
          'There are 2: KubeVirt kubevirt/again is without phase and KubeVirt kubevirt/kubevirt is Deployed. ' +
          'The workload updater reacts to no VMI and no migration while that is so.',
        evidence: [
          { object: 'KubeVirt kubevirt/again', path: 'status.phase', value: undefined },
          { object: 'KubeVirt kubevirt/kubevirt', path: 'status.phase', value: 'Deployed' },
        ],
      },
    ]);
  });
});

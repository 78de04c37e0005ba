import { describe, expect, it } from 'vitest';
import { migrationConfiguration, overridesOf } from './configuration.ts';

/** As recorded on a cluster that sets nothing. */
const RECORDED = {
  allowAutoConverge: false,
  allowPostCopy: false,
  allowWorkloadDisruption: false,
  bandwidthPerMigration: '0',
  completionTimeoutPerGiB: 150,
  maxDowntimeMs: 900,
  nodeDrainTaintKey: 'kubevirt.io/drain',
  parallelMigrationsPerCluster: 5,
  parallelOutboundMigrationsPerNode: 2,
  progressTimeout: 150,
  unsafeMigrationOverride: false,
  utilityVolumesTimeout: 150,
};

describe('the settings of migrations', () => {
  it.each([
    ['nothing set', undefined, {}],
    ['an empty object', {}, {}],
    ['unknown is not set', { progressTimeout: undefined }, {}],
    [
      'numbers, zero among them',
      { progressTimeout: 0, maxDowntimeMs: 300 },
      { progressTimeout: 0, maxDowntimeMs: 300 },
    ],
    ['what has no default', { network: 'fast', disableTLS: true }, { network: 'fast', disableTLS: true }],
    ['post-copy', { allowPostCopy: true }, { allowPostCopy: true, allowWorkloadDisruption: true }],
    [
      'post-copy without disruption',
      { allowPostCopy: true, allowWorkloadDisruption: false },
      { allowPostCopy: true, allowWorkloadDisruption: false },
    ],
    ['disruption alone', { allowWorkloadDisruption: true }, { allowWorkloadDisruption: true }],
  ])('%s', (_, set, changed) => {
    expect(migrationConfiguration(set)).toEqual({ ...RECORDED, ...changed });
  });
});

describe('what a policy overrides', () => {
  const overrides = (spec: object | undefined) => overridesOf({ metadata: { name: 'p' }, spec });

  it.each([
    ['nothing, without a spec', undefined, {}],
    ['nothing, with selectors only', { selectors: {} }, {}],
    [
      'post-copy, and with it disruption',
      { allowPostCopy: true },
      { allowPostCopy: true, allowWorkloadDisruption: true },
    ],
    [
      'no post-copy, and with it no disruption',
      { allowPostCopy: false },
      { allowPostCopy: false, allowWorkloadDisruption: false },
    ],
    [
      'both as they are set',
      { allowPostCopy: false, allowWorkloadDisruption: true },
      { allowPostCopy: false, allowWorkloadDisruption: true },
    ],
  ])('%s', (_, spec, expected) => {
    expect(overrides(spec)).toEqual(expected);
  });

  it('each of its fields', () => {
    const all = {
      allowAutoConverge: true,
      bandwidthPerMigration: '64Mi',
      completionTimeoutPerGiB: 0,
      maxDowntimeMs: 1,
      allowPostCopy: true,
      allowWorkloadDisruption: false,
      experimental: { compression: 'zstd' },
    };
    expect(overrides({ ...all, parallelMigrationsPerCluster: 50, priority: 'x' })).toEqual(all);
  });
});

import { describe, expect, it } from 'vitest';
import type { KubeVirt } from '../kubevirt/objects.ts';
import { isGateOn, resolveSettings } from './settings.ts';

function aCr(spec: KubeVirt['spec'], status?: KubeVirt['status']): KubeVirt {
  return { kind: 'KubeVirt', metadata: { name: 'kubevirt', namespace: 'kubevirt' }, spec, status };
}

const DEFAULTS = {
  version: { major: 1, minor: 9 },
  versionSource: 'assumed',
  evictionStrategy: 'None',
  workloadUpdateMethods: [],
  batchEvictionSize: 10,
  batchEvictionIntervalSeconds: 60,
  vmRolloutStrategy: 'LiveUpdate',
  migrations: {
    parallelMigrationsPerCluster: 5,
    parallelOutboundMigrationsPerNode: 2,
    completionTimeoutPerGiBSeconds: 150,
    progressTimeoutSeconds: 150,
    utilityVolumesTimeoutSeconds: 150,
    nodeDrainTaintKey: 'kubevirt.io/drain',
    allowPostCopy: false,
    allowWorkloadDisruption: false,
  },
  featureGates: [],
  disabledFeatureGates: [],
};

describe('resolveSettings', () => {
  it.each([
    ['no CR', undefined],
    ['an empty CR', aCr(undefined)],
    [
      'a CR with empty sections',
      aCr({ configuration: { migrations: {}, developerConfiguration: {} }, workloadUpdateStrategy: {} }),
    ],
  ])('gives every default for %s', (_, cr) => {
    expect(resolveSettings(cr)).toMatchObject(DEFAULTS);
  });

  it('takes everything that the CR sets, zero and false included', () => {
    const settings = resolveSettings(
      aCr({
        workloadUpdateStrategy: {
          workloadUpdateMethods: ['Evict', 'Bogus'],
          batchEvictionSize: 0,
          batchEvictionInterval: '1m30s',
        },
        configuration: {
          evictionStrategy: 'LiveMigrate',
          vmRolloutStrategy: 'Stage',
          developerConfiguration: { featureGates: ['A'], disabledFeatureGates: ['B'] },
          migrations: {
            parallelMigrationsPerCluster: 0,
            parallelOutboundMigrationsPerNode: 7,
            completionTimeoutPerGiB: 1,
            progressTimeout: 2,
            utilityVolumesTimeout: 3,
            nodeDrainTaintKey: 'x/drain',
            allowPostCopy: true,
            allowWorkloadDisruption: false,
          },
        },
      }),
    );
    expect(settings).toMatchObject({
      evictionStrategy: 'LiveMigrate',
      workloadUpdateMethods: ['Evict', 'Bogus'],
      batchEvictionSize: 0,
      batchEvictionIntervalSeconds: 90,
      vmRolloutStrategy: 'Stage',
      featureGates: ['A'],
      disabledFeatureGates: ['B'],
      migrations: {
        parallelMigrationsPerCluster: 0,
        parallelOutboundMigrationsPerNode: 7,
        completionTimeoutPerGiBSeconds: 1,
        progressTimeoutSeconds: 2,
        utilityVolumesTimeoutSeconds: 3,
        nodeDrainTaintKey: 'x/drain',
        allowPostCopy: true,
        allowWorkloadDisruption: false,
      },
    });
  });

  it('lets workload disruption follow post-copy unless it is set', () => {
    expect(
      resolveSettings(aCr({ configuration: { migrations: { allowPostCopy: true } } })).migrations
        .allowWorkloadDisruption,
    ).toBe(true);
  });

  it('takes the default interval for one that does not parse', () => {
    const settings = resolveSettings(aCr({ workloadUpdateStrategy: { batchEvictionInterval: 'soon' } }));
    expect(settings.batchEvictionIntervalSeconds).toBe(60);
  });

  it.each([
    ['the flag before the status', { major: 1, minor: 5 }, 'v1.8.4', { major: 1, minor: 5 }, 'flag'],
    ['the status', undefined, 'v1.8.4', { major: 1, minor: 8 }, 'status.observedKubeVirtVersion'],
    ['1.9 where the status makes no sense', undefined, 'devel', { major: 1, minor: 9 }, 'assumed'],
  ])('takes the version from %s', (_, flag, observedKubeVirtVersion, version, versionSource) => {
    const settings = resolveSettings(aCr({}, { observedKubeVirtVersion }), flag);
    expect(settings).toMatchObject({ version, versionSource });
    expect(settings.rules.migrationPriorities).toBe(version.minor >= 7);
  });
});

describe('isGateOn', () => {
  it.each([
    ['a GA gate, even disabled', 'LiveMigration', [], ['LiveMigration'], true],
    ['a GA gate', 'MigrationPriorityQueue', [], [], true],
    ['a GA gate', 'VMLiveUpdateFeatures', [], [], true],
    ['a Beta gate', 'NodeRestriction', [], [], true],
    ['a Beta gate that is disabled', 'NodeRestriction', [], ['NodeRestriction'], false],
    [
      'a Beta gate both listed and disabled',
      'NodeRestriction',
      ['NodeRestriction'],
      ['NodeRestriction'],
      true,
    ],
    ['an Alpha gate', 'VGPULiveMigration', [], [], false],
    ['an Alpha gate that is listed', 'VGPULiveMigration', ['VGPULiveMigration'], [], true],
  ])('%s: %s', (_, gate, featureGates, disabledFeatureGates, on) => {
    expect(isGateOn({ featureGates, disabledFeatureGates }, gate)).toBe(on);
  });
});

import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { createMigration, deleteMigration, evictPod } from './commands.ts';

const priorityOf = (vmi: ReturnType<typeof aVmi>, behavior: 'exact' | 'intended' = 'exact') =>
  createMigration(vmi.build(), behavior, true).migration.spec.priority;

describe('the migration of a workload update', () => {
  it('has the name prefix, the annotation and the priority of the system', () => {
    const vmi = aVmi('db').build();
    expect(createMigration(vmi, 'exact', true)).toStrictEqual({
      kind: 'createMigration',
      vmi,
      migration: {
        generateName: 'kubevirt-workload-update-',
        namespace: 'shop',
        annotations: { 'kubevirt.io/workloadUpdateMigration': '' },
        spec: { vmiName: 'db', priority: 'system-critical' },
      },
    });
  });

  it.each([
    ['HotVCPUChange', 'True', 'user-triggered'],
    ['HotMemoryChange', 'True', 'user-triggered'],
    ['MigrationRequired', 'True', 'user-triggered'],
    ['VolumesChange', 'True', 'user-triggered'],
    ['VolumesChange', 'False', 'system-critical'],
  ])('for %s %s has priority %s', (type, status, priority) => {
    expect(priorityOf(aVmi().condition(type, status))).toBe(priority);
  });

  it('takes the priority of a user for HotVCPUChange False in exact alone', () => {
    expect(priorityOf(aVmi().condition('HotVCPUChange', 'False'), 'exact')).toBe('user-triggered');
    expect(priorityOf(aVmi().condition('HotVCPUChange', 'False'), 'intended')).toBe('system-critical');
  });

  it('can go without a priority', () => {
    expect(createMigration(aVmi('db').build(), 'exact', false).migration.spec).toStrictEqual({
      vmiName: 'db',
    });
  });

  it.each([
    ['the name', 'n'.repeat(63), 'n'.repeat(63)],
    ['the UID, as the name is too long for a label', 'n'.repeat(64), 'uid-x'],
  ])('of volumes is labelled with %s', (_, name, value) => {
    const vmi = aVmi(name).meta({ uid: 'uid-x' }).condition('VolumesChange', 'True').build();
    expect(createMigration(vmi, 'exact', true).migration.labels).toEqual({
      'kubevirt.io/volume-update-migration': value,
    });
  });

  it('of volumes is labelled with nothing where there is no UID', () => {
    const vmi = aVmi('n'.repeat(64)).meta({ uid: undefined }).condition('VolumesChange', 'True').build();
    expect(createMigration(vmi, 'exact', true).migration.labels).toEqual({
      'kubevirt.io/volume-update-migration': '',
    });
  });
});

it('an eviction names the pod and leaves the grace period to it', () => {
  const vmi = aVmi('db').build();
  expect(evictPod(vmi, aPod('launcher').build())).toStrictEqual({
    kind: 'evictPod',
    vmi,
    eviction: {
      apiVersion: 'policy/v1beta1',
      kind: 'Eviction',
      metadata: { name: 'launcher', namespace: 'shop' },
      deleteOptions: {},
    },
  });
});

it('a deletion names the migration and the VMI', () => {
  const vmi = aVmi('db').build();
  const migration = aMigration().build();
  expect(deleteMigration(vmi, migration)).toStrictEqual({ kind: 'deleteMigration', vmi, migration });
});

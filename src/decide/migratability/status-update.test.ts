import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { Condition } from '../../kubevirt/objects.ts';
import { updateMigratability } from './status-update.ts';

const hostDisk = { volumes: [{ name: 'd', hostDisk: {} }] };
const OBSTACLE = 'cannot migrate VMI with non-shared HostDisk';
const ready: Condition = { type: 'Ready', status: 'True' };
const paused: Condition = { type: 'Paused', status: 'True' };
const movable: Condition = { type: 'LiveMigratable', status: 'True' };
const fixed: Condition = {
  type: 'LiveMigratable',
  status: 'False',
  reason: 'DisksNotLiveMigratable',
  message: OBSTACLE,
};
const storage: Condition = { type: 'StorageLiveMigratable', status: 'True' };
const since = { lastTransitionTime: '2026-03-01T11:00:00Z' };

describe('the conditions after an update', () => {
  it.each<[string, Condition[], Condition[]]>([
    ['are added', [ready], [ready, movable, storage]],
    ['stay when they are the same', [movable, storage, ready], [movable, storage, ready]],
    ['move to the end when LiveMigratable changes', [fixed, ready], [ready, movable, storage]],
    [
      'move to the end when only a reason is new',
      [{ ...movable, reason: 'Why' }, ready],
      [ready, movable, storage],
    ],
    [
      'move to the end when only a message is new',
      [{ ...movable, message: 'Why' }, ready],
      [ready, movable, storage],
    ],
    ['lose their time, and so move to the end', [{ ...movable, ...since }, ready], [ready, movable, storage]],
    ['lose their doubles on the way', [fixed, ready, movable], [ready, movable, storage]],
    [
      'count an empty reason as none',
      [{ ...movable, reason: '', message: '' }],
      [{ ...movable, reason: '', message: '' }, storage],
    ],
    [
      'keep the place of a changed StorageLiveMigratable',
      [{ ...storage, status: 'False' }, movable, paused],
      [storage, movable, paused],
    ],
    [
      'keep the time of an unchanged one',
      [{ ...storage, ...since }, movable],
      [{ ...storage, ...since }, movable],
    ],
  ])('%s', (_, before, after) => {
    const vmi = aVmi().status({ conditions: before }).build();
    expect(updateMigratability({ vmi }).conditions).toEqual(after);
  });

  it('start from nothing', () => {
    expect(updateMigratability({ vmi: aVmi().build() }).conditions).toEqual([movable, storage]);
  });

  it('carry the obstacle', () => {
    const vmi = aVmi().spec(hostDisk).build();
    expect(updateMigratability({ vmi }).conditions).toEqual([fixed, storage]);
  });
});

describe('the migration method', () => {
  it.each([
    ['LiveMigration', {}],
    ['BlockMigration', { volumes: [{ name: 'd', containerDisk: {} }] }],
    ['BlockMigration', hostDisk],
  ])('is %s', (migrationMethod, spec) => {
    expect(updateMigratability({ vmi: aVmi().spec(spec).build() }).migrationMethod).toBe(migrationMethod);
  });
});

describe('the warning', () => {
  const warned = (own: string | undefined, cluster: string | undefined, spec = hostDisk) => {
    const vmi = aVmi()
      .spec({ ...spec, evictionStrategy: own })
      .build();
    return updateMigratability({ vmi, configuration: { evictionStrategy: cluster } }).events;
  };

  it('tells of a VMI that must migrate and cannot', () => {
    expect(warned('LiveMigrate', undefined)).toEqual([
      {
        kind: 'VirtualMachineInstance',
        namespace: 'shop',
        name: 'db',
        type: 'Warning',
        reason: 'Migrated',
        message: `EvictionStrategy is set but vmi is not migratable; ${OBSTACLE}`,
      },
    ]);
    expect(warned(undefined, 'LiveMigrate')).toHaveLength(1);
  });

  it.each([
    ['None', undefined],
    ['LiveMigrateIfPossible', undefined],
    ['External', undefined],
    ['None', 'LiveMigrate'],
    [undefined, 'LiveMigrateIfPossible'],
    [undefined, undefined],
  ])('is silent for strategy %s in a cluster with %s', (own, cluster) => {
    expect(warned(own, cluster)).toEqual([]);
  });

  it('is silent for a VMI that can migrate, and without a configuration', () => {
    expect(warned('LiveMigrate', undefined, { volumes: [] })).toEqual([]);
    expect(updateMigratability({ vmi: aVmi().spec(hostDisk).build() }).events).toEqual([]);
  });
});

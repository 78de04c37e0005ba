import { describe, expect, it } from 'vitest';
import { aVmi } from '../kubevirt/builders.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { decide } from './rules.ts';
import { hasVolumesToMigrate, volumeUpdateTable } from './volume-update.ts';

type Modes = string[] | undefined | 'no claim';

const volume = (name: string, modes: Modes) => ({
  name,
  ...(modes !== 'no claim' && { persistentVolumeClaimInfo: { claimName: name, accessModes: modes } }),
});
const moving = (migrated: string[], volumes: Record<string, Modes> = {}) =>
  aVmi('db').status({
    migratedVolumes: migrated.map((volumeName) => ({ volumeName })),
    volumeStatus: Object.entries(volumes).map(([name, modes]) => volume(name, modes)),
  });
const verdict = (vmi: Vmi | undefined) => decide(volumeUpdateTable, { vmi });
const stays = (name: string) =>
  `cannot migrate the VM. The volume ${name} is RWO and not included in the migration volumes`;
const about = (path: string, value: unknown) => ({ object: 'VirtualMachineInstance shop/db', path, value });

describe('a migration that carries volumes', () => {
  it('needs a VMI', () => {
    expect(verdict(undefined)).toEqual({
      result: { possible: false, message: 'VMI is empty' },
      reason: 'VmiMissing',
      evidence: [],
    });
  });

  it('is possible where no volume is to be moved, whatever else stands in the way', () => {
    const vmi = moving([], { root: ['ReadWriteOnce'] })
      .condition('StorageLiveMigratable', 'False')
      .build();
    expect(verdict(vmi)).toEqual({
      result: { possible: true },
      reason: 'NoVolumesToMigrate',
      evidence: [about('status.migratedVolumes', [])],
    });
    expect(verdict(aVmi('db').status({ migratedVolumes: undefined }).build()).reason).toBe(
      'NoVolumesToMigrate',
    );
  });

  it('is not possible where something besides the disks forbids it, and repeats what that is', () => {
    const vmi = moving(['root'])
      .condition('StorageLiveMigratable', 'True')
      .condition('StorageLiveMigratable', 'False', 'NotMigratable', 'a host device')
      .build();
    expect(verdict(vmi)).toEqual({
      result: {
        possible: false,
        message: "cannot migrate the volumes as the VMI isn't migratable: a host device",
      },
      reason: 'StorageNotLiveMigratable',
      evidence: [about('status.conditions[type=StorageLiveMigratable]', 'False: a host device')],
    });
  });

  it('ends the message in nothing where the condition has none', () => {
    const vmi = moving(['root']).condition('StorageLiveMigratable', 'False').build();
    const message = "cannot migrate the volumes as the VMI isn't migratable: ";
    expect(verdict(vmi).result).toEqual({ possible: false, message });
    expect(verdict(vmi).evidence).toEqual([about('status.conditions[type=StorageLiveMigratable]', 'False')]);
  });

  it.each(['True', 'Unknown'])('does not mind StorageLiveMigratable %s', (status) => {
    expect(verdict(moving(['root']).condition('StorageLiveMigratable', status).build()).reason).toBe(
      'VolumesMigratable',
    );
  });

  it('is possible where the VMI tells nothing of its volumes or conditions', () => {
    expect(verdict({ metadata: { name: 'db' } }).reason).toBe('NoVolumesToMigrate');
    expect(
      verdict(
        aVmi()
          .status({ migratedVolumes: [{ volumeName: 'root' }] })
          .build(),
      ).reason,
    ).toBe('VolumesMigratable');
    for (const rule of volumeUpdateTable)
      expect(rule.when({ vmi: { metadata: { name: 'db' } } })).toBeTypeOf('boolean');
  });

  it('is possible where another condition is False', () => {
    expect(verdict(moving(['root']).migratable('False').build()).result).toEqual({ possible: true });
  });

  it.each<[string, string, Modes, boolean]>([
    ['only one node can use', 'data', ['ReadWriteOnce'], false],
    ['only one pod can use', 'data', ['ReadWriteOncePod'], false],
    ['has an empty list of modes', 'data', [], false],
    ['has no list of modes', 'data', undefined, false],
    ['can be read by many', 'data', ['ReadOnlyMany'], true],
    ['can be written by many', 'data', ['ReadWriteOnce', 'ReadWriteMany'], true],
    ['has no claim', 'data', 'no claim', true],
    ['keeps TPM or EFI state', 'persistent-state-for-this-vm', ['ReadWriteOnce'], true],
    ['kept TPM or EFI state before 1.8', 'persistent-state-for-db', ['ReadWriteOnce'], true],
    ['is named almost like one that keeps state', 'my-persistent-state-for-db', ['ReadWriteOnce'], false],
  ])('a volume that stays and %s: %s %s possible = %s', (_, name, modes, possible) => {
    const vmi = moving(['root'], { root: ['ReadWriteOnce'], [name]: modes }).build();
    expect(verdict(vmi).result).toEqual(possible ? { possible } : { possible, message: stays(name) });
    expect(hasVolumesToMigrate(vmi)).toBe(possible);
  });

  it('names the first volume that stays, and on what that rests', () => {
    const vmi = moving(['root'], { root: ['ReadWriteOnce'], a: [], b: [] }).build();
    expect(verdict(vmi)).toEqual({
      result: { possible: false, message: stays('a') },
      reason: 'ReadWriteOnceVolumeStays',
      evidence: [
        about('status.migratedVolumes', ['root']),
        about('status.volumeStatus[name=a].persistentVolumeClaimInfo.accessModes', []),
      ],
    });
  });

  it('is possible where every volume that only one node can use moves', () => {
    const vmi = moving(['a', 'b'], { a: ['ReadWriteOnce'], b: ['ReadWriteOnce'] }).build();
    expect(verdict(vmi)).toEqual({
      result: { possible: true },
      reason: 'VolumesMigratable',
      evidence: [about('status.migratedVolumes', ['a', 'b'])],
    });
  });
});

describe('whether a VMI has volumes to migrate', () => {
  it('is false without any, true with some that can go, false with some that cannot', () => {
    expect(hasVolumesToMigrate(aVmi().build())).toBe(false);
    expect(hasVolumesToMigrate(moving(['root']).build())).toBe(true);
    expect(hasVolumesToMigrate(moving(['root']).condition('StorageLiveMigratable', 'False').build())).toBe(
      false,
    );
  });
});

it('reads without a VMI nothing at all', () => {
  for (const rule of volumeUpdateTable) expect(rule.reads({ vmi: undefined })).toEqual([]);
  const nothingStays = volumeUpdateTable.find(({ name }) => name === 'ReadWriteOnceVolumeStays');
  expect(nothingStays?.reads({ vmi: moving(['a']).build() })).toEqual([
    about('status.migratedVolumes', ['a']),
  ]);
  const noCondition = volumeUpdateTable.find(({ name }) => name === 'StorageNotLiveMigratable');
  expect(noCondition?.reads({ vmi: aVmi('db').build() })).toEqual([
    about('status.conditions[type=StorageLiveMigratable]', undefined),
  ]);
});

import { describe, expect, it } from 'vitest';
import type { Kind } from '../../fleet/fleet.ts';
import type { StoredChange } from '../../simulation/memory-api.ts';
import type { StoredObject } from '../../simulation/stored-object.ts';
import { Races } from './races.ts';
import { WriteRaces } from './write-races.ts';

const aCount = (outdated: number): StoredObject =>
  ({
    metadata: { name: 'kubevirt' },
    status: { outdatedVirtualMachineInstanceWorkloads: outdated },
  }) as unknown as StoredObject;
const counted = (before: number, after: number): StoredChange => ({
  kind: 'KubeVirt',
  key: 'kubevirt/kubevirt',
  before: aCount(before),
  after: aCount(after),
});
const created = (annotation: string, kind: Kind = 'VirtualMachineInstanceMigration'): StoredChange => ({
  kind,
  key: 'shop/m',
  before: undefined,
  after: { metadata: { name: 'm', annotations: { [annotation]: '' } } } as unknown as StoredObject,
});
const OWN = 'kubevirt.io/workloadUpdateMigration';
const create = {
  verb: 'create',
  kind: 'VirtualMachineInstanceMigration',
  key: 'shop',
  dryRun: false,
} as const;

describe('whether the updater has seen its own write', () => {
  it.each<[string, StoredChange, boolean, number]>([
    ['a count usually not', counted(3, 2), false, 1],
    ['a migration of its own usually', created(OWN), true, 1],
    ['an evacuation is no race', created('kubevirt.io/evacuationMigration'), false, 0],
    ['nor is another write to the CR', counted(2, 2), false, 0],
    ['nor the coming of anything else', created(OWN, 'Pod'), false, 0],
    ['nor what becomes of a migration', { ...created(OWN), before: aCount(0) }, false, 0],
    ['nor the coming of the CR', { ...counted(1, 2), before: undefined }, false, 0],
    ['nor its end', { ...counted(1, 2), after: undefined }, false, 0],
  ])('%s', (_, change, isSeen, count) => {
    const races = new Races();
    expect(new WriteRaces(races).isSeenAtOnce(change, 7)).toBe(isSeen);
    expect(races.met.map(({ at, shownBy }) => [at, shownBy])).toEqual(
      Array.from({ length: count }, () => [7, 'KubeVirt/kubevirt']),
    );
  });

  it('may be turned, one count after another', () => {
    const writes = new WriteRaces(new Races(['count 2']));
    expect(
      [counted(3, 2), counted(2, 1), counted(1, 0)].map((change) => writes.isSeenAtOnce(change, 1)),
    ).toEqual([false, true, false]);
  });

  it('may be turned for all creations of one pass, which are sent at once', () => {
    const races = new Races(['creations sent at 1.500']);
    const writes = new WriteRaces(races);
    for (const second of [1.5, 1.5, 2]) writes.note(create, second);
    writes.note({ ...create, verb: 'delete' }, 3);
    writes.note({ ...create, kind: 'Pod' }, 3);
    expect([1.6, 1.7, 2.1, 2.2].map((at) => writes.isSeenAtOnce(created(OWN), at))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(races.met.map(({ name }) => name)).toEqual([
      'creations sent at 1.500',
      'creations sent at 2.000',
      'creations sent at 0.000',
    ]);
  });
});

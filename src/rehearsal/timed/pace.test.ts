import { expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { Migration, MigrationState, Vmi } from '../../kubevirt/objects.ts';
import { paceOf } from './pace.ts';

const GIB = 2 ** 30;

/** A copy that took so many seconds and got there. */
const copied = (uid: string, seconds: number, change: Partial<MigrationState> = {}): MigrationState => ({
  migrationUid: uid,
  startTimestamp: '2026-03-01T11:00:00Z',
  endTimestamp: `2026-03-01T11:00:${String(seconds).padStart(2, '0')}Z`,
  completed: true,
  ...change,
});

function fleetWith(last: MigrationState | undefined, ...finished: MigrationState[]): Fleet {
  const fleet = new Fleet();
  const vmi = aVmi('db-0', 'shop').on('n1').build();
  const memory = { guestCurrent: '1Gi' };
  const known: Vmi = { ...vmi, status: { ...vmi.status, memory, migrationState: last } };
  fleet.apply('VirtualMachineInstance', known);
  for (const [index, migrationState] of finished.entries()) {
    const made = aMigration(`m${index}`, 'shop').build();
    const status = { phase: migrationState.failed ? 'Failed' : 'Succeeded', migrationState };
    const migration: Migration = { ...made, spec: { vmiName: 'db-0' }, status };
    fleet.apply('VirtualMachineInstanceMigration', migration);
  }
  return fleet;
}

it('is learned from what migrations remember, too, each once', () => {
  const fleet = fleetWith(copied('c', 4), copied('a', 2), copied('b', 8), copied('c', 4));
  expect(paceOf(fleet)).toEqual({ bytesPerSecond: GIB / 4, learnedFrom: 3 });
});

it('is learned where the VM has been restarted since', () => {
  expect(paceOf(fleetWith(undefined, copied('a', 2)))).toEqual({ bytesPerSecond: GIB / 2, learnedFrom: 1 });
});

it('is not learned from what failed, or goes on', () => {
  const open = copied('b', 3, { completed: false, endTimestamp: undefined });
  const fleet = fleetWith(undefined, copied('a', 2, { failed: true }), open);
  expect(paceOf(fleet)).toEqual({ bytesPerSecond: 100e6, learnedFrom: 0 });
});

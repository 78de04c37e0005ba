/** A migration in the middle of a pass, for tests: the plainest one, with what a test changes. */
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Migration, MigrationState, Vmi } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { resolveSettings } from '../settings.ts';
import type { MigrationSubject } from './subject.ts';

export const NOON = '2026-03-01T12:00:00Z';
export const MIGRATION = 'VirtualMachineInstanceMigration shop/m';
export const VMI = 'VirtualMachineInstance shop/db';

export interface SubjectChange extends Omit<Partial<MigrationSubject>, 'migration' | 'vmi'> {
  readonly migration?: { build(): Migration };
  readonly vmi?: { build(): Vmi } | undefined;
}

/** Migration `m` of VMI `db` on n1 at noon, in the phase; no target pod. `vmi: undefined` takes the VMI away. */
export function aSubject(phase: string, change: SubjectChange = {}): MigrationSubject {
  const { migration = aMigration('m'), vmi = aVmi().on('n1'), ...rest } = change;
  const built = migration.build();
  return {
    migration: phase === '' ? built : { ...built, status: { ...built.status, phase } },
    sourcePod: aPod('source').build(),
    targetPod: undefined,
    attachmentPod: undefined,
    stateOwner: undefined,
    handedOff: false,
    settings: resolveSettings(undefined),
    now: parseInstant(NOON) ?? 0,
    ...rest,
    vmi: 'vmi' in change && change.vmi === undefined ? undefined : vmi.build(),
  };
}

/** An account of migration `m`. */
export function ours(state: MigrationState = {}): MigrationState {
  return { migrationUid: 'uid-m', ...state };
}

/** The VMI of the subject, telling of migration `m`. */
export function moving(state: MigrationState = {}): ReturnType<typeof aVmi> {
  return aVmi().on('n1').migrationState(ours(state));
}

export function target(): ReturnType<typeof aPod> {
  return aPod('target').phase('Running');
}

export function ready(): ReturnType<typeof aPod> {
  return target().ready();
}

/** The event of a failed migration `m`. */
export function failureEvent(message: string) {
  return {
    kind: 'VirtualMachineInstanceMigration',
    namespace: 'shop',
    name: 'm',
    type: 'Warning',
    reason: 'FailedMigration',
    message,
  };
}

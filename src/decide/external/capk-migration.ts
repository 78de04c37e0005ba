import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { vmiField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { type CapkInput, isGraceOver, readAnnotation } from './capk-drain.ts';

const PATCH = 'cozystack 0001-backport-eviction-live-migration.diff';
const SUBMITTED = ANNOTATION.capkMigrationSubmitted;

/** What a try to migrate comes to. `create`: a migration is to be created, and its deadline noted. */
export type MigrationTry = 'migrated' | 'wait' | 'give-up' | 'create';

export interface MigrationInput extends CapkInput {
  readonly vmi: Vmi;
}

/**
 * The backport's try to migrate a marked VMI before it drains the guest's node: capk-external §3 of the spec. A failed
 * `migrationState` of long ago makes the first try give up.
 */
export const capkMigrationTable: Table<MigrationInput, MigrationTry> = [
  {
    name: 'Migrated',
    asks: 'the VMI is no longer on the node that it was marked for',
    source: PATCH,
    when: ({ vmi }) => vmi.status?.nodeName !== vmi.status?.evacuationNodeName,
    reads: (input) => readVmi(input, ['nodeName', 'evacuationNodeName']),
    then: () => 'migrated',
  },
  {
    name: 'MigrationFailed',
    asks: 'the last migration failed, whoever started it and whenever',
    source: PATCH,
    when: ({ vmi }) => Boolean(vmi.status?.migrationState?.failed),
    reads: readState,
    then: () => 'give-up',
  },
  {
    name: 'MigrationTooSlow',
    asks: 'a migration is under way, but the time for it is over',
    source: PATCH,
    when: (input) => isUnderWay(input) && isGraceOver(input),
    reads: (input) => [...readState(input), readAnnotation(input, ANNOTATION.capkDeletionGraceTime)],
    then: () => 'give-up',
  },
  {
    name: 'MigrationUnderWay',
    asks: 'a migration is under way',
    source: PATCH,
    when: isUnderWay,
    reads: readState,
    then: () => 'wait',
  },
  {
    name: 'MigrationSubmitted',
    asks: 'a migration was created, and the time for it to begin is not over',
    source: PATCH,
    when: ({ machine, now }) => (parseInstant(annotationOf(machine, SUBMITTED)) ?? 0) > now,
    reads: (input) => [readAnnotation(input, SUBMITTED)],
    then: () => 'wait',
  },
  {
    name: 'MigrationNeverBegan',
    asks: 'a migration was created and did not begin in time, or when it was created cannot be read',
    source: PATCH,
    when: ({ machine }) => annotationOf(machine, SUBMITTED) !== undefined,
    reads: (input) => [readAnnotation(input, SUBMITTED)],
    then: () => 'give-up',
  },
  {
    name: 'MigrationRefused',
    asks: 'the API server would not take a migration',
    source: PATCH,
    when: ({ acceptsMigration }) => acceptsMigration === false,
    reads: (input) => [readAnnotation(input, SUBMITTED)],
    then: () => 'give-up',
  },
  {
    name: 'MigrationToBeCreated',
    asks: 'no migration was created yet',
    source: PATCH,
    when: () => true,
    reads: (input) => [readAnnotation(input, SUBMITTED)],
    then: () => 'create',
  },
];

function isUnderWay({ vmi }: MigrationInput): boolean {
  const state = vmi.status?.migrationState;
  return state !== undefined && !state.completed;
}

function readVmi({ vmi }: MigrationInput, names: readonly ('nodeName' | 'evacuationNodeName')[]): Evidence[] {
  return names.map((name) => vmiField(vmi, `status.${name}`, vmi.status?.[name]));
}

function readState({ vmi }: MigrationInput): Evidence[] {
  const { failed, completed } = vmi.status?.migrationState ?? {};
  return [
    vmiField(vmi, 'status.migrationState.failed', failed),
    vmiField(vmi, 'status.migrationState.completed', completed),
  ];
}

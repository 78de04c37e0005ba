import { ANNOTATION, CONDITION } from '../../kubevirt/names.ts';
import { annotationOf, isMigratable } from '../../kubevirt/predicates.ts';
import { conditionField } from '../evidence.ts';
import { type Decision, decide, type Evidence, type Table } from '../rules.ts';
import {
  CAPK_AGAIN,
  CAPK_GRACE_SECONDS,
  type CapkInput,
  type CapkMarks,
  type CapkStep,
  DRAINING,
  freshGrace,
  isGraceOver,
  isToBeDrained,
  present,
  readAnnotation,
  readMark,
} from './capk-drain.ts';
import { capkMigrationTable, type MigrationTry } from './capk-migration.ts';

const PATCH = 'cozystack 0001-backport-eviction-live-migration.diff';
const GRACE = ANNOTATION.capkDeletionGraceTime;
const SUBMITTED = ANNOTATION.capkMigrationSubmitted;

/** The build with the backported patch: it migrates a VMI that can, and drains the guest's node by its right name otherwise. */
export const capkBackportTable: Table<CapkInput, CapkStep> = [
  {
    name: 'NotMarked',
    asks: 'the VMI is not marked, not External, on its way out or gone',
    source: PATCH,
    when: ({ vmi }) => !isToBeDrained(vmi),
    reads: readMark,
    then: cleanUp,
  },
  {
    name: 'Migrated',
    asks: 'the VMI has migrated away',
    source: PATCH,
    when: (input) => tryOf(input) === 'migrated',
    reads: readTry,
    then: ({ machine }) => ({ step: 'nothing', removes: present(machine, [SUBMITTED, GRACE]) }),
  },
  {
    name: 'MigrationToBeCreated',
    asks: 'the VMI can migrate, and no migration was created yet',
    source: PATCH,
    when: (input) => tryOf(input) === 'create',
    reads: readTry,
    then: ({ now }) => ({
      step: 'create-migration',
      againSeconds: CAPK_AGAIN.migration,
      submittedUntil: now + CAPK_GRACE_SECONDS * 1000,
      removes: [],
    }),
  },
  {
    name: 'MigrationAwaited',
    asks: 'a migration was created or is under way',
    source: PATCH,
    when: (input) => tryOf(input) === 'wait',
    reads: readTry,
    then: (input) => ({
      step: 'wait-for-migration',
      againSeconds: CAPK_AGAIN.migration,
      removes: [],
      ...(input.vmi?.status?.migrationState ? freshGrace(input) : {}),
    }),
  },
  {
    name: 'GraceOver',
    asks: "the time for draining the guest's node is over",
    source: PATCH,
    when: (input) => !givesUp(input) && isGraceOver(input),
    reads: (input) => [readAnnotation(input, GRACE)],
    then: deleteVmi,
  },
  {
    name: 'GuestNodeNotDrained',
    asks: "the guest's node is not drained yet",
    source: PATCH,
    when: ({ machine, drainOf }) => drainOf(machine.metadata.name) === 'not-drained',
    reads: readTry,
    then: (input) => ({
      step: 'drain',
      node: input.machine.metadata.name,
      againSeconds: CAPK_AGAIN.drain,
      removes: [],
      ...marksOf(input),
    }),
  },
  {
    name: 'GuestNodeDrained',
    asks: "the guest's node is drained or does not exist",
    source: PATCH,
    when: () => true,
    reads: readTry,
    then: deleteVmi,
  },
];

/** A marked VMI that can migrate is tried, unless CAPK has given that up; then only if the VMI moved after all. */
function attemptOf(input: CapkInput): Decision<MigrationTry> | undefined {
  const { machine, vmi } = input;
  if (!vmi || !isMigratable(vmi)) return undefined;
  const tried = decide(capkMigrationTable, { ...input, vmi });
  const hasGivenUp = annotationOf(machine, SUBMITTED) === DRAINING;
  return hasGivenUp && tried.result !== 'migrated' ? undefined : tried;
}

function tryOf(input: CapkInput): MigrationTry | undefined {
  return attemptOf(input)?.result;
}

function givesUp(input: CapkInput): boolean {
  return tryOf(input) === 'give-up';
}

/** Giving up starts the grace time anew; the annotation that a cordon leaves is written with the cordon. */
function marksOf(input: CapkInput): Omit<CapkMarks, 'removes'> {
  if (!givesUp(input)) return freshGrace(input);
  return { draining: true, graceUntil: input.now + CAPK_GRACE_SECONDS * 1000 };
}

function deleteVmi(input: CapkInput): CapkStep {
  const draining = givesUp(input) ? { draining: true } : {};
  const removes = present(input.machine, [GRACE]);
  return { step: 'delete-vmi', againSeconds: CAPK_AGAIN.afterDelete, removes, ...draining };
}

/** The guest's node is given back, once the VMI is there again. */
function cleanUp({ machine, vmi }: CapkInput): CapkStep {
  const isBack = vmi !== undefined && vmi.metadata.deletionTimestamp === undefined;
  const uncordons = isBack && annotationOf(machine, ANNOTATION.capkNodeCordoned) === 'true';
  const annotations = [SUBMITTED, GRACE, ...(uncordons ? [ANNOTATION.capkNodeCordoned] : [])];
  return {
    step: 'nothing',
    uncordons: uncordons ? machine.metadata.name : undefined,
    removes: present(machine, annotations),
  };
}

function readTry(input: CapkInput): Evidence[] {
  const { vmi } = input;
  const migratable = vmi ? [conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance')] : [];
  return [...migratable, ...(attemptOf(input)?.evidence ?? [])];
}

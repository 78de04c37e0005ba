import { vmiKeyOf } from '../../decide/workload-update/survey.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { MigrationState, Vmi } from '../../kubevirt/objects.ts';
import { isMigrationFinal } from '../../kubevirt/predicates.ts';
import { parseQuantity } from '../../kubevirt/quantity.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { counted } from '../../kubevirt/words.ts';
import { type BehaviorOf, RECORDED_BEHAVIOR } from '../../simulation/guests/behavior.ts';

/** How fast guests are copied, and where that is from. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** How many finished migrations it was learned from; 0: it is assumed. */
  readonly learnedFrom: number;
}

/** A copy over a link of 1 Gbit/s that it has for itself. */
const ASSUMED_BYTES_PER_SECOND = 100e6;
const ASSUMED_MEMORY = '2Gi';
const ASSUMED_BOOT_SECONDS = 30;
const ASSUMED_SHUTDOWN_SECONDS = 10;
/** Times in a dump are whole seconds. */
const SHORTEST_SECONDS = 1;

/** The middle pace of the migrations that have succeeded, by start and end against memory; assumed where there are none. */
export function paceOf(fleet: Fleet): Pace {
  const paces = copiesIn(fleet).flatMap(({ vmi, state }) => paceOfCopy(vmi, state) ?? []);
  if (paces.length === 0) return { bytesPerSecond: ASSUMED_BYTES_PER_SECOND, learnedFrom: 0 };
  const ordered = paces.sort((a, b) => a - b);
  const middle = ordered[Math.floor((ordered.length - 1) / 2)] ?? ASSUMED_BYTES_PER_SECOND;
  return { bytesPerSecond: middle, learnedFrom: paces.length };
}

interface Copy {
  readonly vmi: Vmi;
  readonly state: MigrationState;
}

/** Each migration's once: a VMI remembers its last one, be the object gone, and the objects those that have ended. */
function copiesIn(fleet: Fleet): readonly Copy[] {
  const copies = new Map<string, Copy>();
  const note = (vmi: Vmi | undefined, state: MigrationState | undefined): void => {
    if (vmi && state) copies.set(state.migrationUid ?? `unnamed ${copies.size}`, { vmi, state });
  };
  for (const vmi of fleet.all('VirtualMachineInstance')) note(vmi, vmi.status?.migrationState);
  for (const migration of fleet.all('VirtualMachineInstanceMigration')) {
    const vmi = fleet.get('VirtualMachineInstance', vmiKeyOf(migration));
    if (isMigrationFinal(migration)) note(vmi, migration.status?.migrationState);
  }
  return [...copies.values()];
}

function paceOfCopy(vmi: Vmi, state: MigrationState): number | undefined {
  const { startTimestamp, endTimestamp, completed, failed } = state;
  const startAt = parseInstant(startTimestamp);
  const endAt = parseInstant(endTimestamp);
  const bytes = memoryOf(vmi);
  if (!completed || failed || startAt === undefined || endAt === undefined || bytes === undefined)
    return undefined;
  return bytes / Math.max(SHORTEST_SECONDS, (endAt - startAt) / 1000);
}

/** Bytes of memory of the guest; undefined where nothing tells. */
function memoryOf({ spec, status }: Vmi): number | undefined {
  return parseQuantity(
    status?.memory?.guestCurrent ?? spec?.domain?.memory?.guest ?? spec?.domain?.resources?.requests?.memory,
  );
}

/** Guests that take as long to copy as their memory has it. */
export function behaviorAtPace({ bytesPerSecond }: Pace): BehaviorOf {
  return (vmi) => ({
    ...RECORDED_BEHAVIOR,
    bootSeconds: ASSUMED_BOOT_SECONDS,
    shutdown: { kind: 'clean', seconds: ASSUMED_SHUTDOWN_SECONDS },
    migration: {
      kind: 'takes',
      seconds: (memoryOf(vmi) ?? parseQuantity(ASSUMED_MEMORY) ?? 0) / bytesPerSecond,
    },
  });
}

/** What the times rest on, for a person to judge. */
export function paceNotes({ bytesPerSecond, learnedFrom }: Pace): string[] {
  const pace = `${Math.round(bytesPerSecond / 1e6)} MB/s`;
  const source =
    learnedFrom > 0
      ? `the middle of ${counted(learnedFrom, 'finished migration')} in the input`
      : 'assumed, since no finished migration in the input tells';
  return [
    `Times: a guest's memory is copied at ${pace} (${source}), and dirtied slowly.`,
    `Times: a guest shuts down within ${ASSUMED_SHUTDOWN_SECONDS} s and boots within ${ASSUMED_BOOT_SECONDS} s (assumed); memory where none is told: ${ASSUMED_MEMORY}.`,
  ];
}

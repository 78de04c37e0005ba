import type { Fleet } from '../../fleet/fleet.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
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
  const paces = [...fleet.all('VirtualMachineInstance')].flatMap((vmi) => paceOfLast(vmi) ?? []);
  if (paces.length === 0) return { bytesPerSecond: ASSUMED_BYTES_PER_SECOND, learnedFrom: 0 };
  const ordered = paces.sort((a, b) => a - b);
  const middle = ordered[Math.floor((ordered.length - 1) / 2)] ?? ASSUMED_BYTES_PER_SECOND;
  return { bytesPerSecond: middle, learnedFrom: paces.length };
}

function paceOfLast(vmi: Vmi): number | undefined {
  const { startTimestamp, endTimestamp, completed, failed } = vmi.status?.migrationState ?? {};
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

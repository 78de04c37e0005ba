import type { Fleet } from '../../fleet/fleet.ts';
import { MIGRATION_PHASE } from '../../kubevirt/names.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { formatInstant, type Instant, parseInstant } from '../../kubevirt/time.ts';
import type { Pace } from './report.ts';

/** What ended longer ago belongs to another time of day, or to another roll-out. */
const LATELY_SECONDS = 3_600;
/** Of those, so many: the pace of now, not of the beginning. */
const NEWEST = 20;

/**
 * How fast migrations have succeeded of late: the newest 20 of the last hour, over the time from the first of them until now, so
 * that a standstill shows.
 *
 * Promise: undefined for fewer than two; whoever asked for the migrations, they count; each counts once.
 */
export function paceOf(fleet: Fleet, now: Instant): Pace | undefined {
  const ends = endsOf(fleet).filter((at) => at <= now && at > now - LATELY_SECONDS * 1000);
  const newest = ends.sort((a, b) => a - b).slice(-NEWEST);
  const [first] = newest;
  if (first === undefined || newest.length < 2 || now <= first) return undefined;
  const perMinute = (newest.length - 1) / ((now - first) / 60_000);
  return { migrations: newest.length, perMinute, since: formatInstant(first) };
}

/** When migrations succeeded. A VMI remembers its last one, be the object gone. */
function endsOf(fleet: Fleet): Instant[] {
  const ends = new Map<string, Instant>();
  for (const migration of fleet.all('VirtualMachineInstanceMigration'))
    note(ends, migration.metadata.uid, endOf(migration));
  for (const vmi of fleet.all('VirtualMachineInstance')) {
    const uid = vmi.status?.migrationState?.migrationUid;
    if (uid !== undefined && !ends.has(uid)) note(ends, uid, lastEndOf(vmi));
  }
  return [...ends.values()];
}

function note(ends: Map<string, Instant>, uid: string | undefined, at: Instant | undefined): void {
  if (at !== undefined) ends.set(uid ?? `unnamed ${ends.size}`, at);
}

function endOf({ status }: Migration): Instant | undefined {
  if (status?.phase !== MIGRATION_PHASE.succeeded) return undefined;
  const transition = status.phaseTransitionTimestamps?.find(({ phase }) => phase === status.phase);
  return parseInstant(transition?.phaseTransitionTimestamp ?? status.migrationState?.endTimestamp);
}

function lastEndOf({ status }: Vmi): Instant | undefined {
  const { completed, failed, endTimestamp } = status?.migrationState ?? {};
  return completed && !failed ? parseInstant(endTimestamp) : undefined;
}

export interface LeftInput {
  /** VMs that migrate or will. */
  readonly migrations: number;
  /** VMs that will be evicted. */
  readonly evictions: number;
  readonly pace: Pace | undefined;
  readonly batchSize: number;
  readonly batchIntervalSeconds: number;
}

/**
 * How long it takes until all are done that can be: migrations by the pace so far, evictions by their batches, beside each other.
 *
 * Promise: zero where nothing is left; undefined where migrations are left and no pace is known.
 */
export function secondsLeft(input: LeftInput): number | undefined {
  const { migrations, evictions, pace, batchSize, batchIntervalSeconds } = input;
  if (migrations > 0 && pace === undefined) return undefined;
  const migrating = migrations === 0 ? 0 : (migrations / (pace?.perMinute ?? 1)) * 60;
  const batches = Math.ceil(evictions / Math.max(1, batchSize));
  return Math.ceil(Math.max(migrating, batches * batchIntervalSeconds));
}

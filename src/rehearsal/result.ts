/** What a rehearsal comes to, as plain values: they go from one thread to another, and into files. Seconds are since the beginning. */
import type { Outcome } from '../forecast/forecast.ts';

/** A live migration that got as far as copying memory. */
export interface MoveResult {
  readonly from: string;
  readonly to: string;
  readonly startSeconds: number;
  /** Absent: still under way. */
  readonly endSeconds?: number | undefined;
  /** Why it failed. */
  readonly failed?: string | undefined;
  /** When the guest was stopped so that the copy comes to an end; absent: it ran on all the time. */
  readonly stoppedSeconds?: number | undefined;
}

/** How often a VM has moved; a copy that failed, or is under way, is no move. */
export function movesOf({ moves }: { readonly moves: readonly MoveResult[] }): number {
  return moves.filter(({ endSeconds, failed }) => endSeconds !== undefined && failed === undefined).length;
}

export function failedMovesOf({ moves }: { readonly moves: readonly MoveResult[] }): number {
  return moves.filter(({ failed }) => failed !== undefined).length;
}

/** From the creation of a migration to its copy, or to its end where it never came to one. */
export interface WaitResult {
  readonly fromSeconds: number;
  /** Absent: it still waits. */
  readonly untilSeconds?: number | undefined;
}

/** A time without a guest. */
export interface OutageResult {
  readonly downSeconds: number;
  /** Absent: it stayed off. */
  readonly upSeconds?: number | undefined;
  /** How the VMI ended: its last phase, `Deleted`, or `Cut` where its node fell. */
  readonly how: string;
}

export interface VmResult {
  /** `namespace/name`. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly reason: string;
  /** Where it ran at the beginning, and where in the end; absent: nowhere. */
  readonly fromNode?: string | undefined;
  readonly toNode?: string | undefined;
  /** When something first happened to its guest; absent: nothing did. */
  readonly startSeconds?: number | undefined;
  /** When something last happened to it; absent: nothing did, or it is copied, or waits for a node, in the end. */
  readonly endSeconds?: number | undefined;
  readonly moves: readonly MoveResult[];
  readonly outages: readonly OutageResult[];
  readonly waits: readonly WaitResult[];
  readonly restarts: number;
  /** Without a guest, or with one that was stopped for its copy to end; of one that is off in the end, up to the end of the run. */
  readonly downtimeSeconds: number;
  /** Migrations made for it, and those of them that failed. */
  readonly migrations: number;
  readonly failedMigrations: number;
  /** What evictions were refused with, most often first. */
  readonly refusals: readonly { readonly says: string; readonly times: number }[];
}

/** The most that a node had at one time. */
export interface NodePeaks {
  readonly name: string;
  readonly guests: number;
  readonly outbound: number;
  readonly inbound: number;
}

/** Migrations that waited and those under way, from this second on. */
export interface QueuePoint {
  readonly seconds: number;
  readonly waiting: number;
  readonly underWay: number;
}

/** One thing that was done, and what came of it. */
export interface DeedResult {
  readonly atSeconds: number;
  readonly deed: string;
  /** Of a drain, the node. */
  readonly node?: string | undefined;
  readonly end: 'done' | 'succeeded' | 'failed' | 'unfinished';
  readonly endSeconds?: number | undefined;
  /** What its client said, why it was refused, or what it waits for. */
  readonly says: readonly string[];
}

export interface EventResult {
  readonly seconds: number;
  /** `Kind/namespace/name`. */
  readonly object: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

export interface FailedExpectation {
  /** The path in `expect`. */
  readonly expectation: string;
  readonly message: string;
}

/** One run of a scenario. */
export interface RunResult {
  readonly seed: number;
  /** When something last happened to a VM. */
  readonly seconds: number;
  /** Its time was up before all was quiet. */
  readonly isCutShort: boolean;
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  /** By name. */
  readonly vms: readonly VmResult[];
  readonly nodes: readonly NodePeaks[];
  readonly mostWaiting: number;
  readonly mostUnderWay: number;
  /** Copies of memory at one time. */
  readonly mostCopies: number;
  readonly queue: readonly QueuePoint[];
  readonly deeds: readonly DeedResult[];
  readonly events: readonly EventResult[];
  readonly failures: readonly FailedExpectation[];
}

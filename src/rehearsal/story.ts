import type { Instant } from '../kubevirt/time.ts';

/** A live migration that got as far as copying memory. Instants as milliseconds. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly startAt: Instant;
  /** Absent while it is under way. */
  endAt?: Instant | undefined;
  /** Why it failed; absent: it did not. */
  failed?: string | undefined;
  /** Since when the guest has stood still so that the copy comes to an end; absent: it ran on all the time. */
  stoppedAt?: Instant | undefined;
}

/** A move that is through, and got there. */
export function hasArrived({ endAt, failed }: Pick<Move, 'endAt' | 'failed'>): boolean {
  return endAt !== undefined && failed === undefined;
}

/** From the creation of a migration to its copy, or to its end where it never came to one. */
export interface Wait {
  readonly fromAt: Instant;
  untilAt?: Instant | undefined;
}

/** A time without a guest. */
export interface Outage {
  readonly downAt: Instant;
  /** How the VMI ended: its last phase, or `Deleted`. */
  readonly how: string;
  /** Absent: nothing has started it again. */
  upAt?: Instant | undefined;
}

/** What happened to one VM, or to one VMI without a VM. */
export interface Story {
  /** `namespace/name`. */
  readonly vm: string;
  /** Where its guest ran at the beginning; absent: nowhere. */
  readonly startNode: string | undefined;
  /** Where it runs; absent: nowhere. */
  node: string | undefined;
  readonly moves: Move[];
  readonly outages: Outage[];
  readonly waits: Wait[];
  /** How often an eviction was refused, by the answer's text. */
  readonly refusals: Map<string, number>;
  evictionsAccepted: number;
  /** When an eviction was last asked for; absent: never. */
  evictedAt?: Instant | undefined;
  /** Migrations that were under way at the beginning or created for it, and those that ended without having moved it. */
  attempts: number;
  /** Of these, migrations that somebody deleted before they had ended. */
  calledOff: number;
  failures: number;
  /** It was marked once while its strategy was External: what becomes of it is for others to decide. */
  isLeftToOthers: boolean;
  /** The VM itself has been deleted. */
  isGone: boolean;
}

/** Of a VM to which nothing has happened. `node` absent: it does not run. */
export function newStory(vm: string, node: string | undefined): Story {
  return {
    vm,
    startNode: node,
    node,
    moves: [],
    outages: [],
    waits: [],
    refusals: new Map(),
    evictionsAccepted: 0,
    attempts: 0,
    calledOff: 0,
    failures: 0,
    isLeftToOthers: false,
    isGone: false,
  };
}

/** Seconds without a guest, or with one that stands still, up to an instant. The last moment of a copy that converges is not counted. */
export function downtimeSeconds({ outages, moves }: Story, until: Instant): number {
  const spans = [
    ...outages.map(({ downAt, upAt = until }) => upAt - downAt),
    ...moves.map(({ stoppedAt, endAt = until }) => (stoppedAt === undefined ? 0 : endAt - stoppedAt)),
  ];
  return spans.reduce((sum, span) => sum + Math.max(0, span) / 1000, 0);
}

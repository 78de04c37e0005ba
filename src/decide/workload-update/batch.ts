import type { Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Behavior } from '../rules.ts';

/** What is remembered of evictions from pass to pass. Plain data: a controller may keep it in the cluster. */
export interface BatchState {
  /**
   * `exact`: when the last batch was planned. `intended`: when the last eviction was accepted. Absent: never, or
   * forgotten with the process (KubeVirt keeps it in memory only).
   */
  readonly lastAt?: Instant | undefined;
  /** `intended`: evictions accepted since the batch began; they are what uses it up. */
  readonly accepted: number;
  /** `intended`: `namespace/name` of the VMIs refused in their last try, longest ago first. */
  readonly refused: readonly string[];
}

export const NO_BATCH: BatchState = { accepted: 0, refused: [] };

export interface BatchLimits {
  /** Evictions a batch; zero or below allows none. */
  readonly size: number;
  /** Rest between batches; zero or below means none. */
  readonly intervalSeconds: number;
}

export interface BatchInput {
  /** In the order in which they were found. */
  readonly evictable: readonly Vmi[];
  readonly state: BatchState;
  readonly limits: BatchLimits;
  readonly now: Instant;
}

/** Who may be evicted now, and what is remembered before the answers are in. */
export interface Batch {
  readonly chosen: readonly Vmi[];
  readonly state: BatchState;
}

/** Whether the rest since the last batch is over: *strictly* more than the interval has passed. */
export function isRestOver(state: BatchState, limits: BatchLimits, now: Instant): boolean {
  return state.lastAt === undefined || now > state.lastAt + limits.intervalSeconds * 1000;
}

/**
 * The VMIs that this pass tries to evict: workload-update §7 step 5 of the spec.
 *
 * `exact`: once the rest is over, the first `size` of the list, and the batch counts as used whatever comes of it; a size
 * of zero or below uses it up for nothing.
 * `intended`: a batch is used up by evictions that were accepted, so places that were refused are free for the next
 * pass; VMIs that were refused go behind all others, the longest refused first of them; those of which `canEvict` says no
 * take no place. A batch begins with the first who is chosen; until then the one before counts. The promise of the interval holds: never more than `size` accepted evictions within one interval.
 */
export function chooseBatch(input: BatchInput, behavior: Behavior, canEvict: (vmi: Vmi) => boolean): Batch {
  if (behavior === 'exact') return chooseExactly(input);
  const { evictable, state, limits, now } = input;
  const { inTurn, refused } = turnsOf(evictable, state.refused);
  const used = isRestOver(state, limits, now) ? 0 : state.accepted;
  const chosen = takeWhere(inTurn, limits.size - used, canEvict);
  const accepted = chosen.length > 0 ? used : state.accepted;
  return { chosen, state: { ...state, accepted, refused } };
}

function chooseExactly({ evictable, state, limits, now }: BatchInput): Batch {
  if (evictable.length === 0 || !isRestOver(state, limits, now)) return { chosen: [], state };
  return { chosen: evictable.slice(0, Math.max(0, limits.size)), state: { ...state, lastAt: now } };
}

/** Never refused first, in the given order, then by how long ago they were refused; of the refused those that are evictable still. */
function turnsOf(
  evictable: readonly Vmi[],
  everRefused: readonly string[],
): { readonly inTurn: readonly Vmi[]; readonly refused: readonly string[] } {
  const others = new Map(evictable.map((vmi) => [keyOf(vmi), vmi]));
  const refused = everRefused.filter((key) => others.has(key));
  const again = refused.flatMap((key) => others.get(key) ?? []);
  for (const key of refused) others.delete(key);
  return { inTurn: [...others.values(), ...again], refused };
}

/** The first so many of which it holds, in order; no others are asked about. */
export function takeWhere(vmis: readonly Vmi[], places: number, holds: (vmi: Vmi) => boolean): Vmi[] {
  const taken: Vmi[] = [];
  for (const vmi of vmis) {
    if (taken.length >= places) break;
    if (holds(vmi)) taken.push(vmi);
  }
  return taken;
}

/** An eviction went through: it uses a place of the batch, and the rest begins anew. */
export function evictionAccepted(state: BatchState, vmi: Vmi, now: Instant): BatchState {
  const refused = state.refused.filter((key) => key !== keyOf(vmi));
  return { lastAt: now, accepted: state.accepted + 1, refused };
}

/** An eviction did not go through: others get their turn first. */
export function evictionRefused(state: BatchState, vmi: Vmi): BatchState {
  const others = state.refused.filter((key) => key !== keyOf(vmi));
  return { ...state, refused: [...others, keyOf(vmi)] };
}

/**
 * How many migrations a pass may create: workload-update §7 step 6 of the spec. KubeVirt passes no `pending`, so pending
 * migrations can pile up beyond the cap; never negative.
 */
export function migrationPlaces(cap: number, active: number, pending: number): number {
  return Math.max(0, cap - active - pending);
}

/**
 * How long the memory of a running guest takes to copy. Pre-copy goes round by round: the first round sends all memory in
 * use, each later one what the guest wrote to during the round before, until what is left fits into the time for which
 * the guest may stand still; then the guest stops and the rest follows. After Kherbache, Madelaine and Hermenier,
 * "Scheduling Live-Migrations for Fast, Adaptable and Energy-Efficient Relocation Operations" (UCC 2015), which tells
 * pages that are written to all the time (hot) from the others (cold); their closed formula adds the rounds up as
 * separate series, here they are played one after another, so that the bandwidth may change in between.
 *
 * Megabytes are 10^6 bytes, rates are what arrives at the target (see `payloadMBps`), time is in seconds.
 */

/** What a guest does to its memory. All zeros but `memoryMB`: it writes to nothing. */
export interface GuestMemory {
  /** Memory in use: what the first round sends. */
  readonly memoryMB: number;
  /** Pages written to over and over; within `hotSetSeconds` all of them have been, and before that a share that grows evenly. */
  readonly hotSetMB: number;
  readonly hotSetSeconds: number;
  /** How fast other pages are written to for the first time in a round. */
  readonly coldDirtyMBps: number;
}

/**
 * `PreCopy`: rounds while the guest runs at the source. `StopAndCopy`: it stands still, the rest follows. `PostCopy`: it
 * runs at the target, the rest follows. `Done`: all is there.
 */
export type CopyPhase = 'PreCopy' | 'StopAndCopy' | 'PostCopy' | 'Done';

/** A copy as it stands. A value: what changes it gives a new one. */
export interface MemoryCopy {
  readonly memory: GuestMemory;
  /** Pre-copy ends where the rest would take at most this long. */
  readonly downtimeLimitSeconds: number;
  readonly phase: CopyPhase;
  /** The round, from 1; once the guest has stopped or moved, the round after which it did. */
  readonly round: number;
  /** Of this round. */
  readonly remainingMB: number;
  readonly roundSeconds: number;
  /** Since the start, over all rounds. */
  readonly transferredMB: number;
  /** How long the guest has stood still. */
  readonly downtimeSeconds: number;
}

/** Less is nothing: below a byte, rounding errors would start rounds of their own. */
const NOTHING_MB = 1e-6;

/** Before its first byte. Promise: a guest without memory is `Done` at once. */
export function beginCopy(memory: GuestMemory, downtimeLimitSeconds: number): MemoryCopy {
  return {
    memory,
    downtimeLimitSeconds,
    phase: memory.memoryMB > NOTHING_MB ? 'PreCopy' : 'Done',
    round: 1,
    remainingMB: Math.max(0, memory.memoryMB),
    roundSeconds: 0,
    transferredMB: 0,
    downtimeSeconds: 0,
  };
}

/** What a guest writes to in so many seconds, each page counted once: never more than its memory. */
export function dirtiedMB(memory: GuestMemory, seconds: number): number {
  const hotShare = memory.hotSetSeconds > 0 ? Math.min(1, seconds / memory.hotSetSeconds) : 1;
  const hot = seconds > 0 ? memory.hotSetMB * hotShare : 0;
  return Math.min(memory.memoryMB, hot + memory.coldDirtyMBps * seconds);
}

/**
 * The copy some seconds later, at a rate that did not change meanwhile.
 *
 * Promise: advancing twice is advancing once by the sum, up to rounding; by infinitely many seconds, a copy that converges
 * is `Done`, and one that does not must not be. At a rate of zero nothing arrives and the guest
 * goes on writing. A copy that is `Done` stays as it is.
 */
export function advanceCopy(copy: MemoryCopy, mbPerSecond: number, seconds: number): MemoryCopy {
  if (copy.phase === 'Done') return copy;
  const now = { ...copy };
  let left = seconds;
  while (now.phase !== 'Done') {
    const needed = secondsForRound(now, mbPerSecond);
    if (needed > left || needed === Number.POSITIVE_INFINITY) {
      send(now, mbPerSecond, left);
      return now;
    }
    send(now, mbPerSecond, needed);
    enterNextRound(now, mbPerSecond);
    left -= needed;
  }
  return now;
}

/** A copy of one's own to play rounds on: there may be hundreds of them, and a new value for each would take most of the time. */
type Draft = { -readonly [Field in keyof MemoryCopy]: MemoryCopy[Field] };

function secondsForRound({ remainingMB }: Draft, mbPerSecond: number): number {
  return mbPerSecond > 0 ? remainingMB / mbPerSecond : Number.POSITIVE_INFINITY;
}

function send(now: Draft, mbPerSecond: number, seconds: number): void {
  const sent = mbPerSecond > 0 ? Math.min(now.remainingMB, mbPerSecond * seconds) : 0;
  now.remainingMB -= sent;
  now.transferredMB += sent;
  now.roundSeconds += seconds;
  if (now.phase === 'StopAndCopy') now.downtimeSeconds += seconds;
}

/** A round is through: another one, or the last one, with the guest stopped, or the end. */
function enterNextRound(now: Draft, mbPerSecond: number): void {
  const leftMB = now.phase === 'PreCopy' ? dirtiedMB(now.memory, now.roundSeconds) : 0;
  if (leftMB <= NOTHING_MB) {
    now.phase = 'Done';
    now.remainingMB = 0;
    return;
  }
  now.remainingMB = leftMB;
  now.roundSeconds = 0;
  if (leftMB <= mbPerSecond * now.downtimeLimitSeconds) now.phase = 'StopAndCopy';
  else now.round += 1;
}

/**
 * The guest writes no more at the source: it stands still (`StopAndCopy`, workload disruption) or runs at the target
 * (`PostCopy`). What is left of the round and what was written to during it is sent once more and that is all. For a copy
 * past pre-copy nothing changes.
 */
export function endPreCopy(copy: MemoryCopy, phase: 'StopAndCopy' | 'PostCopy'): MemoryCopy {
  if (copy.phase !== 'PreCopy') return copy;
  const rest = copy.remainingMB + dirtiedMB(copy.memory, copy.roundSeconds);
  return { ...copy, phase, remainingMB: Math.min(copy.memory.memoryMB, rest), roundSeconds: 0 };
}

/** Rounds that shrink by a smaller part than this count as going on for ever: there would be tens of thousands of them. */
const STANDSTILL = 1e-4;

/**
 * How long until all is there, at a rate that stays as it is. Infinite where the guest writes faster than the network
 * carries, so that the rounds never become short enough.
 */
export function secondsToEnd(copy: MemoryCopy, mbPerSecond: number): number {
  const now = { ...copy };
  let seconds = 0;
  while (now.phase !== 'Done') {
    // What a round leaves grows with its length: one that leaves as much as it had will not be followed by a shorter one.
    const wholeMB = now.roundSeconds === 0 ? now.remainingMB : Number.POSITIVE_INFINITY;
    const needed = secondsForRound(now, mbPerSecond);
    if (needed === Number.POSITIVE_INFINITY) return needed;
    send(now, mbPerSecond, needed);
    enterNextRound(now, mbPerSecond);
    seconds += needed;
    if (now.phase === 'PreCopy' && now.remainingMB > wholeMB * (1 - STANDSTILL))
      return Number.POSITIVE_INFINITY;
  }
  return seconds;
}

/** A copy that has a bandwidth to itself, from start to end. */
export interface SoloCopy {
  /** Infinite if it does not converge. */
  readonly seconds: number;
  readonly converges: boolean;
  readonly downtimeSeconds: number;
  readonly rounds: number;
  readonly transferredMB: number;
}

/** The closed computation: the whole copy at one rate. What never converges has no downtime, rounds or megabytes to tell: they are infinite. */
export function soloCopy(memory: GuestMemory, downtimeLimitSeconds: number, mbPerSecond: number): SoloCopy {
  const copy = beginCopy(memory, downtimeLimitSeconds);
  const seconds = secondsToEnd(copy, mbPerSecond);
  if (seconds === Number.POSITIVE_INFINITY) {
    const never = { downtimeSeconds: seconds, rounds: seconds, transferredMB: seconds };
    return { seconds, converges: false, ...never };
  }
  const { downtimeSeconds, round, transferredMB } = advanceCopy(copy, mbPerSecond, Number.POSITIVE_INFINITY);
  return { seconds, converges: true, downtimeSeconds, rounds: round, transferredMB };
}

import { backoffSeconds, LONGEST_BACKOFF_SECONDS } from '../src/decide/migration/backoff.ts';
import {
  completionTimeoutSeconds,
  POLL_MILLISECONDS,
  pollTable,
} from '../src/decide/migration/convergence.ts';
import { decide } from '../src/decide/rules.ts';
import type { Move, MovesToSchedule } from '../src/decide/schedule/moves.ts';
import { beginCopy } from '../src/decide/transfer/copy.ts';
import {
  addFlow,
  copyAt,
  type FluidNetwork,
  idleNetwork,
  nextEnd,
  passTo,
  removeFlow,
} from '../src/decide/transfer/fluid-network.ts';

/**
 * The same moves as KubeVirt makes them by default: whatever the queue hands out, five at once, two from a node, sharing
 * the links as it comes; a copy that does not get on is canceled and tried again after a pause. Beside the copies only
 * the start of the target's pod takes time, up to two seconds, so that no two copies run in step.
 */
const CLUSTER_WIDTH = 5;
const OUTBOUND_WIDTH = 2;
const MIGRATIONS = { completionTimeoutPerGiB: 150, progressTimeout: 150 } as const;
const SLOWEST_POD_MS = 2000;

/** Nothing is over after a day that was not after an hour. */
const LONGEST_MS = 86_400_000;

export interface QueuePlay {
  /** Infinite if some VM has not moved after a day. */
  readonly makespanSeconds: number;
  /** Of the copies that arrived. */
  readonly meanMoveSeconds: number;
  readonly canceled: number;
}

interface Waiting {
  readonly move: Move;
  readonly failures: number;
  readonly notBefore: number;
}

interface Running extends Waiting {
  /** When the copying starts, once the pod is there. */
  readonly startedAt: number;
  readonly nextPollAt: number;
  /** The least that ever remained, and when that was. */
  readonly lowestMB: number;
  readonly lowestAt: number;
}

/** Plays the queue in an order, and with pods, that `draw` picks. */
export function playKubeVirtQueue({ moves, wiring }: MovesToSchedule, draw: () => number): QueuePlay {
  const play = new Play(idleNetwork(wiring), shuffled(moves, draw), draw);
  while (play.isUnfinished()) play.step();
  return play.result();
}

class Play {
  #now = 0;
  #network: FluidNetwork;
  #waiting: readonly Waiting[];
  readonly #running = new Map<string, Running>();
  readonly #draw: () => number;
  readonly #moveSeconds: number[] = [];
  #lastEnd = 0;
  #canceled = 0;

  constructor(network: FluidNetwork, moves: readonly Move[], draw: () => number) {
    this.#network = network;
    this.#waiting = moves.map((move) => ({ move, failures: 0, notBefore: 0 }));
    this.#draw = draw;
  }

  isUnfinished(): boolean {
    return this.#waiting.length + this.#running.size > 0 && this.#now < LONGEST_MS;
  }

  /** Starts what may start, goes on to whatever comes next, and acts on it. */
  step(): void {
    this.#waiting = this.#waiting.filter((waiting) => !this.#handOut(waiting));
    this.#now = this.#next();
    const { network, ended } = passTo(this.#network, this.#now);
    this.#network = network;
    for (const { key } of ended) this.#arrive(key);
    for (const running of [...this.#running.values()]) this.#attend(running);
  }

  #next(): number {
    const times = [...this.#running.values()].map(({ nextPollAt }) => nextPollAt);
    const pauses = this.#waiting.map(({ notBefore }) => notBefore).filter((at) => at > this.#now);
    return Math.min(...times, ...pauses, nextEnd(this.#network)?.at ?? Number.POSITIVE_INFINITY);
  }

  #attend(running: Running): void {
    if (running.nextPollAt > this.#now) return;
    if (running.startedAt === this.#now) this.#begin(running.move);
    const current = { ...running, nextPollAt: running.nextPollAt + POLL_MILLISECONDS };
    this.#running.set(running.move.vm, current);
    this.#poll(current);
  }

  result(): QueuePlay {
    const sum = this.#moveSeconds.reduce((total, seconds) => total + seconds, 0);
    const isDone = this.#waiting.length + this.#running.size === 0;
    return {
      makespanSeconds: isDone ? this.#lastEnd / 1000 : Number.POSITIVE_INFINITY,
      meanMoveSeconds: sum / this.#moveSeconds.length,
      canceled: this.#canceled,
    };
  }

  #handOut(waiting: Waiting): boolean {
    const { move, notBefore } = waiting;
    const fromNode = [...this.#running.values()].filter((running) => running.move.from === move.from).length;
    if (notBefore > this.#now || this.#running.size >= CLUSTER_WIDTH || fromNode >= OUTBOUND_WIDTH)
      return false;
    const startedAt = this.#now + this.#draw() * SLOWEST_POD_MS;
    const seen = { lowestMB: move.memory.memoryMB, lowestAt: startedAt };
    this.#running.set(move.vm, { ...waiting, startedAt, nextPollAt: startedAt, ...seen });
    return true;
  }

  #begin({ vm: key, from, to, memory, downtimeLimitSeconds }: Move): void {
    const copy = beginCopy(memory, downtimeLimitSeconds);
    this.#network = addFlow(this.#network, { key, from, to, copy }, this.#now);
  }

  #arrive(vm: string): void {
    this.#moveSeconds.push((this.#now - (this.#running.get(vm)?.startedAt ?? 0)) / 1000);
    this.#running.delete(vm);
    this.#lastEnd = this.#now;
  }

  #poll(running: Running): void {
    const remainingMB = copyAt(this.#network, running.move.vm, this.#now)?.remainingMB ?? 0;
    const isLower = remainingMB < running.lowestMB;
    const seen = isLower ? { ...running, lowestMB: remainingMB, lowestAt: this.#now } : running;
    this.#running.set(running.move.vm, seen);
    if (this.#mustCancel(seen)) this.#cancel(seen);
  }

  #mustCancel({ move, startedAt, lowestAt }: Running): boolean {
    const { result } = decide(pollTable, {
      mode: 'PreCopy',
      elapsedSeconds: (this.#now - startedAt) / 1000,
      timeoutSeconds: completionTimeoutSeconds(MIGRATIONS, Math.ceil(move.memory.memoryMB / 1000)),
      stalledSeconds: (this.#now - lowestAt) / 1000,
      configuration: MIGRATIONS,
      hasPassthroughDevice: false,
    });
    return result.action === 'Cancel';
  }

  #cancel({ move, failures }: Running): void {
    this.#network = removeFlow(this.#network, move.vm, this.#now);
    this.#running.delete(move.vm);
    this.#canceled += 1;
    const pauseSeconds = Math.min(backoffSeconds(failures + 1), LONGEST_BACKOFF_SECONDS);
    const notBefore = this.#now + pauseSeconds * 1000;
    this.#waiting = [...this.#waiting, { move, failures: failures + 1, notBefore }];
  }
}

/** Fisher and Yates. */
function shuffled<T>(values: readonly T[], draw: () => number): T[] {
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(draw() * (last + 1));
    const [a, b] = [mixed[last], mixed[other]];
    if (a === undefined || b === undefined) continue;
    mixed[last] = b;
    mixed[other] = a;
  }
  return mixed;
}

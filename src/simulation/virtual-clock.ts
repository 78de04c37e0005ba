import { nextTick } from 'node:process';
import type { Clock } from '../controllers/ports.ts';
import type { Instant } from '../kubevirt/time.ts';
import { TimerHeap } from './timer-heap.ts';

/** So many callbacks at one instant mean that somebody waits for nothing, again and again. */
const MOST_AT_ONCE = 100_000;

/**
 * Time that passes when it is told to.
 *
 * Promise: callbacks come in the order of their time, at equal times in the order in which they were asked for; between two
 * of them everybody whom the first one set going comes to rest, as long as he waits for promises of this process only
 * (microtasks). The same calls give the same course.
 */
export class VirtualClock implements Clock {
  readonly #timers = new TimerHeap();
  #now: Instant;

  /** Milliseconds since the epoch. */
  constructor(now: Instant = 0) {
    this.#now = now;
  }

  now(): Instant {
    return this.#now;
  }

  after(seconds: number, callback: () => void): () => void {
    return this.#timers.add(this.#now + Math.max(0, seconds) * 1000, callback);
  }

  /** When the next callback is due. */
  nextAt(): Instant | undefined {
    return this.#timers.first()?.at;
  }

  /** Lets everything happen that is due within so many seconds, and is that much later then. */
  async advance(seconds: number): Promise<void> {
    await this.advanceTo(this.#now + seconds * 1000);
  }

  async advanceTo(at: Instant): Promise<void> {
    await this.#run(at, () => false);
    this.#now = Math.max(this.#now, at);
  }

  /** Lets time pass until the question is answered by yes; `false` where that did not come within so many seconds. */
  async until(holds: () => boolean, withinSeconds: number): Promise<boolean> {
    await this.#run(this.#now + withinSeconds * 1000, holds);
    return holds();
  }

  /** Waits until everybody is at rest, without time passing, whoever asks: a promise, a message, a timer of Node. */
  async settle(): Promise<void> {
    await undefined;
    await noMicrotaskIsLeft();
  }

  async #run(end: Instant, enough: () => boolean): Promise<void> {
    await this.settle();
    for (let atOnce = 0; !enough(); atOnce++) {
      const timer = this.#timers.first();
      if (!timer || timer.at > end) return;
      if (timer.at > this.#now) atOnce = 0;
      if (atOnce > MOST_AT_ONCE) throw new Error(`${MOST_AT_ONCE} callbacks at ${this.#now}: a loop`);
      this.#now = timer.at;
      this.#timers.takeFirst();
      timer.callback();
      await noMicrotaskIsLeft();
    }
  }
}

/** Node runs the next tick when no microtask is left; but if it is asked outside of one, before the first of them. */
function noMicrotaskIsLeft(): Promise<void> {
  return new Promise((resolve) => nextTick(resolve));
}

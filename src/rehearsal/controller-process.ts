import type { Clock } from '../controllers/ports.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { Actor } from '../simulation/actors/actor.ts';

export interface ControllerProcessOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** What launchers are started from at the beginning. */
  readonly launcherImage: string;
  /** The controllers of a process that begins. */
  readonly controllers: () => readonly Actor[];
}

/**
 * The process of the controllers, in virtual time or in a lab. Several may have it stopped at a time: the last of them starts it
 * again, with the image that was named last.
 */
export class ControllerProcess {
  readonly #options: ControllerProcessOptions;
  #launcherImage: string;
  #since: Instant;
  #running: readonly Actor[] = [];
  /** How many have stopped it and not started it again. */
  #stops = 0;

  constructor(options: ControllerProcessOptions) {
    this.#options = options;
    this.#launcherImage = options.launcherImage;
    this.#since = options.clock.now();
  }

  /** What launchers are started from. */
  get launcherImage(): string {
    return this.#launcherImage;
  }

  /** Since when it runs. */
  get since(): Instant {
    return this.#since;
  }

  start(launcherImage = this.#launcherImage): void {
    this.#launcherImage = launcherImage;
    this.#stops = Math.max(0, this.#stops - 1);
    if (this.#stops > 0) return;
    this.#since = this.#options.clock.now();
    this.#running = this.#options.controllers();
    for (const actor of this.#running) actor.start();
  }

  /** What it has sent arrives; resolves then. */
  async stop(): Promise<void> {
    this.#stops++;
    const stopped = this.#running.map((actor) => actor.stop());
    this.#running = [];
    await Promise.all(stopped);
  }

  /** Another process takes over, which starts launchers from this image. */
  async restart(launcherImage: string): Promise<void> {
    await this.stop();
    this.start(launcherImage);
  }
}

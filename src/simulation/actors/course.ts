import type { Change, Clock, Cluster } from '../../controllers/ports.ts';
import type { Pod } from '../../kubevirt/objects.ts';

/** Something that runs to its end, or until it is called off. */
export interface Running<Result> {
  readonly done: Promise<Result>;
  /** Nothing is sent any more; what was sent is not taken back. */
  cancel(): void;
}

/** Time passing for one client: pauses and waits that end early when the client is called off. */
export class Course {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #endings = new Set<() => void>();
  readonly #watched = new Map<string, Set<() => void>>();
  readonly #nodeWatchers = new Set<() => void>();
  readonly #leave: () => void;
  #isCancelled = false;

  constructor(cluster: Cluster, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#leave = cluster.subscribe((change) => this.#hear(change));
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.close();
  }

  /** Ends all that is waited for, and listens no more. */
  close(): void {
    this.#leave();
    for (const end of [...this.#endings]) end();
  }

  /** Resolves after so many seconds, at once for zero, early when the client is called off. */
  pause(seconds: number): Promise<void> {
    if (seconds <= 0) return Promise.resolve();
    return this.#wait((end) => this.#clock.after(seconds, end));
  }

  /** Resolves at the next change of the pod, after so many seconds (a millisecond at least, so that time passes), or when the client is called off. */
  changeOf(key: string, withinSeconds: number): Promise<void> {
    return this.#wait((end) => {
      const watchers = this.#watched.get(key) ?? new Set();
      this.#watched.set(key, watchers.add(end));
      const callOff = Number.isFinite(withinSeconds)
        ? this.#clock.after(Math.max(0.001, withinSeconds), end)
        : () => {};
      return () => {
        callOff();
        watchers.delete(end);
        if (watchers.size === 0) this.#watched.delete(key);
      };
    });
  }

  /** Resolves once it holds, which is asked now and at every change of a node; early when the client is called off. */
  async untilNodes(hold: () => boolean): Promise<void> {
    while (!this.#isCancelled && !hold()) {
      await this.#wait((end) => {
        this.#nodeWatchers.add(end);
        return () => this.#nodeWatchers.delete(end);
      });
    }
  }

  pod(key: string): Pod | undefined {
    return this.#cluster.fleet.get('Pod', key);
  }

  #wait(begin: (end: () => void) => () => void): Promise<void> {
    if (this.#isCancelled) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        this.#endings.delete(end);
        stop();
        resolve();
      };
      this.#endings.add(end);
      const stop = begin(end);
    });
  }

  #hear({ kind, key }: Change): void {
    if (kind === 'Node') for (const end of [...this.#nodeWatchers]) end();
    if (kind !== 'Pod') return;
    for (const end of [...(this.#watched.get(key) ?? [])]) end();
  }
}

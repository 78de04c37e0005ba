/** What runs while a process leads. */
export interface Term {
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
}

/**
 * Term after term: each begins when the one before has ended to its last write.
 *
 * Promise: `begin` and `end` may come at any time and in any number, as a lease comes and goes; two terms never run at once, and
 * after `close` none begins.
 */
export class Terms {
  readonly #start: () => Term;
  #isWanted = false;
  #isClosed = false;
  #running: Term | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(start: () => Term) {
    this.#start = start;
  }

  begin(): void {
    this.#isWanted = true;
    this.#inTurn(async () => {
      if (this.#isWanted && !this.#isClosed) this.#running ??= this.#start();
    });
  }

  end(): void {
    this.#isWanted = false;
    this.#inTurn(() => this.#stop());
  }

  /** Resolves when no term runs and none will. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.end();
    await this.#turn;
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turn = this.#turn.then(work);
  }
}

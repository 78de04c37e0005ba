import type { Clock, Log } from '../../../controllers/ports.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import { messageOf } from '../../../kubevirt/thrown.ts';
import type { Turnstile } from './turnstile.ts';

/** Something to be done. Undefined: there was nothing to be told of. */
export type Deed = () => Promise<ApiResult | undefined>;

interface Plan {
  readonly id: string;
  readonly callOff: () => void;
}

const FIRST_RETRY_SECONDS = 0.5;
const LAST_RETRY_SECONDS = 30;
const GONE = 404;

/**
 * What an agent is going to do about one matter, at most one thing in each lane (say, a VMI), each at its time.
 *
 * Promise: a plan that stands or was carried out is not made again while its lane is planned with the same id, so an agent
 * may plan upon every change that it sees, also upon old ones; another id takes its place. A deed that is refused is tried
 * again, later and later; not so one whose object is gone.
 */
export class Plans {
  readonly #about: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #turnstile: Turnstile | undefined;
  readonly #lanes = new Map<string, Plan>();
  readonly #underWay = new Set<Promise<void>>();

  /** `about` stands in the log. With a turnstile, deeds go through it. */
  constructor(about: string, clock: Clock, log: Log, turnstile?: Turnstile) {
    this.#about = about;
    this.#clock = clock;
    this.#log = log;
    this.#turnstile = turnstile;
  }

  plan(lane: string, id: string, seconds: number, deed: Deed): void {
    const held = this.#lanes.get(lane);
    if (held?.id === id) return;
    held?.callOff();
    this.#set(lane, id, seconds, deed, FIRST_RETRY_SECONDS);
  }

  drop(lane: string): void {
    const held = this.#lanes.get(lane);
    if (!held) return;
    held.callOff();
    this.#lanes.delete(lane);
  }

  /** Plans nothing any more, and forgets what was done. Deeds under way go on. */
  dropAll(): void {
    for (const { callOff } of this.#lanes.values()) callOff();
    this.#lanes.clear();
  }

  /** Resolves when no deed is under way. */
  async atRest(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #set(lane: string, id: string, seconds: number, deed: Deed, retrySeconds: number): void {
    const callOff = this.#clock.after(seconds, () => this.#begin(lane, id, deed, retrySeconds));
    this.#lanes.set(lane, { id, callOff });
  }

  #begin(lane: string, id: string, deed: Deed, retrySeconds: number): void {
    const done = this.#carryOut(lane, id, deed, retrySeconds).then(() => void this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  async #carryOut(lane: string, id: string, deed: Deed, retrySeconds: number): Promise<void> {
    const problem = await (this.#turnstile?.run(() => problemOf(deed)) ?? problemOf(deed));
    if (problem === undefined) return;
    const told = { about: this.#about, lane, id, problem };
    this.#log.write('warn', 'a step of a node failed and is tried again', told);
    if (this.#lanes.get(lane)?.id !== id) return;
    this.#set(lane, id, retrySeconds, deed, Math.min(LAST_RETRY_SECONDS, retrySeconds * 2));
  }
}

async function problemOf(deed: Deed): Promise<string | undefined> {
  try {
    const result = await deed();
    return result === undefined || result.ok || result.code === GONE ? undefined : result.message;
  } catch (error) {
    return messageOf(error);
  }
}

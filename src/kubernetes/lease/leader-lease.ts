import type { Clock, Log, Metrics, Random } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Answer } from '../answer.ts';
import type { ApiClient, Call } from '../api-client.ts';
import { startDeadline } from '../deadline.ts';
import { sleep } from '../watch/sleep.ts';
import { collectionOf } from './lease-path.ts';
import { heldSpec, type LeaseRecord, mayTake, readLease, releasedSpec } from './lease-record.ts';

/** client-go's times. */
export interface LeaseTiming {
  /** How long others wait for a holder that is silent. */
  readonly leaseDurationSeconds: number;
  /** How long the holder tries to renew before it takes itself for no holder any more. Less than the duration. */
  readonly renewDeadlineSeconds: number;
  readonly retryPeriodSeconds: number;
}

const LEASE_TIMING: LeaseTiming = {
  leaseDurationSeconds: 15,
  renewDeadlineSeconds: 10,
  retryPeriodSeconds: 2,
};

export interface LeaderLeaseOptions {
  readonly api: ApiClient;
  readonly namespace: string;
  readonly name: string;
  /** Who this is; must be of this process alone. */
  readonly identity: string;
  /** Must never go back; see `steadyClock`. */
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly timing?: LeaseTiming | undefined;
  readonly onStartedLeading: () => void;
  readonly onStoppedLeading: () => void;
}

const HELD_BY_ANOTHER: Answer = { ok: false, message: 'held by another' };
const CANNOT_TAKE = 'the lease cannot be taken';

/** Tries come up to this factor later than the period, so that candidates do not come all at once. */
const JITTER = 1.2;

/**
 * One leader among several processes, by a Lease and client-go's rules.
 *
 * Promise: as long as clocks run at about the same pace, at most one process is told that it holds the lease at any moment;
 * one that cannot renew stops believing so well before another may take it. The lease's annotations are written under the
 * same lock: a write by one that is not the holder any more fails.
 */
export class LeaderLease {
  readonly #options: LeaderLeaseOptions;
  readonly #timing: LeaseTiming;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  /** One request to the lease at a time: renewals and annotations would take each other's version. */
  #turn: Promise<unknown> = Promise.resolve();
  #record: LeaseRecord | undefined;
  #seenAt: Instant = 0;
  #heldUntil: Instant = Number.NEGATIVE_INFINITY;
  /** Why it could not be taken, as told last. */
  #told: string | undefined;

  constructor(options: LeaderLeaseOptions) {
    this.#options = options;
    this.#timing = options.timing ?? LEASE_TIMING;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Gives the lease up if it is held. The caller has seen to it that no write is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#inTurn(() => this.#release());
  }

  /** The fence: whether this process holds the lease at this very moment. Ask before each write. */
  isHeld(): boolean {
    return this.#options.clock.now() < this.#heldUntil;
  }

  /** Who holds it, as far as known; empty where nobody does. */
  holder(): string {
    return this.#record?.holder ?? '';
  }

  annotation(name: string): string | undefined {
    return this.#record?.annotations[name];
  }

  /** Writes an annotation of the lease, if this process still holds it. */
  annotate(name: string, value: string): Promise<ApiResult> {
    return this.#inTurn(async () => {
      for (;;) {
        const result = await this.#annotateOnce(name, value);
        if (result.ok || result.code !== 409 || !this.isHeld()) return result;
        await this.#look();
      }
    });
  }

  async #annotateOnce(name: string, value: string): Promise<ApiResult> {
    const held = this.#record;
    if (!held || held.holder !== this.#options.identity || !this.isHeld()) {
      return { ok: false, message: 'the lease is not held' };
    }
    const answer = await this.#patch(held, { metadata: { annotations: { [name]: value } } });
    return answer.ok ? { ok: true, name: this.#options.name } : answer;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (await this.#inTurn(() => this.#takeOrRenew())) await this.#lead();
      else await this.#pause(this.#timing.retryPeriodSeconds * (1 + this.#options.random.next() * JITTER));
    }
  }

  /** Renews until that fails for too long, or until the end. */
  async #lead(): Promise<void> {
    const { log, identity, onStartedLeading, onStoppedLeading } = this.#options;
    log.write('info', 'leading', { identity });
    this.#note(true);
    onStartedLeading();
    while (this.isHeld() && !this.#stop.signal.aborted) {
      await this.#pause(Math.min(this.#timing.retryPeriodSeconds, this.#leftSeconds()));
      if (!this.#stop.signal.aborted) await this.#inTurn(() => this.#takeOrRenew());
    }
    this.#note(false);
    log.write('warn', 'leading no more', { identity, holder: this.holder() });
    onStoppedLeading();
  }

  #leftSeconds(): number {
    return Math.max(0, (this.#heldUntil - this.#options.clock.now()) / 1000);
  }

  /** True: the lease is this process's for the time of the renew deadline from the moment at which it was asked for. */
  async #takeOrRenew(): Promise<boolean> {
    const { clock, identity } = this.#options;
    if (this.#record?.holder !== identity) await this.#look();
    const askedAt = clock.now();
    const taken = await this.#takeNow();
    this.#tell(taken);
    if (taken.ok) this.#heldUntil = askedAt + this.#timing.renewDeadlineSeconds * 1000;
    if (this.#record?.holder !== identity) this.#heldUntil = Number.NEGATIVE_INFINITY;
    return taken.ok;
  }

  /** Somebody may have written to a lease that is still this process's: then its new version is good for another try. */
  async #takeNow(): Promise<Answer> {
    const taken = await this.#take();
    if (taken.ok || (taken.code !== 409 && taken.code !== 404)) return taken;
    await this.#look();
    return this.#record?.holder === this.#options.identity ? this.#take() : taken;
  }

  async #take(): Promise<Answer> {
    const { clock, identity } = this.#options;
    const record = this.#record;
    const spec = heldSpec(record, identity, this.#timing.leaseDurationSeconds, Date.now());
    if (!record) return this.#create(spec);
    if (!mayTake(record, identity, this.#seenAt, clock.now())) return HELD_BY_ANOTHER;
    return this.#patch(record, { spec });
  }

  /** Looks who holds it. A record that is not as it was before begins its time now. */
  async #look(): Promise<void> {
    const answer = await this.#call({ method: 'GET', path: this.#path() });
    if (answer.ok) this.#see(readLease(answer.object));
    else if (answer.code === 404) this.#record = undefined;
  }

  #see(record: LeaseRecord): void {
    if (record.renewedAt !== this.#record?.renewedAt || record.holder !== this.#record?.holder) {
      this.#seenAt = this.#options.clock.now();
    }
    this.#record = record;
  }

  async #create(spec: JsonObject): Promise<Answer> {
    const { namespace, name } = this.#options;
    const metadata = { namespace, name };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    return this.#write({ method: 'POST', path: collectionOf(namespace), body, verb: 'create' });
  }

  /** Changes the lease if it is still as `record` has it. */
  #patch(record: LeaseRecord, change: JsonObject): Promise<Answer> {
    const { resourceVersion } = record;
    const metadata = { ...(change.metadata as JsonObject | undefined), resourceVersion };
    return this.#write({
      method: 'PATCH',
      path: this.#path(),
      body: { ...change, metadata },
      contentType: 'application/merge-patch+json',
    });
  }

  async #write(call: Call): Promise<Answer> {
    const answer = await this.#call(call);
    if (answer.ok) this.#see(readLease(answer.object));
    return answer;
  }

  async #release(): Promise<void> {
    const held = this.#record;
    if (!held || held.holder !== this.#options.identity || !this.isHeld()) return;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    await this.#patch(held, { spec: releasedSpec(held, Date.now()) });
  }

  /** A request may take half of the renew deadline, so that a slow one leaves time for another. */
  async #call(call: Call): Promise<Answer> {
    const deadline = startDeadline(this.#timing.renewDeadlineSeconds / 2);
    const answer = await this.#options.api.call({ ...call, signal: deadline.signal });
    deadline.done();
    return answer;
  }

  /** That another holds it is nothing to tell; what keeps anybody from taking it is, once. */
  #tell(taken: Answer): void {
    const { log, name } = this.#options;
    const problem = taken.ok || taken === HELD_BY_ANOTHER || taken.code === 409 ? undefined : taken.message;
    if (problem !== undefined && problem !== this.#told) log.write('warn', CANNOT_TAKE, { name, problem });
    this.#told = problem;
  }

  #note(leading: boolean): void {
    this.#options.metrics.gauge('drover_leader', Number(leading), { name: this.#options.name });
  }

  #path(): string {
    return `${collectionOf(this.#options.namespace)}/${encodeURIComponent(this.#options.name)}`;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #pause(seconds: number): Promise<void> {
    return sleep(this.#options.clock, seconds, this.#stop.signal);
  }
}

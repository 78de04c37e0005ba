import type { PollDecision } from '../../../decide/migration/convergence.ts';
import type { GuestMemory } from '../../../decide/transfer/copy.ts';
import type { NewFlow } from '../../../decide/transfer/fluid-network.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { parseInstant } from '../../../kubevirt/time.ts';
import { afterRound, NO_THROTTLE, type Throttle, throttled } from '../../guests/auto-converge.ts';
import type { MigrationBehavior } from '../../guests/behavior.ts';
import {
  afterDecision,
  type CopyWatch,
  judgeCopy,
  lookOn,
  nextJudgementAt,
  watchCopy,
} from '../../guests/copy-watch.ts';
import { flowOf } from '../../guests/guest-copy.ts';
import { uidOf } from './guest-lane.ts';
import { copyMode } from './migration-writes.ts';
import type { Station } from './station.ts';

/** A little after the end of a round, whatever rounding makes of it. */
const ROUND_SLACK_SECONDS = 0.001;

/** Copies from one node, each under the eye of its launcher. */
export class SourceCopy {
  readonly #station: Station;
  readonly #lookAgain: (vmi: Vmi) => void;
  /** By the UID of the migration, as the failures are. */
  readonly #watches = new Map<string, CopyWatch>();
  readonly #failures = new Map<string, string>();

  /** `lookAgain` is called when a copy has got on without any object having changed. */
  constructor(station: Station, lookAgain: (vmi: Vmi) => void) {
    this.#station = station;
    this.#lookAgain = lookAgain;
  }

  /** Why the launcher gave a copy up; undefined: it did not. */
  failureOf(uid: string): string | undefined {
    return this.#failures.get(uid);
  }

  /** The migration is over. */
  forget(vmi: Vmi, uid: string): void {
    this.#watches.delete(uid);
    this.#failures.delete(uid);
    this.#station.copies.cancel(uid);
    const { copy, round } = this.#station.handlerPlans;
    copy.drop(uidOf(vmi));
    round.drop(uidOf(vmi));
  }

  /** Begins the copy of a migration that has started, or goes on with it. */
  follow(vmi: Vmi, behavior: MigrationBehavior): void {
    const uid = vmi.status?.migrationState?.migrationUid ?? '';
    const { copies } = this.#station;
    if (!this.#watches.has(uid)) this.#watches.set(uid, watchCopy(vmi, this.#startOf(vmi)));
    const isNew = !copies.isUnderWay(uid) && copies.ended(uid) === undefined;
    const flow = behavior.kind === 'copies' && isNew ? flowOf(vmi, behavior) : undefined;
    if (flow) this.#begin(vmi, flow);
    this.#planJudgement(vmi, uid);
  }

  #begin(vmi: Vmi, flow: NewFlow): void {
    const { key, copy } = flow;
    const { copies } = this.#station;
    copies.begin(flow, { onEnd: () => this.#lookAgain(vmi), onChange: () => this.#catchUp(key) });
    if (!this.#watches.get(key)?.configuration.allowAutoConverge) return;
    this.#planRoundEnd(vmi, key, copy.memory, NO_THROTTLE);
  }

  /** Slows the guest down after rounds in which it wrote too much. */
  #planRoundEnd(vmi: Vmi, key: string, free: GuestMemory, before: Throttle): void {
    const { copies, handlerPlans, clock } = this.#station;
    const seconds = copies.secondsToRoundEnd(key);
    if (seconds === undefined || !Number.isFinite(seconds)) return;
    handlerPlans.round.plan(uidOf(vmi), `${key} ${clock.now()}`, seconds + ROUND_SLACK_SECONDS, async () => {
      const copy = copies.copyOf(key);
      const after = copy ? afterRound(before, copy) : before;
      const memory = throttled(free, after.share);
      if (after.share !== before.share) copies.alter(key, (flow) => ({ copy: { ...flow.copy, memory } }));
      this.#planRoundEnd(vmi, key, free, after);
      return undefined;
    });
  }

  /** Now, if it has just begun; after a restart of the agent, when it did. */
  #startOf(vmi: Vmi): number {
    const now = this.#station.clock.now();
    const told = parseInstant(vmi.status?.migrationState?.startTimestamp) ?? now;
    return now - told < 2000 ? now : told;
  }

  #planJudgement(vmi: Vmi, uid: string): void {
    const { handlerPlans, clock } = this.#station;
    const watch = this.#watches.get(uid);
    const at = watch && nextJudgementAt(watch);
    if (at === undefined) {
      handlerPlans.copy.drop(uidOf(vmi));
      return;
    }
    handlerPlans.copy.plan(uidOf(vmi), `${uid} ${at}`, Math.max(0, at - clock.now()) / 1000, () =>
      this.#judge(vmi, uid),
    );
  }

  /** All looks up to now. */
  #catchUp(uid: string): CopyWatch | undefined {
    const { clock, copies } = this.#station;
    const watch = this.#watches.get(uid);
    if (!watch) return undefined;
    const isKnown = copies.isUnderWay(uid);
    const seen = lookOn(watch, clock.now(), (at) =>
      isKnown ? copies.copyOf(uid, at)?.remainingMB : undefined,
    );
    this.#watches.set(uid, seen);
    return seen;
  }

  async #judge(vmi: Vmi, uid: string): Promise<undefined> {
    const current = this.#station.fleet.get('VirtualMachineInstance', keyOf(vmi));
    const state = current?.status?.migrationState;
    const isOver =
      state?.migrationUid !== uid || state.completed === true || state.endTimestamp !== undefined;
    const watch = this.#catchUp(uid);
    if (!current || isOver || !watch) {
      this.#watches.delete(uid);
      return undefined;
    }
    const decision = judgeCopy(watch);
    this.#watches.set(uid, afterDecision(watch, decision));
    await this.#carryOut(current, uid, decision);
    this.#planJudgement(current, uid);
    return undefined;
  }

  async #carryOut(vmi: Vmi, uid: string, decision: PollDecision): Promise<void> {
    const { copies } = this.#station;
    if (decision.action === 'Continue') return;
    if (decision.action === 'Cancel') {
      this.forget(vmi, uid);
      this.#failures.set(uid, decision.failureReason);
      this.#lookAgain(vmi);
      return;
    }
    if (decision.action === 'RaiseDowntime') {
      const downtimeLimitSeconds = decision.maxDowntimeMs / 1000;
      copies.alter(uid, ({ copy }) => ({ copy: { ...copy, downtimeLimitSeconds } }));
    } else copies.endPreCopy(uid, decision.action === 'StartPostCopy' ? 'PostCopy' : 'StopAndCopy');
    const mode = this.#watches.get(uid)?.mode ?? '';
    await this.#station.writeVmi(vmi, (held) => copyMode(held, uid, mode));
  }
}

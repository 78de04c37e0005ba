import type { Clock } from '../../../controllers/ports.ts';
import type { ObjectMeta, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { type Instant, parseInstant } from '../../../kubevirt/time.ts';

/** Of whole seconds, and of news that were under way. */
const STALE_MILLISECONDS = 2500;

/**
 * When deletions were asked for, finer than the whole seconds that objects tell; after a restart of the agent, as finely as
 * they do.
 */
export class StopNotes {
  readonly #clock: Clock;
  /** By UID: the first request, and the latest change of the time granted. */
  readonly #notes = new Map<string, { readonly askedAt: Instant; grace: number; grantedAt: Instant }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** When the guest of a VMI was first told to stop, by the deletion of either. Undefined: it was not. */
  stopAskedAt(vmi: Vmi, pod: Pod | undefined): Instant | undefined {
    const asked = [vmi.metadata, pod?.metadata].flatMap((meta) => this.#noteOf(meta)?.askedAt ?? []);
    return asked.length === 0 ? undefined : Math.min(...asked);
  }

  /** When the time that a deleted pod was granted is over. */
  deadlineOf(pod: Pod): Instant | undefined {
    const note = this.#noteOf(pod.metadata);
    return note && note.grantedAt + note.grace * 1000;
  }

  forget(uid: string | undefined): void {
    if (uid !== undefined) this.#notes.delete(uid);
  }

  #noteOf(meta: ObjectMeta | undefined) {
    const deletedAt = parseInstant(meta?.deletionTimestamp);
    if (meta?.uid === undefined || deletedAt === undefined) return undefined;
    const grace = meta.deletionGracePeriodSeconds ?? 0;
    const held = this.#notes.get(meta.uid);
    if (held?.grace === grace) return held;
    const grantedAt = this.#fine(deletedAt - grace * 1000);
    const note = { askedAt: held?.askedAt ?? grantedAt, grace, grantedAt };
    this.#notes.set(meta.uid, note);
    return note;
  }

  #fine(told: Instant): Instant {
    const now = this.#clock.now();
    return Math.abs(now - told) < STALE_MILLISECONDS ? now : told;
  }
}

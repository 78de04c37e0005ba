import { EXPECTATION_TIMEOUT_SECONDS } from '../decide/expectations.ts';
import { isPodDownOrGoingDown } from '../decide/vmi/pod-state.ts';
import { vmiKeyOf } from '../decide/workload-update/survey.ts';
import { namespaceIn } from '../kubevirt/object-key.ts';
import type { Migration, Pod, Vmi } from '../kubevirt/objects.ts';
import { isFinal, isMarked, keyOf } from '../kubevirt/predicates.ts';
import { extended } from '../kubevirt/shapes.ts';
import type { Instant } from '../kubevirt/time.ts';
import { ANSWER_SECONDS } from './batch-memory.ts';
import type { Change, Clock } from './ports.ts';

/** What was asked of the API server for a VMI. */
export type Deed =
  | {
      readonly kind: 'migrate';
      /** Of the migration; absent: the API server makes it up. */
      readonly name?: string | undefined;
    }
  | {
      readonly kind: 'evict';
      /** Of the pod. */
      readonly name: string;
    };

type Held = Deed & { readonly uid: string | undefined; readonly until: Instant };

/**
 * VMIs for which something was sent that the cache does not show yet. Nobody does anything else for them meanwhile, whichever
 * controller sent it: all share this.
 *
 * Promise: a deed is in hand from before it is sent until its effect is seen, or it was refused, or five minutes have passed; one
 * of which nobody knows whether it was done, for as long as the API server may still be at it.
 */
export class DeedsInHand {
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();
  readonly #listeners = new Set<(vmi: Vmi) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(vmi: Vmi, deed: Deed): void {
    this.#hold(vmi, deed, EXPECTATION_TIMEOUT_SECONDS);
  }

  /** It was not done. */
  release(vmi: Vmi): void {
    if (this.#held.delete(keyOf(vmi))) this.#tell(vmi);
  }

  /** Nobody knows whether it was done. */
  doubt(vmi: Vmi, deed: Deed): void {
    if (!this.#held.has(keyOf(vmi))) return;
    this.#hold(vmi, deed, ANSWER_SECONDS);
    this.#tell(vmi);
  }

  /** Calls back with the VMI when what is in hand for it ends sooner than was to be expected, until the returned function is called. */
  onShortened(listener: (vmi: Vmi) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  has(vmi: Vmi): boolean {
    return this.heldUntil(vmi) !== undefined;
  }

  /** When what is in hand for the VMI counts no more, whatever is seen; undefined: nothing is. */
  heldUntil(vmi: Vmi): Instant | undefined {
    const held = this.#held.get(keyOf(vmi));
    if (!held || held.uid !== vmi.metadata.uid) return undefined;
    if (held.until > this.#clock.now()) return held.until;
    this.#held.delete(keyOf(vmi));
    return undefined;
  }

  /** `namespace/name` of the VMIs for which a migration was sent that is not seen yet. */
  unseenMigrations(): string[] {
    const now = this.#clock.now();
    const unseen = [...this.#held].filter(([, { kind, until }]) => kind === 'migrate' && until > now);
    return unseen.map(([key]) => key);
  }

  /** Takes in what the cache has learned. */
  observe(change: Change): void {
    if (this.#held.size === 0) return;
    const [key, isSeen] = this.#effectOf(change);
    if (key !== undefined && isSeen) this.#held.delete(key);
  }

  #tell(vmi: Vmi): void {
    for (const listener of this.#listeners) listener(vmi);
  }

  #hold(vmi: Vmi, deed: Deed, seconds: number): void {
    const until = this.#clock.now() + seconds * 1000;
    this.#held.set(keyOf(vmi), extended(deed, { uid: vmi.metadata.uid, until }));
  }

  /** The VMI that a change may be the effect for, and whether it is. */
  #effectOf({ kind, key, before, after }: Change): readonly [string | undefined, boolean] {
    switch (kind) {
      case 'VirtualMachineInstanceMigration': {
        const migration = (after ?? before) as Migration;
        const vmiKey = vmiKeyOf(migration);
        const held = this.#held.get(vmiKey);
        const name = held?.name ?? (before ? undefined : migration.metadata.name);
        return [vmiKey, held?.kind === 'migrate' && name === migration.metadata.name];
      }
      case 'VirtualMachineInstance':
        return [key, this.#isVmiGone(key, after as Vmi | undefined)];
      case 'Pod':
        return [this.#vmiWithPod(key), after === undefined || isPodDownOrGoingDown(after as Pod)];
      default:
        return [undefined, false];
    }
  }

  #isVmiGone(key: string, after: Vmi | undefined): boolean {
    const held = this.#held.get(key);
    if (!after || after.metadata.uid !== held?.uid) return true;
    const isOver = isFinal(after) || after.metadata.deletionTimestamp !== undefined || isMarked(after);
    return held?.kind === 'evict' && isOver;
  }

  #vmiWithPod(podKey: string): string | undefined {
    for (const [key, held] of this.#held) {
      if (held.kind === 'evict' && `${namespaceIn(key)}/${held.name}` === podKey) return key;
    }
    return undefined;
  }
}

import type { ApiResult } from '../../../decide/api-result.ts';
import {
  type BackgroundCount,
  type BackgroundEntry,
  backgroundAnswerTable,
  backgroundRequestTable,
  backgroundUpdateTable,
} from '../../../decide/drain/background-eviction.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import type { Instant } from '../../../kubevirt/time.ts';

/** What the descheduler remembers of pods that somebody moves away for it, by UID. */
export class BackgroundEvictions {
  readonly #isGateOn: boolean;
  readonly #entries = new Map<string, { readonly entry: BackgroundEntry; readonly key: string }>();

  constructor(isGateOn: boolean) {
    this.#isGateOn = isGateOn;
  }

  /** Whether the pod is still to be asked for; one that moves already is not. */
  isToBeSent(pod: Pod): boolean {
    const entry = this.#entries.get(uidOf(pod))?.entry;
    return resultOf(backgroundRequestTable, { pod, entry, isGateOn: this.#isGateOn }) === 'send';
  }

  /** Takes an answer in, and says what it counts for. */
  note(pod: Pod, key: string, answer: ApiResult, now: Instant): BackgroundCount {
    const result = resultOf(backgroundAnswerTable, { pod, isGateOn: this.#isGateOn, answer });
    if (result === 'assumed') this.#entries.set(uidOf(pod), { key, entry: { state: 'assumed', since: now } });
    return result;
  }

  /** A pod has changed or gone; `uid` is that of the one that was known. */
  update(uid: string, pod: Pod | undefined, now: Instant, sweeps = false): void {
    const held = this.#entries.get(uid);
    if (!held) return;
    const result = resultOf(backgroundUpdateTable, { pod, entry: held.entry, now, sweeps });
    if (result === 'keep') return;
    if (result === 'confirm') {
      this.#entries.set(uid, { key: held.key, entry: { state: 'confirmed', since: now } });
    } else this.#entries.delete(uid);
  }

  /** Drops what nothing has confirmed for long. */
  sweep(podOf: (key: string) => Pod | undefined, now: Instant): void {
    for (const [uid, { key }] of [...this.#entries]) this.update(uid, podOf(key), now, true);
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? '';
}

import { isNotFound } from '../../../decide/api-result.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { clientLimiter, EvictionRun, type EvictionRunOptions, type PodEnd } from './eviction-run.ts';

/** `--disable-eviction`: pods are deleted, past webhooks and budgets; the first that cannot be ends the drain of its node. */
export class DeletionRun {
  readonly #options: EvictionRunOptions;
  readonly #run: EvictionRun;
  readonly #limiter = clientLimiter();

  constructor(options: EvictionRunOptions) {
    this.#options = options;
    this.#run = new EvictionRun(options);
  }

  async remove(pods: readonly Pod[]): Promise<PodEnd[]> {
    const { context, client, course } = this.#options;
    for (const pod of pods) {
      if (course.isCancelled) return pods.map((left) => ({ pod: left, end: 'cancelled' }));
      await course.pause(this.#limiter.delaySeconds('', context.clock.now()));
      const graceSeconds = client.gracePeriodSeconds;
      const result = await context.cluster.delete('Pod', keyOf(pod), { graceSeconds });
      if (!result.ok && !isNotFound(result)) return [{ pod, end: 'left', error: result.message }];
    }
    return this.#run.waitFor(pods);
  }
}

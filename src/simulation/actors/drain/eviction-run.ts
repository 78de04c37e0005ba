import { type RateLimiter, TokenBucket } from '../../../controllers/rate-limit.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import { type DrainClient, graceSeconds } from '../../../decide/drain/clients.ts';
import {
  type EvictionAnswer,
  evictionStepTable,
  isTimeUp,
  tellTimeUp,
} from '../../../decide/drain/eviction-loop.ts';
import { evictionWaitTable, POLL_SECONDS } from '../../../decide/drain/eviction-wait.ts';
import { tellWaitedInVain } from '../../../decide/drain/kubectl-output.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { Instant } from '../../../kubevirt/time.ts';
import type { ActorContext } from '../actor.ts';
import type { Course } from '../course.ts';

/** How it ended with one pod. `left`: given up, or the time was up. */
export interface PodEnd {
  readonly pod: Pod;
  readonly end: 'gone' | 'left' | 'cancelled';
  /** What a client of kubectl's library says of a pod that is left. */
  readonly error?: string | undefined;
}

/** What a client says while it evicts. */
export interface EvictionTalk {
  evicting?(pod: Pod): void;
  /** A refusal that is tried again, or that is only logged. */
  refused?(says: string, pod: Pod): void;
  /** A pod that was waited for is gone. */
  gone?(pod: Pod): void;
}

export interface EvictionRunOptions {
  readonly context: ActorContext;
  readonly course: Course;
  readonly client: DrainClient;
  readonly talk?: EvictionTalk | undefined;
}

/** client-go's limit for a client of one API group: 5 requests a second, 10 at once. */
export function clientLimiter(): RateLimiter {
  return new TokenBucket(0.2, 10);
}

/** The evictions of one client on one node, all pods at once: each as often as the client's rules say, then waiting for it to go. */
export class EvictionRun {
  readonly #options: EvictionRunOptions;
  readonly #limiter = clientLimiter();
  readonly #startedAt: Instant;

  constructor(options: EvictionRunOptions) {
    this.#options = options;
    this.#startedAt = options.context.clock.now();
  }

  /** In the order in which they end. */
  async evict(pods: readonly Pod[]): Promise<PodEnd[]> {
    const ends: PodEnd[] = [];
    await Promise.all(pods.map(async (pod) => void ends.push(await this.#evict(pod))));
    return ends;
  }

  /** Waits for pods to go that somebody has deleted already. */
  async waitFor(pods: readonly Pod[]): Promise<PodEnd[]> {
    return Promise.all(pods.map((pod) => this.#waitFor(pod)));
  }

  async #evict(listed: Pod): Promise<PodEnd> {
    const { client, course, talk } = this.#options;
    const key = keyOf(listed);
    for (let pod = listed; !course.isCancelled; pod = course.pod(key) ?? listed) {
      talk?.evicting?.(pod);
      if (isTimeUp(client, this.#elapsedSeconds())) {
        return { pod, end: 'left', error: tellTimeUp(client, pod) };
      }
      await course.pause(this.#limiter.delaySeconds('', this.#now()));
      if (course.isCancelled) break;
      const answer = answerOf(await this.#send(pod));
      const next = resultOf(evictionStepTable, { client, pod, answer });
      if (next.step !== 'retry') return this.#conclude(pod, next.step, next.says);
      if (next.says) talk?.refused?.(next.says, pod);
      await course.pause(this.#pauseSeconds(next.afterSeconds));
    }
    return { pod: listed, end: 'cancelled' };
  }

  /** kubectl's library and the autoscaler sleep past their own deadline; Talos does not. */
  #pauseSeconds(afterSeconds: number): number {
    const { client } = this.#options;
    if (client.name !== 'talos-node' || !client.timeoutSeconds) return afterSeconds;
    return Math.min(afterSeconds, Math.max(0.001, client.timeoutSeconds - this.#elapsedSeconds()));
  }

  #conclude(pod: Pod, step: 'wait' | 'done' | 'give-up', says: string): Promise<PodEnd> | PodEnd {
    if (step === 'wait') return this.#waitFor(pod);
    return step === 'done' ? { pod, end: 'gone' } : this.#giveUp(pod, says);
  }

  #giveUp(pod: Pod, says: string): PodEnd {
    const { client, talk } = this.#options;
    if (client.otherErrors === 'error') return { pod, end: 'left', error: says };
    if (says) talk?.refused?.(says, pod);
    return { pod, end: 'left' };
  }

  #send(pod: Pod): Promise<ApiResult> {
    const { context, client } = this.#options;
    const { name, namespace = '' } = pod.metadata;
    const dryRun = client.flags.dryRun === 'server';
    const own = client.gracePeriodSeconds === undefined && client.maxGracePeriodSeconds === undefined;
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace, annotations: client.annotations },
      deleteOptions: {
        ...(!own && { gracePeriodSeconds: graceSeconds(client, pod) }),
        ...(dryRun && { dryRun: ['All'] }),
      },
    };
    return context.cluster.evict({ namespace, pod: name, body, dryRun });
  }

  /** Looks whenever the pod changes, and sees what it sees at the next full second, when the client looks. */
  async #waitFor(pod: Pod): Promise<PodEnd> {
    const { client, course, talk } = this.#options;
    const acceptedAt = this.#now();
    while (!course.isCancelled) {
      const waitedSeconds = (this.#now() - acceptedAt) / 1000;
      const look = {
        ...{ client, evicted: pod, found: course.pod(keyOf(pod)), now: this.#now() },
        ...{ waitedSeconds, elapsedSeconds: this.#elapsedSeconds() },
      };
      const result = resultOf(evictionWaitTable, look);
      if (result === 'time-is-up') return { pod, end: 'left', error: tellWaitedInVain(client, pod) };
      if (result !== 'wait') {
        await course.pause(untilNextLook(waitedSeconds));
        if (course.isCancelled) break;
        talk?.gone?.(pod);
        return { pod, end: 'gone' };
      }
      await course.changeOf(keyOf(pod), this.#secondsToLook(pod, waitedSeconds));
    }
    return { pod, end: 'cancelled' };
  }

  /** Until the wait for the pod may be over; for ever where only the pod can end it. */
  #secondsToLook(pod: Pod, waitedSeconds: number): number {
    const { client } = this.#options;
    const { waitSeconds, waitBeyondGraceSeconds, timeoutSeconds, flags } = client;
    if (flags.skipWaitForDeleteTimeoutSeconds > 0) return POLL_SECONDS;
    if (waitBeyondGraceSeconds !== undefined) {
      return graceSeconds(client, pod) + waitBeyondGraceSeconds - waitedSeconds;
    }
    const inAll = timeoutSeconds ? timeoutSeconds - this.#elapsedSeconds() : Number.POSITIVE_INFINITY;
    return Math.min(inAll, (waitSeconds ?? Number.POSITIVE_INFINITY) - waitedSeconds);
  }

  #elapsedSeconds(): number {
    return (this.#now() - this.#startedAt) / 1000;
  }

  #now(): Instant {
    return this.#options.context.clock.now();
  }
}

function untilNextLook(waitedSeconds: number): number {
  return Math.ceil(waitedSeconds / POLL_SECONDS) * POLL_SECONDS - waitedSeconds;
}

function answerOf(result: ApiResult): EvictionAnswer {
  if (result.ok) return { ok: true };
  const { code, message } = result;
  return {
    ok: false,
    code,
    message,
    isNamespaceTerminating: message.includes('because it is being terminated'),
  };
}

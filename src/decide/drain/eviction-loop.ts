/**
 * One client, one pod: what follows each answer to an eviction. Drains §1.4, §2 and §3 of the spec; kubectl v0.37
 * pkg/drain/drain.go evictPods.
 */
import type { Pod } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import { refOf } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import type { DrainClient } from './clients.ts';

/** What the API server said. `isNamespaceTerminating`: a 403 whose cause says so. */
export interface EvictionAnswer {
  readonly ok: boolean;
  readonly code?: number | undefined;
  readonly message?: string | undefined;
  readonly isNamespaceTerminating?: boolean | undefined;
}

export interface EvictionAttempt {
  readonly client: DrainClient;
  /** As the client last read it. */
  readonly pod: Pod;
  readonly answer: EvictionAnswer;
}

/**
 * `wait`: the eviction is accepted, wait for the pod to go. `retry`: read the pod again and evict it again after the pause.
 * `done`: the pod is finished with. `give-up`: so it is, in vain. `says` is what kubectl's library or Talos prints; nothing
 * for other clients.
 */
export type NextStep =
  | { readonly step: 'wait' | 'done' | 'give-up'; readonly says: string }
  | { readonly step: 'retry'; readonly afterSeconds: number; readonly says: string };

const LOOP = 'kubectl v0.37 pkg/drain/drain.go';

/** What a client does after an answer. The timeout is asked about separately, before each attempt: `isTimeUp`. */
export const evictionStepTable: Table<EvictionAttempt, NextStep> = [
  {
    name: 'DryRunAccepted',
    asks: 'the eviction was accepted, but only as a dry run',
    source: LOOP,
    when: ({ client, answer }) => answer.ok && client.flags.dryRun === 'server',
    reads: readAnswer,
    then: () => ({ step: 'done', says: '' }),
  },
  {
    name: 'Accepted',
    asks: 'the eviction was accepted',
    source: LOOP,
    when: ({ answer }) => answer.ok,
    reads: readAnswer,
    then: () => ({ step: 'wait', says: '' }),
  },
  {
    name: 'PodGone',
    asks: 'the pod is gone',
    source: LOOP,
    when: ({ answer }) => answer.code === 404,
    reads: readAnswer,
    then: () => ({ step: 'done', says: '' }),
  },
  {
    name: 'TooManyRequests',
    asks: 'the eviction was refused for now (429)',
    source: LOOP,
    when: ({ client, answer }) => answer.code === 429 && client.retriesAfter !== 'nothing',
    reads: readAnswer,
    then: (attempt) => retry(attempt, `error when evicting ${podOf(attempt)}`),
  },
  {
    name: 'NamespaceTerminating',
    asks: 'the namespace is being deleted, and the pod with it',
    source: LOOP,
    when: (attempt) => isNamespaceGoing(attempt) && isTerminating(attempt.pod),
    reads: readAnswer,
    then: () => ({ step: 'wait', says: '' }),
  },
  {
    name: 'NamespaceTerminatingFirst',
    asks: 'the namespace is being deleted, but not the pod yet',
    source: LOOP,
    when: isNamespaceGoing,
    reads: readAnswer,
    then: (attempt) => {
      const { name, namespace } = attempt.pod.metadata;
      return retry(
        attempt,
        `error when evicting pod ${quote(name)} from terminating namespace ${quote(namespace)}`,
      );
    },
  },
  {
    name: 'ErrorRetried',
    asks: 'another error, of a client that tries again after any',
    source: 'cluster-autoscaler v1.36.1 core/scaledown/actuation/drain.go',
    when: ({ client }) => client.retriesAfter === 'any-error',
    reads: readAnswer,
    then: (attempt) => retry(attempt, `error when evicting ${podOf(attempt)}`),
  },
  {
    name: 'ErrorLogged',
    asks: 'another error, which the client only logs',
    source: 'talos v1.13.0 pkg/kubernetes/kubernetes.go',
    when: ({ client }) => client.otherErrors === 'log',
    reads: readAnswer,
    then: ({ client, pod, answer }) => ({
      step: 'give-up',
      says:
        client.name === 'talos-node'
          ? `WARNING: failed to evict pod: failed to evict pod ${keyOf(pod)}: ${answer.message}`
          : '',
    }),
  },
  {
    name: 'Error',
    asks: 'another error',
    source: LOOP,
    when: () => true,
    reads: readAnswer,
    then: (attempt) => ({
      step: 'give-up',
      says: `error when evicting ${podOf(attempt)}: ${attempt.answer.message}`,
    }),
  },
];

/** The namespace rows are the kubectl library's; other clients take such an answer as any other error. */
function isNamespaceGoing({ client, answer }: EvictionAttempt): boolean {
  return isKubectlLibrary(client) && answer.code === 403 && answer.isNamespaceTerminating === true;
}

function isKubectlLibrary({ name }: DrainClient): boolean {
  return name === 'kubectl' || name === 'talosctl';
}

function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

function retry({ client, answer }: EvictionAttempt, prefix: string): NextStep {
  const afterSeconds = client.retryDelaySeconds;
  const says = `${prefix} (will retry after ${formatDuration(afterSeconds)}): ${answer.message}`;
  return { step: 'retry', afterSeconds, says: isKubectlLibrary(client) ? says : '' };
}

function podOf({ pod }: Pick<EvictionAttempt, 'pod'>): string {
  return `pods/${quote(pod.metadata.name)} -n ${quote(pod.metadata.namespace)}`;
}

function quote(text: string | undefined): string {
  return JSON.stringify(text ?? '');
}

/** What the API server said to an eviction of a pod. */
export function readAnswer({ pod, answer }: Pick<EvictionAttempt, 'pod' | 'answer'>): Evidence[] {
  const object = refOf(pod, 'Pod');
  return [
    { object, path: 'eviction.code', value: answer.code },
    { object, path: 'eviction.message', value: answer.message },
  ];
}

/**
 * Whether there is no time left for another attempt. The time runs from the first eviction on the node and is up at the
 * limit itself; 0 and absent are no limit.
 */
export function isTimeUp({ timeoutSeconds }: DrainClient, elapsedSeconds: number): boolean {
  return Boolean(timeoutSeconds) && elapsedSeconds >= (timeoutSeconds ?? 0);
}

/** What kubectl's library says of a pod for which there is no time left. */
export function tellTimeUp({ timeoutSeconds = 0 }: DrainClient, pod: Pod): string {
  return `error when evicting ${podOf({ pod })}: global timeout reached: ${formatDuration(timeoutSeconds)}`;
}

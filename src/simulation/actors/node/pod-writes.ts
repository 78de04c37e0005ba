/** What kubelet writes of a pod's status. Each keeps what is not its own; undefined: nothing to write. */
import type { Condition, Pod } from '../../../kubevirt/objects.ts';
import { isPodFinished } from '../../../kubevirt/predicates.ts';
import { formatInstant, type Instant } from '../../../kubevirt/time.ts';

export function isStarted(pod: Pod): boolean {
  return pod.status?.phase === 'Running' || isPodFinished(pod);
}

/** All containers run and are ready. */
export function podRunning(pod: Pod, podIP: string, now: Instant): Pod | undefined {
  if (isStarted(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const at = formatInstant(now);
  const ready = ['Initialized', 'ContainersReady', 'Ready'].map((type) => conditionOf(type, 'True', at));
  const containerStatuses = (pod.spec?.containers ?? []).map((container) => ({
    name: container.name,
    image: container.image ?? '',
    imageID: `${container.image ?? ''}@sha256:${'0'.repeat(64)}`,
    containerID: `containerd://${pod.metadata.uid}`,
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: at } },
    lastState: {},
  }));
  const started = { podIP, podIPs: [{ ip: podIP }], startTime: at, containerStatuses };
  return withStatus(pod, { phase: 'Running', conditions: withConditions(pod, ready) }, started);
}

/** All containers have ended. */
export function podEnded(pod: Pod, phase: 'Succeeded' | 'Failed', now: Instant): Pod | undefined {
  if (isPodFinished(pod)) return undefined;
  const at = formatInstant(now);
  const reason = phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  const over = ['ContainersReady', 'Ready'].map((type) => conditionOf(type, 'False', at, reason));
  const exitCode = phase === 'Succeeded' ? 0 : 1;
  const containerStatuses = (pod.spec?.containers ?? []).map((container) => ({
    name: container.name,
    image: container.image ?? '',
    imageID: `${container.image ?? ''}@sha256:${'0'.repeat(64)}`,
    ready: false,
    started: false,
    restartCount: 0,
    state: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: at } },
    lastState: {},
  }));
  return withStatus(pod, { phase, conditions: withConditions(pod, over) }, { containerStatuses });
}

function withStatus(pod: Pod, change: Pod['status'], more: object): Pod {
  return { ...pod, status: { ...pod.status, ...change, ...more } };
}

function conditionOf(type: string, status: string, lastTransitionTime: string, reason?: string): Condition {
  return { type, status, lastTransitionTime, ...(reason !== undefined && { reason }) };
}

/** In the places of those of their types, else at the end. */
function withConditions(pod: Pod, changed: readonly Condition[]): Condition[] {
  const held = pod.status?.conditions ?? [];
  const replaced = held.map((condition) => changed.find(({ type }) => type === condition.type) ?? condition);
  const added = changed.filter(({ type }) => !held.some((condition) => condition.type === type));
  return [...replaced, ...added];
}

/** What kubelet writes of a pod's status. Each keeps what is not its own; undefined: nothing to write. */
import type { Condition, Container, Pod } from '../../../kubevirt/objects.ts';
import { isPodFinished } from '../../../kubevirt/predicates.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../../../kubevirt/time.ts';

/** Of whatever image: nobody pulls any. */
const DIGEST = `@sha256:${'0'.repeat(64)}`;

/** Its containers run, or have run. */
export function isStarted(pod: Pod): boolean {
  return pod.status?.phase === 'Running' || isPodFinished(pod);
}

/** All containers run and are ready. */
export function podRunning(pod: Pod, podIP: string, now: Instant): Pod | undefined {
  if (isStarted(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const at = formatInstant(now);
  const ready = ['Initialized', 'ContainersReady', 'Ready'].map((type) => conditionOf(type, 'True', at));
  const started = { podIP, podIPs: [{ ip: podIP }], startTime: at, ...containersRunning(pod, at) };
  return withStatus(pod, { phase: 'Running', conditions: withConditions(pod, ready) }, started);
}

/** All containers have ended. */
export function podEnded(pod: Pod, phase: 'Succeeded' | 'Failed', now: Instant): Pod | undefined {
  if (isPodFinished(pod)) return undefined;
  const at = formatInstant(now);
  const reason = phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  const over = ['ContainersReady', 'Ready'].map((type) => conditionOf(type, 'False', at, reason));
  return withStatus(pod, { phase, conditions: withConditions(pod, over) }, containersEnded(pod, phase, at));
}

/** The part of the status that says how containers are, of a pod whose containers run since an instant. */
export function containersRunning(pod: Pod, startedAt: string): object {
  const runs = { running: { startedAt } };
  // kubectl counts those that run beside the others among the ready ones.
  return containerStatuses(pod, runs, (container) =>
    isSidecar(container) ? runs : terminated(0, startedAt),
  );
}

/** The same of a pod that has ended. */
export function containersEnded(pod: Pod, phase: string, finishedAt: string): object {
  const ended = terminated(phase === 'Succeeded' ? 0 : 1, finishedAt);
  return containerStatuses(pod, ended, () => terminated(0, finishedAt));
}

function containerStatuses(
  pod: Pod,
  state: ContainerState,
  stateOfInit: (container: Container) => ContainerState,
): object {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  return {
    containerStatuses: containers.map((container) => statusOf(pod, container, state)),
    ...(initContainers.length > 0 && {
      initContainerStatuses: initContainers.map((container) =>
        statusOf(pod, container, stateOfInit(container)),
      ),
    }),
  };
}

type ContainerState = { readonly running: object } | { readonly terminated: object };

function terminated(exitCode: number, finishedAt: string): ContainerState {
  return { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt } };
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

function statusOf(pod: Pod, { name, image = '' }: Container, state: ContainerState): object {
  const isUp = 'running' in state;
  return {
    name,
    image,
    imageID: image + DIGEST,
    ...(isUp && { containerID: `containerd://${pod.metadata.uid}` }),
    ready: isUp,
    started: isUp,
    restartCount: 0,
    state,
    lastState: {},
  };
}

function withStatus(pod: Pod, change: Pod['status'], more: object): Pod {
  return { ...pod, status: extended(extended(pod.status ?? {}, change ?? {}), more) };
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

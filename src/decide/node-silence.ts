/**
 * What Kubernetes makes of a node whose kubelet has stopped reporting: kubernetes v1.36 pkg/controller/nodelifecycle,
 * pkg/controller/tainteviction. Nobody forces anything: pods that are deleted stay on their way out until the node is back.
 */
import { CONDITION, TAINT } from '../kubevirt/names.ts';
import type { Condition, Node, Pod } from '../kubevirt/objects.ts';
import { findCondition } from '../kubevirt/predicates.ts';
import { formatInstant, type Instant } from '../kubevirt/time.ts';
import { type Taint, tolerates } from './placement/tolerations.ts';

/** How long a kubelet may be silent (`--node-monitor-grace-period`). */
export const SILENCE_SECONDS = 50;

/** What the API server lets every pod tolerate that says nothing itself (DefaultTolerationSeconds). */
const TOLERATED_SECONDS = 300;

const UNREACHABLE: readonly Taint[] = [
  { key: TAINT.unreachable, effect: 'NoSchedule' },
  { key: TAINT.unreachable, effect: 'NoExecute' },
];

/** After how many seconds on an unreachable node a pod is deleted; undefined: never. */
export function deletedAfterSeconds(pod: Pod): number | undefined {
  const [, executed] = UNREACHABLE;
  const own = (pod.spec?.tolerations ?? []).filter(
    (toleration) => executed !== undefined && tolerates([toleration], executed),
  );
  if (own.length === 0) return TOLERATED_SECONDS;
  const limits = own.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  return limits.length > 0 ? Math.max(0, Math.min(...limits)) : undefined;
}

/** A node that nobody hears of; one that is so already stays as it is. */
export function unreachable(node: Node, now: Instant): Node | undefined {
  const message = 'Kubelet stopped posting node status.';
  const condition = { type: CONDITION.ready, status: 'Unknown', reason: 'NodeStatusUnknown', message };
  return withReadiness(node, condition, UNREACHABLE, now);
}

/** A node that reports again. */
export function reachable(node: Node, now: Instant): Node | undefined {
  const condition = { type: CONDITION.ready, status: 'True', reason: 'KubeletReady' };
  return withReadiness(node, condition, [], now);
}

/** Only the taints, for the door of the spec; the conditions go through that of the status. */
export function withTaintsOf(node: Node, other: Node): Node {
  return { ...node, spec: { ...node.spec, taints: other.spec?.taints ?? [] } };
}

function withReadiness(
  node: Node,
  wanted: Condition,
  taints: readonly Taint[],
  now: Instant,
): Node | undefined {
  const conditions = node.status?.conditions ?? [];
  if (findCondition(conditions, wanted.type)?.status === wanted.status) return undefined;
  const others = conditions.filter(({ type }) => type !== wanted.type);
  const made = { ...wanted, lastTransitionTime: formatInstant(now) };
  const kept = (node.spec?.taints ?? []).filter(({ key }) => key !== TAINT.unreachable);
  return {
    ...node,
    spec: { ...node.spec, taints: [...kept, ...taints] },
    status: { ...node.status, conditions: [...others, made] },
  };
}

/** A pod on an unreachable node is not ready; what is known of it otherwise stays. */
export function notReady(pod: Pod, now: Instant): Pod | undefined {
  const conditions = pod.status?.conditions ?? [];
  if (findCondition(conditions, CONDITION.ready)?.status !== 'True') return undefined;
  const lastTransitionTime = formatInstant(now);
  const made = conditions.map((condition) =>
    condition.type === CONDITION.ready ? { ...condition, status: 'False', lastTransitionTime } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions: made } };
}

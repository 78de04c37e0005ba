/** What pods use of a quota, and how its status tells it. kubernetes v1.36 pkg/controller/resourcequota, pkg/quota/v1/evaluator/core/pods.go. */
import type { Pod, ResourceQuota } from '../../kubevirt/objects.ts';
import { isPodFinished } from '../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';
import { chargeOf } from './quota.ts';
import { appliesTo } from './quota-scope.ts';
import { type Amounts, amountOf } from './resources.ts';

const OBJECTS = 'count/pods';

/**
 * What a pod takes of a quota, of what the quota counts at all. A pod that has ended, or should have been gone by now, only counts
 * as an object.
 */
export function useOf(quota: ResourceQuota, pod: Pod, now: Instant): Amounts {
  if (!appliesTo(quota, pod)) return new Map();
  const isObjectOnly = isPodFinished(pod) || isOverdue(pod, now);
  const hard = quota.spec?.hard ?? {};
  return new Map(
    [...chargeOf(pod)].filter(
      ([resource]) => hard[resource] !== undefined && (!isObjectOnly || resource === OBJECTS),
    ),
  );
}

/** Its deletion time, grace included, has passed, and nobody has ended it: its node does not answer. */
function isOverdue({ metadata }: Pod, now: Instant): boolean {
  const goneBy = parseInstant(metadata.deletionTimestamp);
  return goneBy !== undefined && metadata.deletionGracePeriodSeconds !== undefined && now > goneBy;
}

/** The status for what pods use together. What the quota counts besides pods stays as it was told last. */
export function quotaStatus({ spec, status }: ResourceQuota, used: Amounts): ResourceQuota['status'] {
  const hard = spec?.hard ?? {};
  const entries = Object.keys(hard).map((resource) => [
    resource,
    isOfPods(resource) ? quantityOf(resource, used.get(resource) ?? 0) : (status?.used?.[resource] ?? '0'),
  ]);
  return { ...status, hard, used: Object.fromEntries(entries) };
}

/** A quota that has let the pod in. */
export function withPod(quota: ResourceQuota, pod: Pod, now: Instant): ResourceQuota {
  const use = useOf(quota, pod, now);
  if (use.size === 0) return quota;
  const used = { ...quota.status?.used };
  for (const [resource, amount] of use) {
    used[resource] = quantityOf(resource, amountOf(resource, used[resource]) + amount);
  }
  return { ...quota, status: { ...quota.status, used } };
}

const POD_RESOURCES: ReadonlySet<string> = new Set(['pods', OBJECTS, 'cpu', 'memory', 'ephemeral-storage']);

function isOfPods(resource: string): boolean {
  const isStorage = resource === 'requests.storage';
  return POD_RESOURCES.has(resource) || (!isStorage && /^(requests|limits)\./.test(resource));
}

/** As a quantity of the API: thousandths only where there are any. */
function quantityOf(resource: string, amount: number): string {
  const isCpu = resource === 'cpu' || resource.endsWith('.cpu');
  if (!isCpu) return String(amount);
  return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
}

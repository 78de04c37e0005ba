import type { EvictionCall } from '../controllers/ports.ts';
import type { ApiFailure, ApiResult } from '../decide/api-result.ts';
import { selectsPod } from '../decide/budget/controller.ts';
import { charged } from '../decide/budget/disruption.ts';
import { budgetTable } from '../decide/disruption-budget.ts';
import { resultOf } from '../decide/rules.ts';
import type { Kind, KindMap } from '../fleet/fleet.ts';
import { objectAt } from '../kubevirt/json.ts';
import type { Pod, PodDisruptionBudget } from '../kubevirt/objects.ts';
import { isPodFinished } from '../kubevirt/predicates.ts';
import { project } from '../kubevirt/projection.ts';
import { badRequest, notFound } from './api-failures.ts';
import type { MemoryApi } from './memory-api.ts';
import type { StoredObject } from './stored-object.ts';

/** A webhook in the way of evictions: why it refuses, or nothing. */
export type EvictionWebhook = (call: EvictionCall) => ApiFailure | undefined;

/**
 * Evicts a pod as the API server does, in its order: the names must agree; the webhook is asked, on a dry run too; there must be
 * such a pod; one that has ended, not begun or is on its way out goes without more ado; the disruption budgets are asked. What
 * is let through is deleted, unless it is a dry run. kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go.
 */
export function evictPod(api: MemoryApi, call: EvictionCall, webhook?: EvictionWebhook): ApiResult {
  const { namespace, pod: name } = call;
  const { name: named } = objectAt({ ...call.body }, 'metadata');
  if (named !== name) return badRequest('name in URL does not match name in Eviction object');
  const refused = webhook?.(call);
  if (refused) return refused;
  const key = `${namespace}/${name}`;
  const stored = api.get('Pod', key);
  if (!stored) return notFound('Pod', name);
  const pod = project('Pod', stored);
  return (isSpared(pod) ? undefined : askBudgets(api, pod, call.dryRun)) ?? remove(api, key, name, call);
}

/** What budgets are not asked about. */
function isSpared(pod: Pod): boolean {
  return (
    isPodFinished(pod) || pod.status?.phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined
  );
}

function askBudgets(api: MemoryApi, pod: Pod, dryRun = false): ApiFailure | undefined {
  const namespace = pod.metadata.namespace;
  const inNamespace = <K extends Kind>(kind: K) => projected(api, kind, namespace);
  const budgets = inNamespace('PodDisruptionBudget').filter((budget) => selectsPod(budget, pod));
  if (budgets.length === 0) return undefined;
  const result = resultOf(budgetTable, { pod, budgets, pods: selectedPods(api, budgets) });
  if ('refusal' in result) {
    const { code, message } = result.refusal;
    return { ok: false, code, message, ...(code === 429 && { reason: 'TooManyRequests' }) };
  }
  if (result.kind === 'Unknown') return { ok: false, code: 500, message: result.message };
  if (result.budget !== undefined && !dryRun) {
    const now = api.now();
    const change = (held: StoredObject) => charged(held as PodDisruptionBudget, pod, now) as StoredObject;
    api.modify('PodDisruptionBudget', `${namespace}/${result.budget}`, change, { subresource: 'status' });
  }
  return undefined;
}

/** Of all pods only those that count for one of the budgets. */
function selectedPods(api: MemoryApi, budgets: readonly PodDisruptionBudget[]): Pod[] {
  return [...api.list('Pod')]
    .filter((pod) => budgets.some((budget) => selectsPod(budget, pod as Pod)))
    .map((pod) => project('Pod', pod));
}

function projected<K extends Kind>(api: MemoryApi, kind: K, namespace: string | undefined): KindMap[K][] {
  return [...api.list(kind)]
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map((object) => project(kind, object) as KindMap[K]);
}

function remove(api: MemoryApi, key: string, name: string, { body, dryRun }: EvictionCall): ApiResult {
  if (dryRun) return { ok: true, name };
  const { gracePeriodSeconds } = objectAt({ ...body }, 'deleteOptions');
  const graceSeconds = typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined;
  return api.delete('Pod', key, { graceSeconds });
}

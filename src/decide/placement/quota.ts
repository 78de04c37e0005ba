/**
 * Whether the quotas of a namespace let a pod in.
 * kubernetes pkg/quota/v1/evaluator/core/pods.go, apiserver/pkg/admission/plugin/resourcequota/controller.go.
 */
import type { Container, Pod, ResourceQuota } from '../../kubevirt/objects.ts';
import { byName, compareText } from '../../kubevirt/order.ts';
import { field, refOf } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import { appliesTo } from './quota-scope.ts';
import {
  type Amounts,
  amountOf,
  amountsOf,
  plus,
  podLimits,
  podRequests,
  requestsOf,
  tellAmount,
} from './resources.ts';

/** The words in KubeVirt's condition for a refused target: a refusal is told apart by them (migration.go:716-856). */
const EXCEEDED_QUOTA = 'exceeded quota';

export interface QuotaRefusal {
  readonly quota: string;
  readonly reason: 'ExceededQuota' | 'QuotaMustSpecify';
  /** As the API server words it. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

export interface QuotaQuestion {
  /** The pod to be created. */
  readonly pod: Pod;
  readonly quotas: readonly ResourceQuota[];
  /** A pod that still counts as used and is gone by then. */
  readonly released?: Pod | undefined;
  /** Further ones of which that holds. */
  readonly leaving?: readonly Pod[] | undefined;
  /** Pods that are created before it and do not count as used yet. */
  readonly coming?: readonly Pod[] | undefined;
  /** KubeVirt gives launchers limits where a quota wants them, so missing ones say nothing (gate AutoResourceLimitsGate). */
  readonly limitsAreAutomatic?: boolean | undefined;
}

export interface QuotaVerdict {
  /** The first refusal, by name of the quota; a container without a required request comes before arithmetic. */
  readonly refusal?: QuotaRefusal | undefined;
  /** What is not known: a quota without status, or limits that KubeVirt will work out. */
  readonly missing: readonly string[];
}

/** Whether the quotas of the namespace that apply to a pod would let it be created (kubernetes plugin/pkg/admission/resourcequota). */
export function judgeQuotas(question: QuotaQuestion): QuotaVerdict {
  const quotas = question.quotas.filter((quota) => appliesTo(quota, question.pod)).sort(byName);
  const unspecified = quotas.map((quota) => specificationOf(quota, question));
  const counted = quotas.map((quota) => countAgainst(quota, question));
  const refusal = [...unspecified, ...counted].find((judged) => judged.refusal)?.refusal;
  return { refusal, missing: [...unspecified, ...counted].flatMap(({ missing }) => missing ?? []) };
}

interface Judged {
  readonly refusal?: QuotaRefusal;
  readonly missing?: string;
}

function hardOf({ spec, status }: ResourceQuota): Amounts {
  return amountsOf(status?.hard ?? spec?.hard);
}

/** Where a quota counts one of these, every container must say what it asks for. */
const MUST_BE_SPECIFIED = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory'];

function specificationOf(quota: ResourceQuota, { pod, limitsAreAutomatic }: QuotaQuestion): Judged {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const lacking = MUST_BE_SPECIFIED.filter((resource) => hardOf(quota).has(resource)).flatMap((resource) => {
    const names = containers.filter((container) => !specifies(container, resource)).map(({ name }) => name);
    return names.length > 0 ? [{ resource, names: [...new Set(names)].sort() }] : [];
  });
  if (lacking.length === 0) return {};
  if (limitsAreAutomatic && lacking.every(({ resource }) => resource.startsWith('limits.'))) {
    return {
      missing: `limits that KubeVirt will give the next launcher, for ${refOf(quota, 'ResourceQuota')}`,
    };
  }
  const told = lacking.map(({ resource, names }) => `${resource} for: ${names.join(',')}`).join('; ');
  const evidence = lacking.map(({ resource }) => hardField(quota, resource));
  const message = `failed quota: ${quota.metadata.name}: must specify ${told}`;
  return { refusal: { quota: quota.metadata.name, reason: 'QuotaMustSpecify', message, evidence } };
}

function specifies(container: Container, resource: string): boolean {
  const limited = resource.startsWith('limits.');
  const amounts = limited ? amountsOf(container.resources?.limits) : requestsOf(container);
  return amounts.has(resource.replace(/^(limits|requests)\./, ''));
}

function countAgainst(
  quota: ResourceQuota,
  { pod, released, leaving = [], coming = [] }: QuotaQuestion,
): Judged {
  const { used } = quota.status ?? {};
  const charges = [...chargeOf(pod)].filter(([resource]) => hardOf(quota).has(resource));
  const uncounted = charges
    .filter(([resource]) => used?.[resource] === undefined)
    .map(([resource]) => resource);
  if (uncounted.length > 0) {
    const what = used ? `status.used[${uncounted.join(', ')}]` : 'status.used';
    return { missing: `${what} of ${refOf(quota, 'ResourceQuota')}` };
  }
  const gone = leaving.filter((other) => appliesTo(quota, other));
  const freed = [...(released ? [released] : []), ...gone].map(chargeOf).reduce(plus, new Map());
  const added = coming
    .filter((other) => appliesTo(quota, other))
    .map(chargeOf)
    .reduce(plus, new Map());
  const counts = charges.map(([resource, requested]) => {
    const change = (added.get(resource) ?? 0) - (freed.get(resource) ?? 0);
    const before = amountOf(resource, used?.[resource]) + change;
    return { resource, requested, before, hard: hardOf(quota).get(resource) ?? 0 };
  });
  const over = counts.filter(({ requested, before, hard }) => before + requested > hard);
  return over.length > 0 ? { refusal: exceeded(quota, over) } : {};
}

interface Count {
  readonly resource: string;
  readonly requested: number;
  readonly before: number;
  readonly hard: number;
}

function exceeded(quota: ResourceQuota, over: readonly Count[]): QuotaRefusal {
  const sorted = [...over].sort((a, b) => compareText(a.resource, b.resource));
  const list = (of: (count: Count) => number) =>
    sorted.map((count) => `${count.resource}=${tellAmount(count.resource, of(count))}`).join(',');
  const requested = list((count) => count.requested);
  const used = list((count) => count.before);
  const limited = list((count) => count.hard);
  const { name } = quota.metadata;
  return {
    quota: name,
    reason: 'ExceededQuota',
    message: `${EXCEEDED_QUOTA}: ${name}, requested: ${requested}, used: ${used}, limited: ${limited}`,
    evidence: sorted.flatMap(({ resource }) => [hardField(quota, resource), usedField(quota, resource)]),
  };
}

function hardField(quota: ResourceQuota, resource: string): Evidence {
  const { status, spec } = quota;
  return status?.hard
    ? field(quota, `status.hard[${resource}]`, status.hard[resource], 'ResourceQuota')
    : field(quota, `spec.hard[${resource}]`, spec?.hard?.[resource], 'ResourceQuota');
}

function usedField(quota: ResourceQuota, resource: string): Evidence {
  return field(quota, `status.used[${resource}]`, quota.status?.used?.[resource], 'ResourceQuota');
}

/** What a pod counts for, by the names that quotas use. */
export function chargeOf(pod: Pod): Amounts {
  const charge = new Map([
    ['pods', 1],
    ['count/pods', 1],
  ]);
  for (const [resource, amount] of podRequests(pod)) {
    charge.set(`requests.${resource}`, amount);
    if (!resource.includes('/')) charge.set(resource, amount);
  }
  for (const [resource, amount] of podLimits(pod)) {
    if (['cpu', 'memory', 'ephemeral-storage'].includes(resource)) charge.set(`limits.${resource}`, amount);
  }
  return charge;
}

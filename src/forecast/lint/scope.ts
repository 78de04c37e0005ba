import type { Kind } from '../../fleet/fleet.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import { isInScope } from '../scope.ts';
import type { LintContext } from './context.ts';
import type { Concerns, Found } from './finding.ts';

/** Settings of the whole cluster, although the object stands in a namespace. */
const CLUSTER_WIDE: ReadonlySet<Kind> = new Set(['KubeVirt']);

type Named = Parameters<Concerns>[1];

/**
 * What is left of findings for a scope.
 *
 * Promise: objects without a namespace, and the KubeVirt object, always stay; of the others those in the namespace whose own
 * labels, or the labels of whose VM, the selector takes. A finding speaks only of what is left of it, and goes when
 * nothing is. An empty scope leaves everything as it is.
 */
export function inScope(cluster: LintContext, found: readonly Found[]): readonly Found[] {
  const { namespace, selector } = cluster.forecast.scope;
  if (namespace === undefined && selector === undefined) return found;
  const concerns: Concerns = (kind, object) => isConcerned(cluster, kind, object);
  return found.flatMap((finding) => finding.among?.(concerns) ?? [finding]);
}

function isConcerned(cluster: LintContext, kind: Kind, object: Named): boolean {
  const { namespace, selector } = cluster.forecast.scope;
  if (CLUSTER_WIDE.has(kind) || object.metadata.namespace === undefined) return true;
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  if (selector === undefined) return true;
  const labels = cluster.fleet.get(kind, keyOf(object))?.metadata.labels;
  return matchesSelector(selector, labels ?? {}) || isAboutVmInScope(cluster, kind, object);
}

/** A VM and what has its name; a budget when it selects the pod of such a VM. */
function isAboutVmInScope({ fleet, forecast, budgets }: LintContext, kind: Kind, object: Named): boolean {
  if (kind !== 'PodDisruptionBudget') return isInScope(fleet, forecast.scope, object);
  const budget = fleet.get(kind, keyOf(object));
  const pods = budget ? (budgets.selections().get(budget) ?? []) : [];
  return pods.some((pod) => {
    const vmi = fleet.vmiOfLauncher(pod);
    return vmi !== undefined && isInScope(fleet, forecast.scope, vmi);
  });
}

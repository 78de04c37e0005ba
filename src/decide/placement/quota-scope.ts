import { meets, type Requirement } from '../../kubevirt/node-selector.ts';
import type { Pod, PodAffinityTerm, ResourceQuota } from '../../kubevirt/objects.ts';
import { affinityTerms, antiAffinityTerms } from './affinity-terms.ts';
import { amountOf } from './resources.ts';

/**
 * Whether a quota counts the pod: every scope must fit (kubernetes pkg/quota/v1/evaluator/core/pods.go
 * podMatchesScopeFunc). Of affinity only required terms are seen. Promise: a scope that is not known fits nothing.
 */
export function appliesTo({ spec }: ResourceQuota, pod: Pod): boolean {
  const scopes = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: undefined })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
  return scopes.every(({ scopeName, operator, values }) => {
    return fitsScope(pod, { key: scopeName, operator, values });
  });
}

function fitsScope(pod: Pod, scope: Requirement): boolean {
  switch (scope.key) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return meets(scope, pod.spec?.priorityClassName || undefined);
    case 'CrossNamespacePodAffinity':
      return [...affinityTerms(pod), ...antiAffinityTerms(pod)].some(looksElsewhere);
    default:
      return false;
  }
}

/** It ends by a deadline of its own; nothing to do with being deleted. */
function isTerminating({ spec }: Pod): boolean {
  return spec?.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

function isBestEffort({ spec }: Pod): boolean {
  const resources = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    { resources: spec?.resources },
  ]
    .map((container) => container.resources)
    .flatMap((of) => [of?.requests, of?.limits]);
  return resources.every((of) => ['cpu', 'memory'].every((name) => amountOf(name, of?.[name]) === 0));
}

function looksElsewhere({ namespaces, namespaceSelector }: PodAffinityTerm): boolean {
  return (namespaces ?? []).length > 0 || namespaceSelector !== undefined;
}

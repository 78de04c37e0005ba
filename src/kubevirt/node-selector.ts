/**
 * Which nodes a pod asks for: `nodeSelector`, the terms of a required node affinity, and single requirements.
 * kubernetes staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity.
 */
import type { Node, NodeSelectorTerm } from './objects.ts';

export type Labels = Readonly<Record<string, string>>;

/** One line of `matchExpressions` or `matchFields`. */
export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/**
 * Whether a value (absent: `undefined`) meets a requirement.
 *
 * Promise: `NotIn` and `DoesNotExist` hold for an absent key; `Gt` and `Lt` compare whole numbers and need exactly one
 * value; an operator that Kubernetes does not know never holds.
 */
export function meets(requirement: Requirement, value: string | undefined): boolean {
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return distance(value, values) > 0;
    case 'Lt':
      return distance(value, values) < 0;
    default:
      return false;
  }
}

/** Not a number, for which no comparison holds, unless both sides are whole numbers and there is exactly one bound. */
function distance(value: string | undefined, bounds: readonly string[]): number {
  return bounds.length === 1 ? wholeNumber(value) - wholeNumber(bounds[0]) : Number.NaN;
}

function wholeNumber(text: string | undefined): number {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Every key of the map with its value; an empty or absent map matches everything. */
export function matchesMap(map: Labels | undefined, labels: Labels | undefined): boolean {
  return Object.entries(map ?? {}).every(([key, value]) => labels?.[key] === value);
}

/**
 * Whether a node meets one of the terms (they are alternatives; within a term everything must hold).
 *
 * Promise: no terms match no node, and neither does a term without any requirement. Of fields only `metadata.name` exists.
 */
export function matchesNodeTerms(terms: readonly NodeSelectorTerm[] | undefined, node: Node): boolean {
  return (terms ?? []).some((term) => matchesNodeTerm(term, node));
}

function matchesNodeTerm(term: NodeSelectorTerm, node: Node): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((requirement) => meets(requirement, node.metadata.labels?.[requirement.key])) &&
    fields.every(({ key, operator, values }) => {
      return key === 'metadata.name' && meets({ key, operator, values }, node.metadata.name);
    })
  );
}

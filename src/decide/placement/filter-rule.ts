import type { Node } from '../../kubevirt/objects.ts';
import { field, podField } from '../evidence.ts';
import type { Evidence, Rule } from '../rules.ts';
import type { Seat } from './seat.ts';

/** Whether the pod fits on the node, and the sentence that says why not. */
export interface SeatVerdict {
  readonly fits: boolean;
  readonly message: string;
}

export type SeatRule = Rule<Seat, SeatVerdict>;

export const SCHEDULER = 'kubernetes pkg/scheduler/framework/plugins';

/** A rule that keeps the pod off the node. */
export function keepsOff(rule: Omit<SeatRule, 'then'> & { readonly says: (seat: Seat) => string }): SeatRule {
  const { says, ...rest } = rule;
  return { ...rest, then: (seat) => ({ fits: false, message: says(seat) }) };
}

export function nameOf({ node }: Seat): string {
  return node.metadata.name;
}

export function labelOf(node: Node, key: string): Evidence {
  return field(node, `metadata.labels[${key}]`, node.metadata.labels?.[key], 'Node');
}

/** Evidence of a required affinity of the pod: `nodeAffinity`, `podAffinity` or `podAntiAffinity`. */
export function affinityField({ candidate }: Seat, kind: string, terms: readonly unknown[]): Evidence {
  const path = `spec.affinity.${kind}.requiredDuringSchedulingIgnoredDuringExecution`;
  return podField(candidate.pod, path, terms);
}

/** How the scheduler tells that a pod finds no node. kubernetes v1.36 pkg/scheduler/framework/types.go FitError. */
import { tally } from '../../kubevirt/group-by.ts';
import type { Seat } from '../placement/seat.ts';
import { shortagesOf } from '../placement/seat.ts';
import { spreadProblem } from '../placement/spread.ts';

/** What the scheduler says of one node. */
export interface SeatRefusal {
  /** One for each thing that the pod finds too little of; otherwise one. */
  readonly says: readonly string[];
  /** Pods of lower priority, were there any, could make room. */
  readonly preemptionMayHelp: boolean;
}

/** By the name of the filter that keeps the pod off, as the rules of `placement` call it. */
const WORDS: Readonly<Record<string, string>> = {
  NodeUnschedulable: 'node(s) were unschedulable',
  UntoleratedTaint: 'node(s) had untolerated taint(s)',
  VolumeNodeAffinity: "node(s) didn't match PersistentVolume's node affinity",
  PodAffinity: "node(s) didn't match pod affinity rules",
  PodAntiAffinity: "node(s) didn't match pod anti-affinity rules",
  ExistingPodsAntiAffinity: "node(s) didn't satisfy existing pods anti-affinity rules",
};

const ELSEWHERE = "node(s) didn't match Pod's node affinity/selector";
const SPREAD = "node(s) didn't match pod topology spread constraints";

/** Filters that look at who is on the node: what keeps the pod off may leave. */
const BY_NEIGHBOURS: ReadonlySet<string> = new Set(['PodAntiAffinity', 'ExistingPodsAntiAffinity']);

/** What a refusal by the filter of this name reads like in the scheduler's words. */
export function refusalOf(filter: string, seat: Seat): SeatRefusal {
  if (filter === 'TooManyPods' || filter === 'InsufficientResources') return shortageRefusal(seat);
  if (filter === 'TopologySpread') return spreadRefusal(seat);
  return { says: [WORDS[filter] ?? ELSEWHERE], preemptionMayHelp: BY_NEIGHBOURS.has(filter) };
}

/** Where the node is too small even when empty, nobody's leaving helps. */
function shortageRefusal(seat: Seat): SeatRefusal {
  const shortages = shortagesOf(seat);
  return {
    says: shortages.map(({ resource }) =>
      resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`,
    ),
    preemptionMayHelp: shortages.every(({ needed, allocatable }) => needed <= allocatable),
  };
}

function spreadRefusal({ spreads, node }: Seat): SeatRefusal {
  const lacksLabel = spreadProblem(spreads, node)?.skew === undefined;
  return {
    says: [lacksLabel ? `${SPREAD} (missing required label)` : SPREAD],
    preemptionMayHelp: !lacksLabel,
  };
}

/**
 * The message of the condition and of the event, for the refusals of all nodes. Nobody is ever preempted here: all pods count as
 * of the same priority.
 */
export function tellUnschedulable(refusals: readonly SeatRefusal[]): string {
  const all = refusals.length;
  if (all === 0) return 'no nodes available to schedule pods';
  const reasons = tellCounts(refusals.flatMap(({ says }) => says));
  const preemption = tellCounts(
    refusals.map(({ preemptionMayHelp }) =>
      preemptionMayHelp
        ? 'No preemption victims found for incoming pod'
        : 'Preemption is not helpful for scheduling',
    ),
  );
  const available = `0/${all} nodes are available`;
  return `${available}: ${reasons}. no new claims to deallocate, preemption: ${available}: ${preemption}.`;
}

/** `1 this, 3 that`, in the order of the texts with their numbers. */
function tellCounts(texts: readonly string[]): string {
  return [...tally(texts)]
    .map(([text, count]) => `${count} ${text}`)
    .sort()
    .join(', ');
}

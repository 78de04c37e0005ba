import { groupBy } from '../../kubevirt/group-by.ts';
import type { Pod, ResourceQuota } from '../../kubevirt/objects.ts';
import { compareText } from '../../kubevirt/order.ts';
import { firstOf } from '../../kubevirt/words.ts';
import { decide, type Evidence, resultOf } from '../rules.ts';
import { isGateOn, type Settings } from '../settings.ts';
import { type Candidate, type CandidateQuestion, candidateOf } from './candidate.ts';
import { NODE_FILTERS } from './node-filters.ts';
import { NODE_PROPERTY_FILTERS, VOLUME_FILTER } from './node-property-filters.ts';
import { judgeQuotas, type QuotaRefusal, type QuotaVerdict } from './quota.ts';
import { surroundingsOf } from './seat.ts';
import type { PlacementView } from './world.ts';

export interface PlacementQuestion extends CandidateQuestion {
  /** The quotas of the VM's namespace; none where the namespace has none. */
  readonly quotas?: readonly ResourceQuota[] | undefined;
  /** Pods of the namespace that will be created before this one and that its quotas do not count yet. */
  readonly coming?: readonly Pod[] | undefined;
  /** Pods of the namespace that will be gone before and that its quotas still count. */
  readonly leaving?: readonly Pod[] | undefined;
  readonly settings?: Pick<Settings, 'featureGates' | 'disabledFeatureGates'> | undefined;
  /** Enough nodes that fit: the search stops at so many, and `excluded` stays empty. Absent: every node is judged. */
  readonly limit?: number | undefined;
}

/** A node that the pod cannot go to, by the first filter that says so. */
export interface Exclusion {
  readonly node: string;
  readonly reason: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** It would not fit either if all other VMs left the node: nothing that only takes waiting. */
  readonly isLasting: boolean;
}

export interface Placement {
  /** Nodes on which the pod could be scheduled as things stand, by name. */
  readonly fitsNow: readonly string[];
  /** Those, and nodes on which it could be scheduled if the other VMs were not there, by name. */
  readonly fitsIfEmpty: readonly string[];
  /** By name of the node. A node that cannot be judged is neither here nor above, but under `missing`. */
  readonly excluded: readonly Exclusion[];
  /** The pod could not even be created. */
  readonly quota?: QuotaRefusal | undefined;
  /** Inputs without which nothing, or not everything, can be said. */
  readonly missing: readonly string[];
}

/**
 * Could the target of a migration, or the launcher of a restarted VM, be scheduled at all, and where?
 *
 * Promise: judged by labels, taints, requests and required rules only, never by preferences. Where an input is missing
 * nothing is guessed: without a launcher pod, its containers or any node, no node is named at all; a node that does not
 * tell what it has to give is left out of the lists.
 */
export function judgePlacement(question: PlacementQuestion): Placement {
  const { candidate, missing } = candidateOf(question);
  const { nodes } = question.world;
  if (!candidate || nodes.length === 0) {
    const absent = nodes.length === 0 ? [...missing, 'nodes'] : missing;
    return { fitsNow: [], fitsIfEmpty: [], excluded: [], missing: absent };
  }
  const { refusal, missing: unknown } = quotaVerdict(question, candidate);
  const { fitsNow, excluded } = enoughSeats(question, candidate) ?? seatEverywhere(candidate, question.world);
  const isTold = (name: string) => question.world.node(name)?.status?.allocatable !== undefined;
  const untold = fitsNow.filter((name) => !isTold(name)).map((name) => `status.allocatable of Node ${name}`);
  const waits = excluded.filter(({ isLasting, node }) => !isLasting && isTold(node)).map(({ node }) => node);
  const fits = fitsNow.filter(isTold);
  return {
    fitsNow: fits,
    fitsIfEmpty: [...fits, ...waits].sort(),
    excluded,
    quota: refusal,
    missing: [...unknown, ...untold],
  };
}

interface Seats {
  readonly fitsNow: readonly string[];
  readonly excluded: readonly Exclusion[];
}

/** The first nodes by name that fit, when no more than so many are asked for; nothing where there are fewer. */
function enoughSeats({ limit, world }: PlacementQuestion, candidate: Candidate): Seats | undefined {
  if (limit === undefined) return undefined;
  const now = surroundingsOf(candidate, world, false);
  const fitsNow: string[] = [];
  for (const node of world.nodes) {
    const isTold = node.status?.allocatable !== undefined;
    if (isTold && resultOf(NODE_FILTERS, { ...now, node }).fits) fitsNow.push(node.metadata.name);
    if (fitsNow.length >= limit) return { fitsNow, excluded: [] };
  }
  return undefined;
}

function seatEverywhere(candidate: Candidate, world: PlacementView): Seats {
  const now = surroundingsOf(candidate, world, false);
  const seats = world.nodes.map((node) => ({ node, decision: decide(NODE_FILTERS, { ...now, node }) }));
  const fitsNow = seats.filter(({ decision }) => decision.result.fits).map(({ node }) => node.metadata.name);
  const off = seats.filter(({ decision }) => !decision.result.fits);
  const isWaiting = off.some(({ decision }) => !LASTING.has(decision.reason));
  const emptied = isWaiting ? surroundingsOf(candidate, world, true) : now;
  const excluded = off.map(({ node, decision: { reason, result, evidence } }) => ({
    node: node.metadata.name,
    reason,
    message: result.message,
    evidence,
    isLasting: LASTING.has(reason) || !resultOf(NODE_FILTERS, { ...emptied, node }).fits,
  }));
  return { fitsNow, excluded };
}

/** Reasons that lie in the node itself: they stay, whoever leaves it. */
const LASTING: ReadonlySet<string> = new Set(
  [...NODE_PROPERTY_FILTERS, VOLUME_FILTER].map(({ name }) => name),
);

/** After a restart, today's launcher no longer counts; beside a migration's target, it does. */
function quotaVerdict(question: PlacementQuestion, candidate: Candidate): QuotaVerdict {
  const { quotas = [], coming, leaving, settings, purpose, pod } = question;
  return judgeQuotas({
    pod: candidate.pod,
    quotas,
    ...{ coming, leaving },
    released: purpose === 'restart' ? pod : undefined,
    limitsAreAutomatic: settings !== undefined && isGateOn(settings, AUTO_LIMITS_GATE),
  });
}

const AUTO_LIMITS_GATE = 'AutoResourceLimitsGate';

/**
 * The exclusions in one line, by reason, most nodes first: `NodeSelectorMismatch (n2, n3), SourceNode (n1)`. Of many
 * nodes only three are named. Empty where nothing is excluded.
 */
export function tellExclusions(excluded: readonly Exclusion[]): string {
  return [...groupBy(excluded, ({ reason }) => reason)]
    .sort(([a, many], [b, more]) => more.length - many.length || compareText(a, b))
    .map(([reason, nodes]) => `${reason} (${firstOf(nodes.map(({ node }) => node))})`)
    .join(', ');
}

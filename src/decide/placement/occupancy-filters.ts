import type { PodAffinityTerm } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { field, podField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import { affinityTerms, antiAffinityTerms } from './affinity-terms.ts';
import { affinityField, keepsOff, labelOf, nameOf, SCHEDULER, type SeatRule } from './filter-rule.ts';
import { hasCompany, inTheWay } from './neighbours.ts';
import { tellAmount } from './resources.ts';
import { type Seat, type Shortage, shortagesOf } from './seat.ts';
import { spreadProblem } from './spread.ts';

/** Filters that weigh what the pod asks for against what others on the node hold. */
export const RESOURCE_FILTERS: readonly SeatRule[] = [
  shortageRule(
    'TooManyPods',
    'the node holds as many pods as it may',
    (resource) => resource === 'pods',
    (node, [pods]) => `${node} holds as many pods as it may (${pods?.allocatable})`,
  ),
  shortageRule(
    'InsufficientResources',
    'the node has less left than the pod asks for',
    () => true,
    (node, shortages) => `${node} has too little ${shortages.map(tellShortage).join(', ')}`,
  ),
];

/** Filters about which pods are near. */
export const NEIGHBOUR_FILTERS: readonly SeatRule[] = [
  keepsOff({
    name: 'TopologySpread',
    asks: 'the node would break a topology spread constraint',
    source: `${SCHEDULER}/podtopologyspread`,
    when: (seat) => spreadProblem(seat.spreads, seat.node) !== undefined,
    reads: (seat) => {
      const { pod } = seat.candidate;
      const key = spreadProblem(seat.spreads, seat.node)?.topologyKey ?? '';
      const constraints = pod.spec?.topologySpreadConstraints;
      return [podField(pod, 'spec.topologySpreadConstraints', constraints), labelOf(seat.node, key)];
    },
    says: tellSpread,
  }),
  keepsOff({
    name: 'PodAffinity',
    asks: 'the pods that the required pod affinity asks for are elsewhere',
    source: `${SCHEDULER}/interpodaffinity`,
    when: (seat) => !hasCompany(seat.company, seat.node),
    reads: (seat) => {
      const terms = affinityTerms(seat.candidate.pod);
      const labels = topologyKeys(terms).map((key) => labelOf(seat.node, key));
      return [affinityField(seat, 'podAffinity', terms), ...labels];
    },
    says: (seat) => `${nameOf(seat)} is not near the pods that the required pod affinity asks for`,
  }),
  keepsOff({
    name: 'PodAntiAffinity',
    asks: 'a pod that the required anti-affinity avoids is near',
    source: `${SCHEDULER}/interpodaffinity`,
    when: ({ avoided, node }) => inTheWay(avoided, node) !== undefined,
    reads: (seat) => {
      const terms = antiAffinityTerms(seat.candidate.pod);
      return [affinityField(seat, 'podAntiAffinity', terms), ...readPair(seat, 'avoided')];
    },
    says: (seat) => tellPair(seat, 'avoided', 'which the pod must avoid'),
  }),
  keepsOff({
    name: 'ExistingPodsAntiAffinity',
    asks: 'a pod is near whose required anti-affinity avoids this one',
    source: `${SCHEDULER}/interpodaffinity`,
    when: ({ guarded, node }) => inTheWay(guarded, node) !== undefined,
    reads: (seat) => readPair(seat, 'guarded'),
    says: (seat) => tellPair(seat, 'guarded', 'which must avoid the pod'),
  }),
];

/** A rule about the shortages that `concerns` it. */
function shortageRule(
  name: string,
  asks: string,
  concerns: (resource: string) => boolean,
  tell: (node: string, shortages: readonly Shortage[]) => string,
): SeatRule {
  const short = (seat: Seat) => shortagesOf(seat).filter(({ resource }) => concerns(resource));
  return keepsOff({
    name,
    asks,
    source: `${SCHEDULER}/noderesources`,
    when: (seat) => short(seat).length > 0,
    reads: (seat) =>
      short(seat).map(({ resource }) => {
        const value = seat.node.status?.allocatable?.[resource];
        return field(seat.node, `status.allocatable[${resource}]`, value, 'Node');
      }),
    says: (seat) => tell(nameOf(seat), short(seat)),
  });
}

function tellShortage({ resource, needed, free, allocatable }: Shortage): string {
  const [asked, left, all] = [needed, Math.max(free, 0), allocatable].map((amount) =>
    tellAmount(resource, amount),
  );
  return `${resource} (${asked} asked for, ${left} of ${all} left)`;
}

function tellSpread(seat: Seat): string {
  const { topologyKey, skew, maxSkew } = spreadProblem(seat.spreads, seat.node) ?? {};
  if (skew === undefined)
    return `${nameOf(seat)} lacks the label ${topologyKey} that the pods are spread over`;
  return `${nameOf(seat)} would skew the spread over ${topologyKey} by ${skew}, more than ${maxSkew}`;
}

function topologyKeys(terms: readonly PodAffinityTerm[]): string[] {
  return [...new Set(terms.map(({ topologyKey }) => topologyKey))];
}

function readPair(seat: Seat, side: 'avoided' | 'guarded'): Evidence[] {
  const found = inTheWay(seat[side], seat.node);
  if (!found) return [];
  const key = found.pair.slice(0, found.pair.indexOf('='));
  return [podField(found.pod, 'spec.nodeName', found.pod.spec?.nodeName), labelOf(seat.node, key)];
}

function tellPair(seat: Seat, side: 'avoided' | 'guarded', which: string): string {
  const found = inTheWay(seat[side], seat.node);
  return `${nameOf(seat)} shares ${found?.pair} with Pod ${found && keyOf(found.pod)}, ${which}`;
}

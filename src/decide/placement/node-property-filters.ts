import { LABEL, NODE_LABEL_PREFIX, TAINT } from '../../kubevirt/names.ts';
import { matchesNodeTerms } from '../../kubevirt/node-selector.ts';
import type { NodeSelectorTerm, PersistentVolume } from '../../kubevirt/objects.ts';
import { field, podField } from '../evidence.ts';
import { affinityField, keepsOff, labelOf, nameOf, SCHEDULER, type SeatRule } from './filter-rule.ts';
import type { Selector } from './launcher-selectors.ts';
import type { Seat } from './seat.ts';
import { type Taint, tellTaint, tolerates } from './tolerations.ts';

const CORDON: Taint = { key: TAINT.unschedulable, effect: 'NoSchedule' };

/** Filters that read the node itself and not who is on it. */
export const NODE_PROPERTY_FILTERS: readonly SeatRule[] = [
  keepsOff({
    name: 'SourceNode',
    asks: 'the migration leaves this node',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go:938',
    when: (seat) => seat.candidate.leaves === nameOf(seat),
    reads: ({ candidate }) => [podField(candidate.pod, 'spec.nodeName', candidate.leaves)],
    says: (seat) => `${nameOf(seat)} is the node that the migration leaves`,
  }),
  keepsOff({
    name: 'NodeUnschedulable',
    asks: 'the node is cordoned',
    source: `${SCHEDULER}/nodeunschedulable`,
    when: (seat) => isCordoned(seat) && !toleratesTaint(seat, CORDON),
    reads: ({ node }) => [field(node, 'spec.unschedulable', node.spec?.unschedulable, 'Node')],
    says: (seat) => `${nameOf(seat)} ${seat.node.spec?.unschedulable ? 'is' : 'will be'} cordoned`,
  }),
  keepsOff({
    name: 'UntoleratedTaint',
    asks: 'the node has a taint that the pod does not tolerate',
    source: `${SCHEDULER}/tainttoleration`,
    when: (seat) => untolerated(seat).length > 0,
    reads: (seat) =>
      untolerated(seat).map((taint) =>
        field(seat.node, `spec.taints[${taint.key}]`, tellTaint(taint), 'Node'),
      ),
    says: (seat) => `${nameOf(seat)} is tainted: ${untolerated(seat).map(tellTaint).join(', ')}`,
  }),
  selectorRule(
    'NotSchedulableForVms',
    'KubeVirt takes no VMs on the node',
    (key) => key === LABEL.schedulable,
    (node, labels) => `KubeVirt takes no VMs on ${node}: it lacks the label ${labels}`,
  ),
  selectorRule(
    'CpuMismatch',
    'the CPU of the node is not what the guest needs',
    isCpuKey,
    (node, labels) => `the CPU of ${node} does not suit the guest: the node lacks the label ${labels}`,
  ),
  selectorRule(
    'NodeSelectorMismatch',
    'the node lacks a label that the pod selects',
    () => true,
    (node, labels) => `${node} lacks the label ${labels}`,
  ),
  keepsOff({
    name: 'NodeAffinityMismatch',
    asks: 'the node meets no term of the required node affinity',
    source: `${SCHEDULER}/nodeaffinity`,
    when: (seat) => !matchesRequired(seat),
    reads: (seat) => {
      const terms = requiredTerms(seat) ?? [];
      return [
        affinityField(seat, 'nodeAffinity', terms),
        ...termKeys(terms).map((key) => labelOf(seat.node, key)),
      ];
    },
    says: (seat) => `${nameOf(seat)} does not meet the required node affinity`,
  }),
];

/** Comes after the filters for resources; the one filter that looks at plugged volumes too. Volumes whose affinity is not known are not judged. */
export const VOLUME_FILTER: SeatRule = keepsOff({
  name: 'VolumeNodeAffinity',
  asks: 'a volume of the pod cannot be reached from the node',
  source: `${SCHEDULER}/volumebinding`,
  when: (seat) => unreachable(seat).length > 0,
  reads: (seat) =>
    unreachable(seat).map((volume) => {
      const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
      return field(volume, 'spec.nodeAffinity.required.nodeSelectorTerms', terms, 'PersistentVolume');
    }),
  says: (seat) => {
    const names = unreachable(seat).map(({ metadata }) => metadata.name);
    return `${nameOf(seat)} cannot reach the volume ${names.join(', ')}`;
  },
});

function isCordoned({ node, world }: Seat): boolean {
  return node.spec?.unschedulable === true || world.cordoned.has(node.metadata.name);
}

function toleratesTaint({ candidate }: Seat, taint: Taint): boolean {
  return tolerates(candidate.pod.spec?.tolerations, taint);
}

function untolerated(seat: Seat): Taint[] {
  return (seat.node.spec?.taints ?? []).filter(
    (taint) => ['NoSchedule', 'NoExecute'].includes(taint.effect) && !toleratesTaint(seat, taint),
  );
}

/** A rule about the node labels that the pod selects by a key that `concerns` it. */
function selectorRule(
  name: string,
  asks: string,
  concerns: (key: string) => boolean,
  tell: (node: string, labels: string) => string,
): SeatRule {
  const unmet = ({ candidate, node }: Seat): Selector[] =>
    candidate.selectors.filter(({ key, value }) => concerns(key) && node.metadata.labels?.[key] !== value);
  return keepsOff({
    name,
    asks,
    source: `${SCHEDULER}/nodeaffinity`,
    when: (seat) => unmet(seat).length > 0,
    reads: (seat) => unmet(seat).flatMap(({ key, from }) => [from, labelOf(seat.node, key)]),
    says: (seat) =>
      tell(
        nameOf(seat),
        unmet(seat)
          .map(({ key, value }) => `${key}=${value}`)
          .join(', '),
      ),
  });
}

function isCpuKey(key: string): boolean {
  const { cpuModel, cpuModelMigration, cpuFeature, cpuVendor } = NODE_LABEL_PREFIX;
  return [cpuModel, cpuModelMigration, cpuFeature, cpuVendor].some((prefix) => key.startsWith(prefix));
}

function requiredTerms({ candidate }: Seat): readonly NodeSelectorTerm[] | undefined {
  const affinity = candidate.pod.spec?.affinity?.nodeAffinity;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required && (required.nodeSelectorTerms ?? []);
}

function matchesRequired(seat: Seat): boolean {
  const terms = requiredTerms(seat);
  return terms === undefined || matchesNodeTerms(terms, seat.node);
}

function termKeys(terms: readonly NodeSelectorTerm[]): string[] {
  return [...new Set(terms.flatMap((term) => (term.matchExpressions ?? []).map(({ key }) => key)))];
}

function unreachable({ candidate, world, node }: Seat): PersistentVolume[] {
  return [...world.volumesOf(candidate.pod), ...(candidate.plugged ?? [])].filter((volume) => {
    const required = volume.spec?.nodeAffinity?.required;
    return required !== undefined && !matchesNodeTerms(required.nodeSelectorTerms, node);
  });
}

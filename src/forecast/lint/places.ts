/**
 * Where the VMs of a fleet could run as far as the properties of the nodes go: labels, taints, CPU, reach of volumes. Who
 * is on a node and whether it is cordoned passes; these stay. VMs that ask for the same are judged once.
 */

import { candidateOf } from '../../decide/placement/candidate.ts';
import type { SeatRule } from '../../decide/placement/filter-rule.ts';
import { NODE_PROPERTY_FILTERS, VOLUME_FILTER } from '../../decide/placement/node-property-filters.ts';
import type { Exclusion } from '../../decide/placement/placement.ts';
import { judgeQuotas, type QuotaRefusal } from '../../decide/placement/quota.ts';
import type { Seat } from '../../decide/placement/seat.ts';
import { PlacementWorld } from '../../decide/placement/world.ts';
import { isGateOn } from '../../decide/settings.ts';
import { LABEL } from '../../kubevirt/names.ts';
import { matchesNodeTerms } from '../../kubevirt/node-selector.ts';
import type { Node, PersistentVolume, Vmi } from '../../kubevirt/objects.ts';
import { type Context, withoutCordon } from '../context.ts';

/** Nodes by whether they suit a pod. */
interface Judged {
  readonly suiting: readonly string[];
  readonly excluded: readonly Exclusion[];
}

/** A cordon is lifted and the source is left: neither says that a node does not suit. */
const PASSING: ReadonlySet<string> = new Set(['SourceNode', 'NodeUnschedulable']);
const LASTING_FILTERS: readonly SeatRule[] = [
  ...NODE_PROPERTY_FILTERS.filter(({ name }) => !PASSING.has(name)),
  VOLUME_FILTER,
];

/** Where VMs could run at all, whatever is cordoned or full today. Each question is answered once and remembered. */
export class Places {
  readonly #context: Context;
  readonly #world: PlacementWorld;
  readonly #judged = new Map<string, Judged>();
  readonly #nowhereElse = new Map<Vmi, readonly Exclusion[]>();
  readonly #reach = new Map<PersistentVolume, readonly string[]>();

  constructor(context: Context) {
    const { fleet } = context;
    this.#context = context;
    this.#world = new PlacementWorld({
      nodes: [...fleet.all('Node')].map(withoutCordon),
      podsOn: (node) => fleet.podsOn(node),
      namespaceLabels: (name) => fleet.get('Namespace', name)?.metadata.labels,
      volumesOf: (pod) => fleet.volumesOf(pod),
    });
  }

  /** Nodes on which KubeVirt takes VMs once they are uncordoned, by name. */
  vmNodes(): readonly Node[] {
    return this.#world.nodes.filter((node) => node.metadata.labels?.[LABEL.schedulable] === 'true');
  }

  /** Nodes that take VMs and from which a volume can be reached, by name. */
  nodesReaching(volume: PersistentVolume): readonly string[] {
    const known = this.#reach.get(volume);
    if (known) return known;
    const required = volume.spec?.nodeAffinity?.required;
    const reaching = this.vmNodes()
      .filter((node) => !required || matchesNodeTerms(required.nodeSelectorTerms, node))
      .map((node) => node.metadata.name);
    this.#reach.set(volume, reaching);
    return reaching;
  }

  /**
   * The nodes that do not suit the VMI, and why, if that is all but its own: then no migration of it can ever end well.
   * Empty where another node suits, or where its launcher pod or something that decides is not in the input.
   */
  whyNowhereElse(vmi: Vmi): readonly Exclusion[] {
    const known = this.#nowhereElse.get(vmi) ?? this.#judgeElsewhere(vmi);
    this.#nowhereElse.set(vmi, known);
    return known;
  }

  #judgeElsewhere(vmi: Vmi): readonly Exclusion[] {
    const candidate = this.#candidateOf(vmi);
    if (!candidate) return [];
    const { suiting, excluded } = this.#judge({ ...EMPTY, candidate, world: this.#world });
    const isElsewhere = suiting.length > 1 || (suiting.length === 1 && suiting[0] !== candidate.leaves);
    return isElsewhere ? [] : excluded.filter(({ node }) => node !== candidate.leaves);
  }

  /** Why the quotas of its namespace would refuse a second launcher beside the one that runs; `undefined` if they would not. */
  quotaRefusalOf(vmi: Vmi): QuotaRefusal | undefined {
    const { fleet, settings } = this.#context;
    const quotas = fleet.quotasIn(vmi.metadata.namespace ?? '');
    const candidate = quotas.length > 0 ? this.#candidateOf(vmi) : undefined;
    if (!candidate) return undefined;
    const limitsAreAutomatic = isGateOn(settings, 'AutoResourceLimitsGate');
    return judgeQuotas({ pod: candidate.pod, quotas, limitsAreAutomatic }).refusal;
  }

  #candidateOf(vmi: Vmi): Seat['candidate'] | undefined {
    const { fleet, behavior } = this.#context;
    const pod = fleet.launcherPodOf(vmi);
    return candidateOf({ vmi, pod, purpose: 'migration-target', world: this.#world, behavior }).candidate;
  }

  #judge(seat: Omit<Seat, 'node'>): Judged {
    const signature = signatureOf(seat);
    const known = this.#judged.get(signature);
    if (known) return known;
    const excluded = this.#world.nodes.flatMap((node) => exclusionOf({ ...seat, node }) ?? []);
    const out = new Set(excluded.map(({ node }) => node));
    const suiting = this.#world.nodes.map((node) => node.metadata.name).filter((name) => !out.has(name));
    const judged = { suiting, excluded };
    this.#judged.set(signature, judged);
    return judged;
  }
}

/** Surroundings without anybody in them: the filters used here do not look at them. */
const EMPTY = {
  requests: new Map(),
  avoided: new Map(),
  guarded: new Map(),
  company: { terms: [], pairs: new Set<string>(), matchesItself: false },
  spreads: [],
  withoutVms: true,
};

function exclusionOf(seat: Seat): Exclusion | undefined {
  const filter = LASTING_FILTERS.find((rule) => rule.when(seat));
  return (
    filter && {
      node: seat.node.metadata.name,
      reason: filter.name,
      message: filter.then(seat).message,
      evidence: filter.reads(seat),
      isLasting: true,
    }
  );
}

/** All that the filters read of the pod. */
function signatureOf({ candidate, world }: Omit<Seat, 'node'>): string {
  const { spec } = candidate.pod;
  return JSON.stringify([
    candidate.selectors.map(({ key, value }) => [key, value]),
    spec?.tolerations,
    spec?.affinity?.nodeAffinity,
    world.volumesOf(candidate.pod).map(({ spec: volume }) => volume?.nodeAffinity),
  ]);
}

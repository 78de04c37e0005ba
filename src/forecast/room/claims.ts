import {
  affinityTerms,
  antiAffinityTerms,
  creatorIn,
  keyOfTerms,
} from '../../decide/placement/affinity-terms.ts';
import { type Candidate, candidateOf } from '../../decide/placement/candidate.ts';
import { guardedAgainst } from '../../decide/placement/neighbours.ts';
import { NODE_FILTERS } from '../../decide/placement/node-filters.ts';
import { NOBODY } from '../../decide/placement/placed.ts';
import { type Amounts, loadOf, podRequests } from '../../decide/placement/resources.ts';
import { surroundingsOf } from '../../decide/placement/seat.ts';
import { WorldWithout } from '../../decide/placement/without.ts';
import type { NamedView } from '../../decide/placement/world.ts';
import { resultOf } from '../../decide/rules.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Foreseen } from '../foreseen.ts';
import { type Manner, mannerOf } from './manner.ts';

/** VMs whose launchers ask for the same and may stand on the same nodes, their own included. */
export interface ClaimKind {
  /** What each asks for, with `pods`. */
  readonly amounts: Amounts;
  /** Where there is room enough beside those who stay, by name of the node. */
  readonly nodes: ReadonlySet<string>;
}

/** A VM that asks for room in the course of an action, or gives some up. */
export interface Claim {
  readonly one: Foreseen;
  /** Its launcher. */
  readonly pod: Pod;
  readonly vm: string;
  /** Its node; empty: it has none yet. */
  readonly home: string;
  readonly manner: Manner;
  readonly kind: ClaimKind;
  /** It moves twice, and the second time perhaps to where it was. */
  readonly mayReturn: boolean;
}

/** The claims of one action, in the order given, on the nodes as they are without them. */
export interface Claims {
  readonly all: readonly Claim[];
  readonly world: NamedView;
}

/**
 * The claims of VMs whose launchers are known; others count as staying where they are. Undefined: their kinds on all nodes are more
 * than `mostJudged`.
 */
export function claimsOf(
  context: Context,
  foreseen: readonly Foreseen[],
  mostJudged = Number.POSITIVE_INFINITY,
): Claims | undefined {
  const { fleet } = context;
  const claiming = foreseen.flatMap((one) => {
    const manner = mannerOf(one.ending);
    const pod = fleet.launcherPodOf(one.vmi);
    return manner && pod ? [{ one, manner, pod }] : [];
  });
  const gone = new Set(claiming.flatMap(({ pod }) => podsWith(context, pod)));
  const world = new WorldWithout(context.world, gone);
  const kinds = new Map<string, ClaimKind>();
  const all: Claim[] = [];
  for (const { one, manner, pod } of claiming) {
    const kind = kindOf(context, world, kinds, { one, manner, pod });
    const who = { one, pod, vm: keyOf(one.vmi), home: pod.spec?.nodeName ?? '', manner };
    if (kind) all.push({ ...who, kind, mayReturn: movesTwice(one) });
    if (kinds.size * world.nodes.length > mostJudged) return undefined;
  }
  return { all, world };
}

/** A migration from before an upgrade, or a mark, has it moved with the launcher of today first. */
function movesTwice({ vmi: { status }, ending: { reason } }: Foreseen): boolean {
  const isMarkedHere =
    status?.evacuationNodeName !== undefined && status.evacuationNodeName === status.nodeName;
  return reason === 'MigrationUnderWay' || (reason === 'LauncherOutdated' && isMarkedHere);
}

/** Whether it is surely no longer where it was in the end, given that it is certain to find room. */
export function leavesHome({ manner, mayReturn }: Claim): boolean {
  return manner === 'moves' && !mayReturn;
}

/** A launcher and the pods of the volumes that are plugged into its guest. */
function podsWith({ fleet }: Context, launcher: Pod): Pod[] {
  return [launcher, ...fleet.hotplugPodsOf(launcher)];
}

interface Claiming {
  readonly one: Foreseen;
  readonly manner: Manner;
  readonly pod: Pod;
}

function kindOf(
  context: Context,
  world: NamedView,
  kinds: Map<string, ClaimKind>,
  { one, manner, pod }: Claiming,
): ClaimKind | undefined {
  const purpose = manner === 'moves' ? 'migration-target' : 'restart';
  const { candidate } = candidateOf({ pod, vmi: one.vmi, purpose, world, behavior: context.behavior });
  if (!candidate) return undefined;
  const amounts = new Map([...loadOf(podsWith(context, pod))].filter(([, amount]) => amount > 0));
  const key = keyOfKind(world, candidate, amounts);
  const known = kinds.get(key) ?? { amounts, nodes: nodesFor(world, candidate) };
  kinds.set(key, known);
  return known;
}

/** Where it may stand, the node that it leaves included: of that, every claim says for itself. */
function nodesFor(world: NamedView, candidate: Candidate): Set<string> {
  const surroundings = surroundingsOf({ ...candidate, leaves: undefined }, world, false);
  const open = world.nodes.filter(
    (node) =>
      node.status?.allocatable !== undefined && resultOf(NODE_FILTERS, { ...surroundings, node }).fits,
  );
  return new Set(open.map(({ metadata }) => metadata.name));
}

/** All that the scheduler's filters read of a pod, so that pods of the same key fit on the same nodes. */
function keyOfKind(world: NamedView, { pod, selectors }: Candidate, amounts: Amounts): string {
  const { tolerations, affinity, topologySpreadConstraints: spreads } = pod.spec ?? {};
  const apart = antiAffinityTerms(pod).filter((term) => creatorIn(term) === undefined);
  const near = affinityTerms(pod);
  const volumes = world.volumesOf(pod).map(({ spec }) => spec?.nodeAffinity);
  const mayCountItself = near.length + (spreads?.length ?? 0) > 0;
  return JSON.stringify([
    selectors.map(({ key, value }) => [key, value]),
    [tolerations, affinity?.nodeAffinity, keyOfTerms(apart, pod), near, spreads, volumes],
    [...amounts, ...podRequests(pod)],
    [...guardedAgainst(pod, world, { gone: NOBODY }).keys()].sort(),
    mayCountItself ? [pod.metadata.namespace, sharedLabels(pod)] : [],
  ]);
}

/** Those that every launcher has for itself are left out. */
function sharedLabels({ metadata }: Pod): [string, string][] {
  return Object.entries(metadata.labels ?? {}).filter(([key]) => !OWN_LABELS.has(key));
}

const OWN_LABELS: ReadonlySet<string> = new Set([LABEL.createdBy, LABEL.nodeName, LABEL.vmName]);

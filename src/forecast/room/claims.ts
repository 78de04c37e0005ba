import { candidateOf } from '../../decide/placement/candidate.ts';
import { loadOf } from '../../decide/placement/resources.ts';
import { WorldWithout } from '../../decide/placement/without.ts';
import type { NamedView } from '../../decide/placement/world.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Foreseen } from '../foreseen.ts';
import { type ClaimKind, ClaimKinds } from './kinds.ts';
import { type Manner, mannerOf } from './manner.ts';

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
  const kinds = new ClaimKinds(world);
  const all: Claim[] = [];
  for (const { one, manner, pod } of claiming) {
    const kind = kindOf(context, kinds, { one, manner, pod });
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

function kindOf(context: Context, kinds: ClaimKinds, { one, manner, pod }: Claiming): ClaimKind | undefined {
  const purpose = manner === 'moves' ? 'migration-target' : 'restart';
  const { world } = kinds;
  const { candidate } = candidateOf({ pod, vmi: one.vmi, purpose, world, behavior: context.behavior });
  if (!candidate) return undefined;
  const amounts = new Map([...loadOf(podsWith(context, pod))].filter(([, amount]) => amount > 0));
  return kinds.of(candidate, amounts);
}

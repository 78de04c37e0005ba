import { judgePlacement, type Placement } from '../decide/placement/placement.ts';
import { PlacementWorld } from '../decide/placement/world.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { isHotplugPod, keyOf } from '../kubevirt/predicates.ts';
import type { Context } from './context.ts';
import type { Ending } from './ending.ts';
import type { Outcome } from './forecast.ts';
import type { Foreseen } from './foreseen.ts';
import { contestedWait } from './room/contest-words.ts';
import { seekersIn } from './room/quota-contest.ts';
import { someOf } from './views/remedies.ts';

/** A VM that waits for room may go itself once it has some; more links than that are not followed. */
const MOST_LINKS = 4;

/**
 * VMs that no node or quota takes as things stand, while others of the same action leave: they go after those. Only where there would
 * be no room even if all of the others were gone, it stays at that. Whether others take the room on a node first is not asked here;
 * of a quota's it is. `beside`: VMs that go whatever the action does.
 */
export function withRoomOfOthers(
  context: Context,
  foreseen: readonly Foreseen[],
  beside: readonly Foreseen[],
): Foreseen[] {
  const all = [...foreseen, ...beside];
  let told = all;
  for (let link = 0; link < MOST_LINKS && told.some(lacksRoom); link++) {
    const departures = departuresIn(context, told);
    const next = told.map((one) => (lacksRoom(one) ? afterDepartures(context, one, departures) : one));
    if (next.every((one, index) => one === told[index])) break;
    told = next;
  }
  return withSeekers(all, told).slice(0, foreseen.length);
}

/** Migrations that are tried for ever may take every place that a quota gets, one after another. */
function withSeekers(before: readonly Foreseen[], told: readonly Foreseen[]): Foreseen[] {
  const seekers = seekersIn(told);
  return told.map((one, index) => {
    const isSought = (seekers.get(one.vmi.metadata.namespace)?.length ?? 0) > 0;
    const waitsForQuota = before[index]?.ending.reason === 'QuotaExceeded' && isCertainWait(one.ending);
    return isSought && waitsForQuota ? { ...one, ending: contestedWait(one.ending, false) } : one;
  });
}

function isCertainWait({ outcome, reason }: Ending): boolean {
  return outcome === 'LiveMigrates' && reason === 'WaitsForRoom';
}

/** Who leaves, and the nodes without them. */
interface Departures {
  readonly leavers: readonly Foreseen[];
  readonly world: PlacementWorld;
}

function departuresIn(context: Context, foreseen: readonly Foreseen[]): Departures {
  const leavers = foreseen.filter(({ ending }) => leaves(ending));
  const gone = new Set(launchersOf(context, leavers));
  const { fleet, world } = context;
  const without = new PlacementWorld({
    nodes: world.nodes,
    podsOn: (node) => fleet.podsOn(node).filter((pod) => !gone.has(pod)),
    cordoned: world.cordoned,
    namespaceLabels: world.namespaceLabels,
    volumesOf: world.volumesOf,
  });
  return { leavers, world: without };
}

function launchersOf({ fleet }: Context, leavers: readonly Foreseen[]): Pod[] {
  return leavers.flatMap(({ vmi }) => fleet.launcherPodOf(vmi) ?? []);
}

const LACKING: ReadonlySet<string> = new Set(['NoRoom', 'QuotaExceeded']);
const LEAVING: ReadonlySet<Outcome> = new Set(['LiveMigrates', 'Restarts', 'StaysOff', 'MayStayOff']);

function lacksRoom({ ending }: Foreseen): boolean {
  return ending.outcome === 'NeverCompletes' && LACKING.has(ending.reason);
}

/** It leaves its node, or may. */
function leaves({ outcome, reason }: Ending): boolean {
  return LEAVING.has(outcome) || reason === 'WaitsForRoom' || (outcome === 'HandedOver' && isKnown(reason));
}

/** Of who acts on the mark. */
function isKnown(reason: string): boolean {
  return reason !== 'ExternalControllerUnknown' && reason !== 'CapkBuildUnknown';
}

function afterDepartures(context: Context, one: Foreseen, { leavers, world }: Departures): Foreseen {
  const { vmi, trail } = one;
  const { namespace = '' } = vmi.metadata;
  const isAboutQuota = one.ending.reason === 'QuotaExceeded';
  const away = isAboutQuota ? leavers.filter((leaver) => givesItsPlaceUp(leaver, vmi)) : [];
  const attachments = isAboutQuota ? attachmentPods(context, namespace) : [];
  const pod = context.fleet.launcherPodOf(vmi);
  const judge = (leaving: readonly Pod[]): Placement =>
    judgePlacement({
      ...{ pod, vmi, purpose: 'migration-target' },
      coming: pod ? context.fleet.hotplugPodsOf(pod) : [],
      world,
      quotas: context.fleet.quotasIn(namespace),
      leaving,
      settings: context.settings,
      behavior: context.behavior,
    });
  const placement = judge([...launchersOf(context, away), ...attachments]);
  if (placement.fitsNow.length === 0 || placement.quota) return one;
  const roomOf = isAboutQuota ? away : onNodes(leavers, placement.fitsNow);
  const names = [
    ...roomOf.map(({ vmi: other }) => keyOf(other)),
    ...attachments.map((pod) => `pod ${keyOf(pod)}`),
  ];
  names.sort();
  trail.note('room after others', 'WaitsForRoom', `${someOf(names)} may leave room`, [
    { object: 'this action', path: 'what leaves', value: names },
  ]);
  const ending = waiting(one.ending, names);
  const isSure = !isAboutQuota || !judge(launchersOf(context, away.filter(isGoneForSure))).quota;
  return { ...one, ending: isSure ? ending : contestedWait(ending, false) };
}

/** It has no budget that may refuse it after all, and no guest that may bring it back. */
function isGoneForSure({ ending }: Foreseen): boolean {
  return ending.outcome === 'StaysOff' && ending.budget === undefined;
}

/** All of them, where what is in the way is on none of the nodes itself. */
function onNodes(leavers: readonly Foreseen[], names: readonly string[]): readonly Foreseen[] {
  const nodes = new Set(names);
  const there = leavers.filter(({ vmi }) => nodes.has(vmi.status?.nodeName ?? ''));
  return there.length > 0 ? there : leavers;
}

/** To a quota a VM that moves is the same before and after. Who is started again is away for a moment, and may come too late. */
function givesItsPlaceUp({ vmi, ending: { outcome, reason } }: Foreseen, { metadata }: Vmi): boolean {
  const isAway = AWAY.has(outcome) || (outcome === 'HandedOver' && reason !== 'CapkMigrates');
  return isAway && vmi.metadata.namespace === metadata.namespace;
}

const AWAY: ReadonlySet<Outcome> = new Set(['StaysOff', 'MayStayOff', 'Restarts']);

/** Before KubeVirt 1.6 a drain evicts them though their VMs stay, and their quota has room until others are made. */
function attachmentPods({ fleet, world, settings }: Context, namespace: string): Pod[] {
  if (settings.rules.hotplugPodsRefused) return [];
  const there = [...world.cordoned].flatMap((node) => fleet.podsOn(node));
  return there.filter((pod) => isHotplugPod(pod) && pod.metadata.namespace === namespace);
}

function waiting(ending: Ending, names: readonly string[]): Ending {
  const says = ending.says.replace('cannot migrate', 'cannot migrate yet');
  const leave = names.length === 1 ? 'leaves' : 'leave';
  return {
    ...ending,
    outcome: 'LiveMigrates',
    reason: 'WaitsForRoom',
    says: `${says}; it goes as soon as ${someOf(names)} ${leave} room`,
  };
}

import { judgePlacement } from '../decide/placement/placement.ts';
import { PlacementWorld } from '../decide/placement/world.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { isHotplugPod, keyOf } from '../kubevirt/predicates.ts';
import type { Context } from './context.ts';
import type { Ending } from './ending.ts';
import type { Outcome } from './forecast.ts';
import type { Foreseen } from './foreseen.ts';
import { someOf } from './views/remedies.ts';

/** A VM that waits for room may go itself once it has some; more links than that are not followed. */
const MOST_LINKS = 4;

/**
 * VMs that no node or quota takes as things stand, while others of the same action leave: they wait for those. Whether the room is
 * theirs in the end is chance, so nothing is promised: only where there would be none even if all of the others were gone, it
 * stays at that.
 */
export function withRoomOfOthers(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  let told = [...foreseen];
  for (let link = 0; link < MOST_LINKS && told.some(lacksRoom); link++) {
    const departures = departuresIn(context, told);
    const next = told.map((one) => (lacksRoom(one) ? afterDepartures(context, one, departures) : one));
    if (next.every((one, index) => one === told[index])) break;
    told = next;
  }
  return told;
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
  const away = isAboutQuota ? leavers.filter((leaver) => staysAway(leaver, vmi)) : [];
  const attachments = isAboutQuota ? attachmentPods(context, namespace) : [];
  const placement = judgePlacement({
    pod: context.fleet.launcherPodOf(vmi),
    vmi,
    purpose: 'migration-target',
    world,
    quotas: context.fleet.quotasIn(namespace),
    leaving: [...launchersOf(context, away), ...attachments],
    settings: context.settings,
    behavior: context.behavior,
  });
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
  return { ...one, ending: waiting(one.ending, names) };
}

/** All of them, where what is in the way is on none of the nodes itself. */
function onNodes(leavers: readonly Foreseen[], names: readonly string[]): readonly Foreseen[] {
  const nodes = new Set(names);
  const there = leavers.filter(({ vmi }) => nodes.has(vmi.status?.nodeName ?? ''));
  return there.length > 0 ? there : leavers;
}

/** To a quota a VM that moves is the same before and after, and who starts again is there first. */
function staysAway({ vmi, ending }: Foreseen, { metadata }: Vmi): boolean {
  const isAway = AWAY.has(ending.outcome) || ending.goesAway === true;
  return isAway && vmi.metadata.namespace === metadata.namespace;
}

const AWAY: ReadonlySet<Outcome> = new Set(['StaysOff', 'MayStayOff']);

/** A drain evicts them too, and their quota has room until others are made. */
function attachmentPods({ fleet, world }: Context, namespace: string): Pod[] {
  const there = [...world.cordoned].flatMap((node) => fleet.podsOn(node));
  return there.filter((pod) => isHotplugPod(pod) && pod.metadata.namespace === namespace);
}

function waiting(ending: Ending, names: readonly string[]): Ending {
  const says = ending.says.replace('cannot migrate', 'cannot migrate yet');
  const leave = names.length === 1 ? 'leaves' : 'leave';
  return {
    ...ending,
    outcome: 'Deferred',
    reason: 'WaitsForRoom',
    says: `${says}; it goes as soon as ${someOf(names)} ${leave} room, unless others take it`,
  };
}

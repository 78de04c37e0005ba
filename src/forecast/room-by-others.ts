import { judgePlacement } from '../decide/placement/placement.ts';
import { PlacementWorld } from '../decide/placement/world.ts';
import type { Pod } from '../kubevirt/objects.ts';
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
    const leavers = told.filter(({ ending }) => leaves(ending));
    const next = told.map((one) => (lacksRoom(one) ? afterLeavers(context, one, leavers) : one));
    if (next.every((one, index) => one === told[index])) break;
    told = next;
  }
  return told;
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

function afterLeavers(context: Context, one: Foreseen, leavers: readonly Foreseen[]): Foreseen {
  const { vmi, trail } = one;
  const gone = leavers.filter((leaver) => leaver.vmi !== vmi && givesFree(leaver.ending, one.ending));
  const pods = [
    ...gone.flatMap(({ vmi: other }) => context.fleet.launcherPodOf(other) ?? []),
    ...(one.ending.reason === 'QuotaExceeded' ? attachmentPods(context) : []),
  ];
  const placement = judgePlacement({
    pod: context.fleet.launcherPodOf(vmi),
    vmi,
    purpose: 'migration-target',
    world: worldWithout(context, pods),
    quotas: context.fleet.quotasIn(vmi.metadata.namespace ?? ''),
    leaving: pods,
    settings: context.settings,
    behavior: context.behavior,
  });
  if (placement.fitsNow.length === 0 || placement.quota) return one;
  const names = [...gone.map(({ vmi: other }) => keyOf(other)).sort(), ...podsNamed(pods)];
  trail.note('room after others', 'WaitsForRoom', `${someOf(names)} may leave room`, [
    { object: 'this action', path: 'VMs that leave', value: names },
  ]);
  return { ...one, ending: waiting(one.ending, names) };
}

/** Its node is rid of every VM that leaves; its quota of those alone that may stay away, for who starts again is there first. */
function givesFree({ outcome }: Ending, { reason }: Ending): boolean {
  return reason !== 'QuotaExceeded' || AWAY.has(outcome);
}

const AWAY: ReadonlySet<Outcome> = new Set(['StaysOff', 'MayStayOff']);

function podsNamed(pods: readonly Pod[]): string[] {
  return pods
    .filter(isHotplugPod)
    .map((pod) => `pod ${keyOf(pod)}`)
    .sort();
}

/** A drain evicts them too, and their quota has room until others are made. */
function attachmentPods({ fleet, world }: Context): Pod[] {
  return [...world.cordoned].flatMap((node) => fleet.podsOn(node).filter(isHotplugPod));
}

function worldWithout({ fleet, world }: Context, pods: readonly Pod[]): PlacementWorld {
  const gone = new Set(pods);
  return new PlacementWorld({
    nodes: world.nodes,
    podsOn: (node) => fleet.podsOn(node).filter((pod) => !gone.has(pod)),
    cordoned: world.cordoned,
    namespaceLabels: world.namespaceLabels,
    volumesOf: world.volumesOf,
  });
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

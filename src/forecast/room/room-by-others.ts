import { judgePlacement } from '../../decide/placement/placement.ts';
import { WorldWithout } from '../../decide/placement/without.ts';
import type { NamedView } from '../../decide/placement/world.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { unlessOutOfReach } from '../chains/migration.ts';
import type { Context } from '../context.ts';
import { type Ending, isTakenAway } from '../ending.ts';
import { LEAVES_NODE } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';
import { noteLeavers, waiting } from './contest-words.ts';
import { launchersOf } from './departed.ts';
import { isLaunchedAnew } from './manner.ts';
import { withQuotaOfOthers, withSeekersOfQuotas } from './quota-by-others.ts';

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
  if (!all.some(({ ending }) => LACKING.has(ending.reason))) return [...foreseen];
  let told = withQuotaOfOthers(context, all, departuresIn(context, all).world);
  for (let link = 0; link < MOST_LINKS && told.some(lacksRoom); link++) {
    const departures = departuresIn(context, told);
    const next = told.map((one) => (lacksRoom(one) ? afterDepartures(context, one, departures) : one));
    if (next.every((one, index) => one === told[index])) break;
    told = next;
  }
  return withSeekersOfQuotas(all, told).slice(0, foreseen.length);
}

/** Who leaves, and the nodes without them. */
export interface Departures {
  readonly leavers: readonly Foreseen[];
  readonly world: NamedView;
}

/** Who of these leaves, or may. */
export function departuresIn(context: Context, foreseen: readonly Foreseen[]): Departures {
  const leavers = foreseen.filter(({ ending }) => leaves(ending));
  return { leavers, world: new WorldWithout(context.world, new Set(launchersOf(context, leavers))) };
}

/** Why a migration may come about once others leave. */
export const LACKING: ReadonlySet<string> = new Set(['NoRoom', 'QuotaExceeded']);

function lacksRoom({ ending }: Foreseen): boolean {
  return ending.outcome === 'NeverCompletes' && ending.reason === 'NoRoom';
}

/** It leaves its node, or may. */
function leaves(ending: Ending): boolean {
  const { outcome, reason } = ending;
  return (
    isLaunchedAnew(ending) || LEAVES_NODE.has(outcome) || reason === 'WaitsForRoom' || isTakenAway(ending)
  );
}

function afterDepartures(context: Context, one: Foreseen, departures: Departures): Foreseen {
  const names = whoLeavesRoom(context, one.vmi, departures);
  if (names.length === 0) return one;
  noteLeavers(one.trail, names);
  return { ...one, ending: unlessOutOfReach(context, one.vmi, one.trail, waiting(one.ending, names)) };
}

/** Those after whom a node takes its target; none: there is no room even without them. */
export function whoLeavesRoom(context: Context, vmi: Vmi, { leavers, world }: Departures): string[] {
  const { fleet, settings, behavior } = context;
  const pod = fleet.launcherPodOf(vmi);
  const question = { pod, vmi, purpose: 'migration-target', world, settings, behavior } as const;
  const { fitsNow } = judgePlacement(question);
  if (fitsNow.length === 0) return [];
  return onNodes(leavers, fitsNow)
    .map((one) => keyOf(one.vmi))
    .sort();
}

/** All of them, where what is in the way is on none of the nodes itself. */
function onNodes(leavers: readonly Foreseen[], names: readonly string[]): readonly Foreseen[] {
  const nodes = new Set(names);
  const there = leavers.filter(({ vmi }) => nodes.has(vmi.status?.nodeName ?? ''));
  return there.length > 0 ? there : leavers;
}

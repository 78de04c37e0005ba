import { judgePlacement } from '../../decide/placement/placement.ts';
import { WorldWithout } from '../../decide/placement/without.ts';
import type { NamedView } from '../../decide/placement/world.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import { unlessOutOfReach } from '../chains/migration.ts';
import type { Context } from '../context.ts';
import { type Ending, orElse } from '../ending.ts';
import { LEAVES_NODE } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';
import { Trail } from '../trail.ts';
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
  const told = afterLeavers(context, foreseen, beside);
  const later = [...foreseen, ...beside].filter(({ ending }) => ending.metLater);
  if (later.length === 0 || !told.some(lacksSome)) return told;
  const afterAll = afterLeavers(context, foreseen.map(asMetLater), beside.map(asMetLater));
  const names = someOf(later.map(({ vmi }) => keyOf(vmi)).sort());
  return told.map((one, index) => {
    const goes = lacksSome(one) && afterAll[index] && mayMove(afterAll[index].ending);
    const when = `should ${names} leave room for it, once met, it moves`;
    return goes ? { ...one, ending: orElse(one.ending, 'Moves', when) } : one;
  });
}

/** As it will be once it runs, or is back. */
function asMetLater({ vmi, ending }: Foreseen): Foreseen {
  return { vmi, ending: ending.metLater ?? ending, trail: new Trail(false) };
}

function lacksSome({ ending }: Foreseen): boolean {
  return ending.outcome === 'NeverCompletes' && LACKING.has(ending.reason) && !mayMove(ending);
}

function mayMove({ outcome, otherwise }: Ending): boolean {
  return outcome === 'LiveMigrates' || otherwise?.includes('Moves') === true;
}

function afterLeavers(
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
interface Departures {
  readonly leavers: readonly Foreseen[];
  readonly world: NamedView;
}

function departuresIn(context: Context, foreseen: readonly Foreseen[]): Departures {
  const leavers = foreseen.filter(({ ending }) => leaves(ending));
  return { leavers, world: new WorldWithout(context.world, new Set(launchersOf(context, leavers))) };
}

const LACKING: ReadonlySet<string> = new Set(['NoRoom', 'QuotaExceeded']);

function lacksRoom({ ending }: Foreseen): boolean {
  return ending.outcome === 'NeverCompletes' && ending.reason === 'NoRoom';
}

/** It leaves its node, or may. */
function leaves(ending: Ending): boolean {
  const { outcome, reason } = ending;
  return (
    isLaunchedAnew(ending) ||
    LEAVES_NODE.has(outcome) ||
    reason === 'WaitsForRoom' ||
    (outcome === 'HandedOver' && isKnown(reason))
  );
}

/** Of who acts on the mark. */
function isKnown(reason: string): boolean {
  return reason !== 'ExternalControllerUnknown' && reason !== 'CapkBuildUnknown';
}

function afterDepartures(context: Context, one: Foreseen, { leavers, world }: Departures): Foreseen {
  const { vmi } = one;
  const { fleet, settings, behavior } = context;
  const pod = fleet.launcherPodOf(vmi);
  const question = { pod, vmi, purpose: 'migration-target', world, settings, behavior } as const;
  const { fitsNow } = judgePlacement(question);
  if (fitsNow.length === 0) return one;
  const names = onNodes(leavers, fitsNow).map(({ vmi: other }) => keyOf(other));
  names.sort();
  noteLeavers(one.trail, names);
  return { ...one, ending: unlessOutOfReach(context, vmi, one.trail, waiting(one.ending, names)) };
}

/** All of them, where what is in the way is on none of the nodes itself. */
function onNodes(leavers: readonly Foreseen[], names: readonly string[]): readonly Foreseen[] {
  const nodes = new Set(names);
  const there = leavers.filter(({ vmi }) => nodes.has(vmi.status?.nodeName ?? ''));
  return there.length > 0 ? there : leavers;
}

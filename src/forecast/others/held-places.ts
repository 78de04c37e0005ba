import { hasHotplugVolumes } from '../../decide/migration/subject.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import { placeLauncher } from '../chains/place.ts';
import { moveUnderWay } from '../chains/under-way.ts';
import type { Context } from '../context.ts';
import { type Ending, orElse, withMore } from '../ending.ts';
import type { Foreseen } from '../foreseen.ts';
import { withoutPromise } from '../room/contest-words.ts';
import { Trail } from '../trail.ts';

/**
 * Migrations that never come to an end and never fail hold their places in the caps for ever: KubeVirt's of VMs with plugged
 * volumes, for which it makes one target after another. Where they hold all of them, whoever comes later never gets his turn, and who
 * comes first is chance. (A target without plugged volumes is given up after 300 s, and others have their turn meanwhile;
 * Drover begins no migration that no node takes, but does not end one from before either.) `beside`: VMs that are to move whatever the
 * action does.
 */
export function withHeldPlaces(
  context: Context,
  foreseen: readonly Foreseen[],
  beside: readonly Foreseen[] = [],
): Foreseen[] {
  const isHolder = (one: Foreseen) => holdsForEver(context, one) || holdsOnceMoved(context, one);
  const holders = new Set([...foreseen, ...beside].filter(isHolder));
  const perhaps = [...foreseen, ...beside].filter((one) => !holders.has(one) && mayHoldForEver(context, one));
  if (holders.size + perhaps.length === 0) return [...foreseen];
  const all = [...holders];
  const told = foreseen.map((one) => {
    const isMove = one.ending.outcome === 'LiveMigrates';
    if (!isMove && one.ending.before === undefined) return one;
    const held = capHeldBy(context, one, holders.has(one) ? all.filter((holder) => holder !== one) : all);
    if (held) return { ...one, ending: isMove ? behind(one, held) : beforeItBegins(one, held) };
    const others = perhaps.filter((other) => other !== one);
    const chance = others.length > 0 ? capHeldBy(context, one, [...all, ...others]) : undefined;
    return chance ? { ...one, ending: perhapsBehind(one, others, chance.cap) } : one;
  });
  // Those that others wait for may never get their turn.
  return told.some(({ ending }) => ending.reason === 'PlacesHeld') ? told.map(withoutPromise) : told;
}

const ENDLESS: ReadonlySet<string> = new Set(['NoNodeFits', 'NoRoom', 'RoomTaken', 'WaitsForRoom']);

/** Who waits for room that others leave holds a place meanwhile, which they may need. */
function holdsForEver(context: Context, { ending, vmi }: Foreseen): boolean {
  if (!hasHotplugVolumes(vmi)) return false;
  const isFromBefore = context.fleet.unfinishedMigrationsOf(vmi).length > 0;
  if (context.behavior === 'intended' && !isFromBefore) return false;
  return waitsForEver(ending) || waitsForEver(moveUnderWay(context, vmi, new Trail(false)));
}

/** The scheduler, which does not look at plugged volumes, may put its target where one cannot be reached. */
function mayHoldForEver(context: Context, { ending, vmi }: Foreseen): boolean {
  const isBegun = context.behavior === 'exact' || context.fleet.unfinishedMigrationsOf(vmi).length > 0;
  if (!isBegun || !hasHotplugVolumes(vmi)) return false;
  const move = ending.outcome === 'LiveMigrates' ? ending : moveUnderWay(context, vmi, new Trail(false));
  return move?.outcome === 'LiveMigrates' && move.mayMissVolumes === true;
}

function waitsForEver(ending: Ending | undefined): boolean {
  if (!ending || !ENDLESS.has(ending.reason)) return false;
  return ending.outcome === 'NeverCompletes' || ending.outcome === 'LiveMigrates';
}

/**
 * A mark from before has it moved with the launcher of today, so that an upgrade wants to move it once more; then no node may be left
 * that takes it.
 */
function holdsOnceMoved(context: Context, { vmi, ending }: Foreseen): boolean {
  if (context.behavior === 'intended') return false;
  const { evacuationNodeName, nodeName } = vmi.status ?? {};
  const movesTwice = ending.outcome === 'LiveMigrates' && ending.reason === 'LauncherOutdated';
  if (!movesTwice || !hasHotplugVolumes(vmi) || evacuationNodeName !== nodeName) return false;
  // To explain is to judge every node.
  const placement = placeLauncher({ ...context, explain: true }, vmi, 'restart');
  return placement.fitsNow.length < 2;
}

interface HeldCap {
  readonly cap: string;
  readonly places: number;
  readonly holders: readonly Foreseen[];
}

/** The cap whose places are all held, for a VM on its node. */
function capHeldBy(context: Context, { vmi }: Foreseen, holders: readonly Foreseen[]): HeldCap | undefined {
  const { parallelMigrationsPerCluster, parallelOutboundMigrationsPerNode } = context.settings.migrations;
  const here = holders.filter((holder) => holder.vmi.status?.nodeName === vmi.status?.nodeName);
  const held = [
    { cap: 'parallelMigrationsPerCluster', places: parallelMigrationsPerCluster, holders },
    { cap: 'parallelOutboundMigrationsPerNode', places: parallelOutboundMigrationsPerNode, holders: here },
  ];
  return held.find(({ places, holders: those }) => those.length >= places);
}

function behind({ ending, trail }: Foreseen, { cap, places, holders }: HeldCap): Ending {
  const names = holders.map(({ vmi }) => keyOf(vmi)).sort();
  trail.note(
    'places of migrations',
    'PlacesHeld',
    `${cap} is ${places}, and ${someOf(names)} never give up`,
    [
      { object: 'KubeVirt', path: `spec.configuration.migrations.${cap}`, value: places },
      { object: 'this action', path: 'migrations that never end', value: names },
    ],
  );
  return {
    ...withMore(
      ending,
      ` if its turn comes first: once ${someOf(names)}, which no node takes and whose volumes are plugged in, ${names.length === 1 ? 'holds' : 'hold'} what ${cap} allows, it waits for as long as ${names.length === 1 ? 'that migration is' : 'those migrations are'} there`,
    ),
    outcome: 'NeverCompletes',
    reason: 'PlacesHeld',
    otherwise: ['Moves'],
    remedies: [`Let ${someOf(names)} find a node, or unplug the volumes, or raise ${cap} above ${places}.`],
  };
}

/** What comes after its migration does not come where that never has its turn. */
function beforeItBegins({ ending }: Foreseen, { cap, holders }: HeldCap): Ending {
  const names = someOf(holders.map(({ vmi }) => keyOf(vmi)).sort());
  const when = `should ${names}, which no node takes and whose volumes are plugged in, hold what ${cap} allows before its migration begins, it stays`;
  return orElse(ending, 'Stays', when);
}

function perhapsBehind({ ending }: Foreseen, others: readonly Foreseen[], cap: string): Ending {
  const names = someOf(others.map(({ vmi }) => keyOf(vmi)).sort());
  const when = `should the target of ${names} be put out of reach of a plugged volume, what ${cap} allows is held for ever, and it stays`;
  return orElse(ending, 'Stays', when);
}

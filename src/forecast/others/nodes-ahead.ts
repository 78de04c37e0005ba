import { hasDrainTaint } from '../../decide/evacuation/candidate.ts';
import { isMigratableOnEviction } from '../../decide/eviction-strategy.ts';
import { isMigratable } from '../../kubevirt/predicates.ts';
import { firstOf } from '../../kubevirt/words.ts';
import { foreseeAnyway } from '../chains/anyway.ts';
import { stampedAnew } from '../chains/next-vmi.ts';
import { placeLauncher } from '../chains/place.ts';
import type { Context } from '../context.ts';
import { type Ending, orElse } from '../ending.ts';
import type { Otherwise } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';
import { type Manner, mannerOf } from '../room/manner.ts';
import { Trail } from '../trail.ts';

/** Nodes that one command drains: the one whose turn it is, and those that come after it. */
export interface NodesAhead {
  readonly here?: string | undefined;
  readonly later: readonly string[];
  /** Each is booted once it is drained. */
  readonly reboots?: boolean | undefined;
}

/**
 * VMs that may come to a node where they are met once more: one of those that the same command drains `later`, or one whose drain taint
 * has them evacuated; whose VMI is being deleted may be back in time on the node that is drained now, and any that restarts before that is
 * booted. Such a node is cordoned or tainted as a rule, so that few bear it. The verdict stays what it is, and tells that too.
 */
export function withNodesAhead(
  context: Context,
  foreseen: readonly Foreseen[],
  { here, later, reboots }: NodesAhead = { later: [] },
): Foreseen[] {
  const tainted = taintedNodes(context);
  return foreseen.map((one) => {
    const home = here !== undefined && comingManner(context, one) === 'restarts' ? [here] : [];
    const back = isDeleted(one) ? home : [];
    const booted = reboots ? home : [];
    const ahead = [...back, ...booted, ...later, ...tainted];
    const open = ahead.length > 0 ? nodesFor(context, one, ahead) : NONE;
    if (open.size === 0) return one;
    const ending = metOnceMore(context, one.ending, {
      back: back.filter((node) => open.has(node)),
      booted: booted.filter((node) => open.has(node)),
      drained: later.filter((node) => open.has(node)),
      evacuated: isEvacuated(context, one) ? tainted.filter((node) => open.has(node)) : [],
    });
    return { ...one, ending };
  });
}

const NONE: ReadonlySet<string> = new Set();

function taintedNodes({ world, settings }: Context): string[] {
  return world.nodes.filter((node) => hasDrainTaint(node, settings)).map(({ metadata }) => metadata.name);
}

/** Where it may come, now or once others have left; none where it stays, or surely bears none of the nodes. */
function nodesFor(context: Context, one: Foreseen, ahead: readonly string[]): Set<string> {
  const { vmi, ending } = one;
  const manner = comingManner(context, one);
  const bears = (context.fleet.launcherPodOf(vmi)?.spec?.tolerations ?? []).length > 0;
  const isShut = !bears && ahead.every((node) => context.world.cordoned.has(node));
  if (!COMING.has(manner) || isShut) return new Set();
  const movesOnce = manner === 'moves' && ending.moves === undefined;
  // To explain is to judge every node.
  const placement = placeLauncher(
    { ...context, explain: true },
    vmi,
    movesOnce ? 'migration-target' : 'restart',
  );
  return new Set([...placement.fitsNow, ...placement.fitsIfEmpty]);
}

const COMING: ReadonlySet<Manner | undefined> = new Set<Manner>(['moves', 'restarts']);

function isDeleted({ ending }: Foreseen): boolean {
  return ending.outcome === 'Untouched' && ending.reason === 'BeingDeleted';
}

/** Whose VMI is being deleted may start again, though the action does nothing to it. */
function comingManner(context: Context, one: Foreseen): Manner | undefined {
  const next = isDeleted(one) ? foreseeAnyway(context, one.vmi, new Trail(false)) : one.ending;
  return next && mannerOf(next);
}

function isEvacuated(context: Context, one: Foreseen): boolean {
  const next = comingManner(context, one) === 'restarts' ? stampedAnew(context, one.vmi) : one.vmi;
  return isMigratable(next) && isMigratableOnEviction(next, context.settings);
}

/** The nodes that it may come to, by what happens there. */
interface Meetings {
  readonly back: readonly string[];
  readonly booted: readonly string[];
  readonly drained: readonly string[];
  readonly evacuated: readonly string[];
}

function metOnceMore(
  { settings }: Context,
  ending: Ending,
  { back, booted, drained, evacuated }: Meetings,
): Ending {
  const key = settings.migrations.nodeDrainTaintKey;
  const meetings: readonly (readonly [readonly string[], (nodes: string) => string, Otherwise?])[] = [
    [booted, (node) => `should it be back on ${node} before that is booted, it goes down with it`, 'Cut'],
    [back, (node) => `should it be back on ${node} before that is drained, it is met there once more`],
    [drained, (nodes) => `should it come to ${nodes}, drained later, it is met there once more`],
    [evacuated, (nodes) => `should it come to ${nodes}, tainted ${key}, it is evacuated once more`],
  ];
  return meetings.reduce(
    (told, [nodes, when, way = 'MetAgain']) =>
      nodes.length > 0 ? orElse(told, way, when(firstOf(nodes))) : told,
    ending,
  );
}

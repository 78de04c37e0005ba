import { hasDrainTaint } from '../../decide/evacuation/candidate.ts';
import { isMigratableOnEviction } from '../../decide/eviction-strategy.ts';
import { isMigratable } from '../../kubevirt/predicates.ts';
import { firstOf } from '../../kubevirt/words.ts';
import { foreseeAnyway } from '../chains/anyway.ts';
import { stampedAnew } from '../chains/next-vmi.ts';
import { placeLauncher } from '../chains/place.ts';
import type { Context } from '../context.ts';
import { type Ending, orElse } from '../ending.ts';
import type { Foreseen } from '../foreseen.ts';
import { type Manner, mannerOf } from '../room/manner.ts';
import { Trail } from '../trail.ts';

/**
 * VMs that may come to a node where they are met once more: one of those that the same command drains `later`, or one whose drain taint
 * has them evacuated. Such a node is cordoned or tainted as a rule, so that few bear it. The verdict stays what it is, and tells that too.
 */
export function withNodesAhead(
  context: Context,
  foreseen: readonly Foreseen[],
  later: readonly string[] = [],
): Foreseen[] {
  const tainted = taintedNodes(context);
  if (later.length + tainted.length === 0) return [...foreseen];
  return foreseen.map((one) => {
    const open = nodesFor(context, one, [...later, ...tainted]);
    const drained = later.filter((node) => open.has(node));
    const evacuated = isEvacuated(context, one) ? tainted.filter((node) => open.has(node)) : [];
    return { ...one, ending: metOnceMore(context, one.ending, drained, evacuated) };
  });
}

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

/** Whose VMI is being deleted may start again, though the action does nothing to it. */
function comingManner(context: Context, { vmi, ending }: Foreseen): Manner | undefined {
  const isDeleted = ending.outcome === 'Untouched' && ending.reason === 'BeingDeleted';
  const next = isDeleted ? foreseeAnyway(context, vmi, new Trail(false)) : ending;
  return next && mannerOf(next);
}

function isEvacuated(context: Context, one: Foreseen): boolean {
  const next = comingManner(context, one) === 'restarts' ? stampedAnew(context, one.vmi) : one.vmi;
  return isMigratable(next) && isMigratableOnEviction(next, context.settings);
}

function metOnceMore(
  { settings }: Context,
  ending: Ending,
  drained: readonly string[],
  evacuated: readonly string[],
): Ending {
  const again =
    drained.length === 0
      ? ending
      : orElse(
          ending,
          'MetAgain',
          `should it come to ${firstOf(drained)}, drained later, it is met there once more`,
        );
  const key = settings.migrations.nodeDrainTaintKey;
  return evacuated.length === 0
    ? again
    : orElse(
        again,
        'MetAgain',
        `should it come to ${firstOf(evacuated)}, tainted ${key}, it is evacuated once more`,
      );
}

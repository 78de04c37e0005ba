import type { Context } from '../../context.ts';
import { type Ending, isInUnknownHands, orElse } from '../../ending.ts';
import type { Outcome } from '../../forecast.ts';
import type { Foreseen } from '../../foreseen.ts';
import type { DrainedNode } from './drained-node.ts';
import { refusedPods, selectedOn } from './refused-pods.ts';

/** Nodes that one command empties one after another, and the first that the next ones wait behind. */
export interface Line {
  /** It is never done. */
  readonly stuckAt?: string | undefined;
  /** It is done, or never: chance or others decide. */
  readonly perhapsAt?: string | undefined;
}

/** What the nodes behind this one wait for. */
export function lineBehind(context: Context, node: DrainedNode, here: readonly Foreseen[], line: Line): Line {
  const endings = here.map(({ ending }) => ending);
  const others = new Set(refusedPods(context, node).map(({ answer }) => answer.kind));
  const isStuck = here.some(
    (one) => (isEndless(one.ending) || holdsAttachments(context, node, one)) && !isChance(one.ending),
  );
  if (isStuck || others.has('RefusedForEver')) return { ...line, stuckAt: line.stuckAt ?? node.name };
  const isUnsure = endings.some(mayStay) || others.has('RefusedNow') || others.has('Unknown');
  return isUnsure ? { ...line, perhapsAt: line.perhapsAt ?? node.name } : line;
}

/** What comes of a VM whose turn may not come. */
export function inLine({ perhapsAt }: Line, ending: Ending): Ending {
  if (perhapsAt === undefined || ending.outcome === 'Deferred' || ending.outcome === 'Untouched')
    return ending;
  return orElse(ending, 'NotReached', `its turn comes once node ${perhapsAt} is empty, which is not sure`);
}

const ENDLESS: ReadonlySet<Outcome> = new Set(['Blocks', 'NeverCompletes']);

/** After an error that is no refusal kubectl gives the pod up, and goes on. */
function isEndless({ outcome, answer }: Ending): boolean {
  return ENDLESS.has(outcome) && answer?.code !== 500;
}

/** What is plugged into a guest is refused for as long as that is there, be its launcher given up. */
function holdsAttachments({ fleet }: Context, node: DrainedNode, { vmi, ending }: Foreseen): boolean {
  const pod = fleet.launcherPodOf(vmi);
  const plugged = pod ? fleet.hotplugPodsOf(pod) : [];
  return ENDLESS.has(ending.outcome) && selectedOn(node).some((taken) => plugged.includes(taken));
}

/** It may go another way too, or hangs on others that are to leave first. */
function isChance({ otherwise, reason }: Ending): boolean {
  return reason === 'WaitsForRoom' || otherwise !== undefined;
}

function mayStay(ending: Ending): boolean {
  if (ending.metLater && (isEndless(ending.metLater) || mayStay(ending.metLater))) return true;
  if (isEndless(ending) || ending.outcome === 'LiveMigrates') return isChance(ending);
  return isInUnknownHands(ending) || ending.otherwise?.includes('Refused') === true;
}

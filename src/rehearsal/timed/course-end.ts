import { resolveSettings } from '../../decide/settings.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { LEAVES_NODE, type VmVerdict } from '../../forecast/forecast.ts';
import { keyOfVm } from '../../forecast/views/remedies.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { QUIET_SECONDS, type Rehearsal } from '../rehearsal.ts';
import type { Story } from '../story.ts';
import type { TimedAction } from './play-action.ts';
import type { PlayedTurn } from './round.ts';

const LEAST_PATIENCE_SECONDS = 7200;

type IsOver = (rehearsal: Rehearsal) => boolean;

/** When a course is over, quiet or not: of a drain, when whoever is told to leave has left; of a round, when each node has had its turn. */
export function courseEnd(
  fleet: Fleet,
  timed: TimedAction,
  told: readonly VmVerdict[],
  turns: readonly PlayedTurn[],
): IsOver {
  if (timed.action === 'round') return () => turns.length === timed.question.steps.length;
  const isStuck = stuckFor(fleet);
  if (timed.action !== 'drain') return isStuck;
  const haveLeft = leftFor(timed.question.nodes, told);
  return (rehearsal) => haveLeft(rehearsal) || isStuck(rehearsal);
}

/** Whether the nodes have been without those who leave them for long enough that they have come back up by now, if they do. */
function leftFor(nodes: readonly string[], told: readonly VmVerdict[]): IsOver {
  const leavers = told.filter(({ outcome }) => LEAVES_NODE.has(outcome));
  let leftAt: Instant | undefined;
  return ({ observer: { stories }, simulated: { clock } }) => {
    const haveLeft = leavers.every((vm) => {
      const story = stories.get(keyOfVm(vm));
      return story && hasFate(story) && !nodes.includes(story.node ?? '');
    });
    leftAt = haveLeft ? (leftAt ?? clock.now()) : undefined;
    return leftAt !== undefined && clock.now() - leftAt >= QUIET_SECONDS * 1000;
  };
}

/** It has moved or been down, and no copy of it goes on. */
function hasFate({ moves, outages }: Story): boolean {
  return (moves.length > 0 || outages.length > 0) && moves.every(({ endAt }) => endAt !== undefined);
}

/**
 * Whether no VM has come any further for so long that only what fails is tried again and again. The rest between two batches is
 * waited for, and a first copy that goes on.
 */
function stuckFor(fleet: Fleet): (rehearsal: Rehearsal) => boolean {
  const { batchEvictionIntervalSeconds } = resolveSettings(fleet.kubevirt());
  const patience = Math.max(LEAST_PATIENCE_SECONDS, 2 * batchEvictionIntervalSeconds) * 1000;
  return ({ observer, simulated: { clock } }) =>
    clock.now() - observer.furtherAt >= patience && ![...observer.stories.values()].some(isCopiedFirst);
}

function isCopiedFirst({ moves }: Story): boolean {
  return moves.length === 1 && moves[0]?.endAt === undefined;
}

import { counted } from '../../../kubevirt/words.ts';
import type { ForecastRound, RoundMoves, VmVerdict } from '../../forecast.ts';

/** So many turns are told in words; JSON has them all. */
const TURNS_TOLD = 20;

const BOUNDS: Readonly<Record<string, string>> = {
  EachOnce: 'every VM that goes moves once at least',
  NoRoomBeforeTheFirst:
    'no order does with fewer: whichever node is drained first, its VMs do not all find room on nodes that need not be drained after it',
};

/** What to know of a round besides the verdicts: the order with its reasons, how many moves, and what they would be otherwise. */
export function roundNotes(round: ForecastRound, verdicts: readonly VmVerdict[]): string[] {
  const { steps, asGiven, atLeast, mostMoves } = round;
  const isBest = mostMoves === atLeast.moves;
  const why = isBest ? BOUNDS[atLeast.reason] : `less than ${atLeast.moves} is not possible`;
  const restarts = verdicts.some(({ outcome }) => outcome === 'Restarts');
  return [
    `Order: ${steps.map(({ node }) => node).join(', ')}.`,
    ...steps.slice(0, TURNS_TOLD).map(({ node, message }, index) => `${index + 1}. ${node} ${message}.`),
    ...(steps.length > TURNS_TOLD
      ? [`… ${steps.length - TURNS_TOLD} more turns (-o json has them all).`]
      : []),
    `${tellMoves(round)}${mostMoves > 0 && why ? `; ${why}` : ''}.`,
    `As named, with nothing cordoned but the node that is drained, and the emptiest node as target: ${tellMoves(asGiven)}.`,
    ...(restarts ? ['A VM that is shut down and starts on another node counts as moved.'] : []),
    'Every node is taken to be back, and as large as before, when the next one is drained; what does not leave it by itself, to be seen to there by hand.',
  ];
}

function tellMoves({ totalMoves, mostMoves, stuck }: RoundMoves): string {
  const moves =
    totalMoves === 0 ? 'no moves' : `${counted(totalMoves, 'move')} in all, at most ${mostMoves} of any VM`;
  return stuck > 0 ? `${moves}, and ${counted(stuck, 'VM')} without a place` : moves;
}

/** KubeVirt does not choose the targets; this is what makes them come out as foretold. */
export function roundWarnings(round: ForecastRound): string[] {
  return [...rolloutWarning(round), ...targetWarnings(round)];
}

function rolloutWarning({ movedByRollout }: ForecastRound): string[] {
  if (movedByRollout === 0) return [];
  return [
    `A roll-out is under way: KubeVirt moves ${counted(movedByRollout, 'VM')} meanwhile, to nodes that this round counts on. Let it end first (drover status).`,
  ];
}

function targetWarnings({ steps, totalMoves }: ForecastRound): string[] {
  if (totalMoves === 0 || steps.length < 2) return [];
  const nodes = steps.map(({ node }) => node).join(' ');
  const opening = steps.filter(({ opens }) => opens.length > 0);
  return [
    `KubeVirt leaves the choice of targets to kube-scheduler. So that VMs go to nodes that are done, cordon all that are due first (kubectl cordon ${nodes}), drain them in this order, and uncordon each only when it is back. Until then other new pods find no place there either.`,
    ...opening
      .slice(0, TURNS_TOLD)
      .map(
        ({ node, opens }) =>
          `While ${node} is drained, uncordon ${opens.join(', ')} too: nodes that are done have too little room. Cordon ${opens.length === 1 ? 'it' : 'them'} again afterwards.`,
      ),
  ];
}

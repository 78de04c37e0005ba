import { orderRound, plainRound, type Round } from '../../decide/schedule/round.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { compareText } from '../../kubevirt/order.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { assemble } from '../assemble.ts';
import { type Context, contextOf, type ForecastOptions, isCordoned } from '../context.ts';
import type { Forecast, ForecastRound, VmVerdict } from '../forecast.ts';
import { afterPlacedOthers } from '../others/after-others.ts';
import { QuestionError } from '../question-error.ts';
import { DRAIN_DEFAULTS, type DrainQuestion, type RoundQuestion } from '../questions.ts';
import { scopeInWords } from '../scope.ts';
import { summarizeRound } from '../summary.ts';
import { foreseeDrain, planDrain, requireNodes } from './drain.ts';
import { type AloneVerdicts, roundInput } from './round/input.ts';
import { roundNotes, roundWarnings } from './round/notes.ts';
import { movesUnderWay } from './round/rollout-under-way.ts';
import { RoundStage } from './round/stage.ts';
import { RoundVerdicts } from './round/verdicts.ts';

/**
 * What a maintenance round does to every VM: each node drained with kubectl, booted anew and given back, one after another, in
 * an order, and with targets, that move no VM often.
 *
 * Promise: every VM on a node of the round has one verdict, the worst of all its drains, each foretold as `plan drain` does,
 * with everything where the round has brought it by then. Nodes that are not named and cordoned take no part. A node that the
 * fleet does not have is an error.
 */
export function planRound(fleet: Fleet, question: RoundQuestion, options: ForecastOptions): Forecast {
  requireNodes(fleet, question.nodes);
  const due = dueNodes(fleet, question);
  if (fleet.count('Node') === 0) {
    throw new QuestionError(
      'UnknownNode',
      'no node in the input: nobody knows what a round goes over',
      'Dump nodes too.',
    );
  }
  const stage = new RoundStage(fleet, due);
  const context = contextOf(stage.fleet, options);
  const alone = aloneVerdicts(context, due);
  const input = roundInput(context, due, alone);
  const round = orderRound(input);
  const leaving = new Set(input.vms.filter(({ fate }) => fate === 'Leaves').map(({ key }) => key));
  const played = play(stage, round, leaving, options);
  const beside = { asGiven: plainRound(input), movedByRollout: movesUnderWay(context) };
  const told = tellRound(round, beside, played.verdicts);
  return assemble(contextOf(fleet, options), {
    action: 'round',
    title: titleOf(due, played.verdicts),
    parameters: { nodes: due },
    verdicts: played.verdicts,
    summarize: (counts) => summarizeRound(counts, round, scopeInWords(context.scope).length > 0),
    notes: roundNotes(told, played.verdicts),
    warnings: [...roundWarnings(told), ...played.warnings],
    round: told,
  });
}

/** As named, each once; else every node that is not cordoned, by name. */
function dueNodes(fleet: Fleet, { nodes }: RoundQuestion): string[] {
  if (nodes.length > 0) return [...new Set(nodes)];
  const open = [...fleet.all('Node')].filter((node) => !isCordoned(node));
  return open.map(({ metadata }) => metadata.name).sort(compareText);
}

const MOST_NAMED = 6;

function titleOf(due: readonly string[], verdicts: readonly VmVerdict[]): string {
  const nodes = due.length <= MOST_NAMED ? due.join(', ') : counted(due.length, 'node');
  return `maintenance round · ${nodes} · ${counted(verdicts.length, 'VM')} there`;
}

/** What the drain of each node by itself does, the others open: tells who can go at all. */
function aloneVerdicts(context: Context, due: readonly string[]): AloneVerdicts {
  const plain = { ...context, scope: {}, explain: false };
  const foreseen = due.flatMap((name) => {
    const drain = foreseeDrain(plain, drainOf(name), afterPlacedOthers);
    // A VM that is about to arrive on a node is judged where it is now.
    return drain.foreseen.filter(({ vmi }) => vmi.status?.nodeName === name);
  });
  return new Map(foreseen.map(({ vmi, ending }) => [keyOf(vmi), ending]));
}

function drainOf(node: string): DrainQuestion {
  return { ...DRAIN_DEFAULTS, nodes: [node] };
}

interface Played {
  readonly verdicts: readonly VmVerdict[];
  readonly warnings: readonly string[];
}

/** Nodes that are due are cordoned until they are done, but for those that a turn needs. */
function play(
  stage: RoundStage,
  round: Round,
  leaving: ReadonlySet<string>,
  options: ForecastOptions,
): Played {
  const verdicts = new RoundVerdicts();
  const warnings = new Set<string>();
  for (const { node } of round.steps) stage.close(node);
  for (const step of round.steps) {
    for (const node of step.opens) stage.open(node);
    // Who finds room beside whom is for the round to say.
    const { status } = planDrain(stage.fleet, drainOf(step.node), options, afterPlacedOthers);
    verdicts.add(status.vms, step);
    for (const warning of status.warnings) warnings.add(warning);
    stage.carryOut(step);
    for (const vmi of stage.fleet.vmisOn(step.node)) forgetIf(stage, leaving, vmi.metadata);
    for (const node of step.opens) stage.close(node);
    stage.open(step.node);
  }
  return { verdicts: verdicts.all(), warnings: [...warnings] };
}

function forgetIf(
  stage: RoundStage,
  leaving: ReadonlySet<string>,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
): void {
  if (leaving.has(`${namespace}/${name}`)) stage.forget(`${namespace}/${name}`);
}

function tellRound(
  round: Round,
  beside: Pick<ForecastRound, 'asGiven' | 'movedByRollout'>,
  verdicts: readonly VmVerdict[],
): ForecastRound {
  const shown = new Set(verdicts.map(({ namespace, name }) => `${namespace}/${name}`));
  const { mostMoves, totalMoves, stuck } = round;
  return {
    ...{ mostMoves, totalMoves, stuck, atLeast: round.bound, ...beside },
    steps: round.steps.map(({ node, reason, message, opens, moves }) => ({
      ...{ node, reason, message, opens },
      moves: moves
        .filter(({ vm }) => shown.has(vm))
        .map((move) => ({ vm: move.vm, to: move.to, reason: move.reason, message: move.message })),
    })),
  };
}

import type { Scenario } from '../scenario/schema.ts';
import { virtOperator } from '../simulation/actors/operator/virt-operator.ts';
import type { BehaviorOf } from '../simulation/guests/behavior.ts';
import type { RecordedEvent } from '../simulation/memory-cluster.ts';
import type { Beginning } from './beginning/prepare.ts';
import { failedExpectations } from './expectations.ts';
import { externalActors } from './external-actors.ts';
import { howFar, type OnCourse } from './how-far.ts';
import { Peaks } from './peaks.ts';
import { Rehearsal } from './rehearsal.ts';
import type { EventResult, RunResult } from './result.ts';
import { behaviorIn, lastDeedSeconds, limitSeconds, nodeOptions, quietSecondsOf } from './settings.ts';
import { type Stage, stageOf } from './stage.ts';
import { schedule } from './timeline.ts';
import { countsOf, vmResults } from './vm-results.ts';

export interface RunOptions {
  readonly seed: number;
  /** Events are counted among the facts; without them a large run takes less memory. */
  readonly keepsEvents?: boolean | undefined;
  /** Sees the rehearsal before anything happens in it. */
  readonly onStart?: ((rehearsal: Rehearsal) => void) | undefined;
  readonly onEvent?: ((event: RecordedEvent, seconds: number) => void) | undefined;
  /** Called at every change of the cluster. */
  readonly onCourse?: OnCourse | undefined;
  /** It is over when nothing has happened to any VM for so long; as long as the scenario needs where absent. */
  readonly quietSeconds?: number | undefined;
  /** It is over then too; asked every few seconds. */
  readonly isOver?: ((rehearsal: Rehearsal) => boolean) | undefined;
  /** How guests behave, in place of what the scenario says. */
  readonly behaviorOf?: BehaviorOf | undefined;
}

/**
 * Plays a scenario once, to the end of its time or until nothing goes on any more.
 *
 * Promise: the same scenario, beginning and seed give the same result.
 */
export async function runScenario(
  scenario: Scenario,
  beginning: Beginning,
  options: RunOptions,
): Promise<RunResult> {
  const { seed, keepsEvents = true } = options;
  const events: EventResult[] = [];
  const rehearsal = new Rehearsal({
    ...beginning,
    ...{
      seed,
      behavior: behaviorIn(scenario),
      nodes: nodeOptions(scenario, options.behaviorOf),
    },
    onEvent: (event, at) => {
      const seconds = (at - beginning.startAt) / 1000;
      options.onEvent?.(event, seconds);
      if (keepsEvents) events.push(eventResult(event, seconds));
    },
  });
  const peaks = new Peaks(rehearsal.simulated.cluster, rehearsal.simulated.clock);
  options.onStart?.(rehearsal);
  if (options.onCourse) follow(rehearsal, beginning, options.onCourse);
  rehearsal.start();
  rehearsal.simulated.start(...externalActors(rehearsal.simulated, scenario));
  const deeds = schedule(stageFor(rehearsal, scenario), scenario.timeline);
  const course = await untilTheEnd(rehearsal, scenario, options);
  const { startAt } = beginning;
  const vms = vmResults(rehearsal.endings(), startAt, rehearsal.simulated.clock.now());
  await rehearsal.stop();
  return resultOf(scenario, peaks, { seed, ...course, vms, deeds, events });
}

function follow({ simulated, observer }: Rehearsal, { startAt }: Beginning, onCourse: OnCourse): void {
  const look = () => howFar(observer, (simulated.clock.now() - startAt) / 1000);
  simulated.cluster.subscribe(() => onCourse(look));
}

type Observed = Pick<RunResult, 'seed' | 'seconds' | 'isCutShort' | 'vms' | 'deeds' | 'events'>;

/** The result of a run that has ended. */
export function resultOf(
  scenario: Scenario,
  peaks: Peaks,
  { seed, seconds, isCutShort, vms, deeds, events }: Observed,
): RunResult {
  const result = {
    ...{ seed, seconds, isCutShort, counts: countsOf(vms), vms, nodes: peaks.nodes() },
    ...{ mostWaiting: peaks.waiting.most, mostUnderWay: peaks.underWay.most, mostCopies: peaks.copies.most },
    ...{ queue: peaks.queue(), deeds, events },
  };
  return { ...result, failures: failedExpectations(scenario, result) };
}

function eventResult(event: RecordedEvent, seconds: number): EventResult {
  const { kind, namespace, name, type, reason, message, component } = event;
  const object = [kind, namespace, name].filter(Boolean).join('/');
  return { seconds, object, type, reason, message, component };
}

function stageFor(rehearsal: Rehearsal, scenario: Scenario): Stage {
  const { simulated } = rehearsal;
  const operator = virtOperator(simulated.contextFor('virt-operator'), {
    pauseHandler: (node) => rehearsal.agents.pauseHandler(node),
    resumeHandler: (node) => rehearsal.agents.resumeHandler(node),
    restartController: (image) => rehearsal.controller.restart(image),
  });
  return stageOf(scenario, { rehearsal, operator, context: simulated.contextFor('timeline') });
}

/** Gives the second at which something last happened to a VM, and whether there was no time to wait for more. */
async function untilTheEnd(
  rehearsal: Rehearsal,
  scenario: Scenario,
  { quietSeconds = quietSecondsOf(scenario), isOver }: RunOptions,
): Promise<Pick<RunResult, 'seconds' | 'isCutShort'>> {
  const limit = limitSeconds(scenario);
  const lastDeed = lastDeedSeconds(scenario.timeline);
  const first = Math.min(limit, lastDeed + quietSeconds);
  await rehearsal.simulated.clock.advance(first);
  const { seconds, isQuiet } = await rehearsal.untilQuiet(limit - first, quietSeconds, isOver);
  const hasCalmedDown = isQuiet && limit >= lastDeed + quietSeconds;
  return { seconds, isCutShort: !hasCalmedDown && isOver?.(rehearsal) !== true };
}

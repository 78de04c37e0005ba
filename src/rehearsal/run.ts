import type { Behavior } from '../decide/rules.ts';
import type { Scenario } from '../scenario/schema.ts';
import { ACTION_NAMES, type TimelineEntry } from '../scenario/timeline-schema.ts';
import { SilentNodes } from '../simulation/actors/cluster/silent-node.ts';
import { virtOperator } from '../simulation/actors/operator/virt-operator.ts';
import { type BehaviorOf, RECORDED_BEHAVIOR } from '../simulation/guests/behavior.ts';
import { behaviorsOf } from '../simulation/guests/behavior-file.ts';
import { behaviorByAnnotations } from '../simulation/guests/lab-annotations.ts';
import type { RecordedEvent } from '../simulation/memory-cluster.ts';
import type { Beginning } from './beginning/prepare.ts';
import { DEEDS } from './deeds.ts';
import { failedExpectations } from './expectations.ts';
import { externalActors } from './external-actors.ts';
import { howFar, type OnCourse } from './how-far.ts';
import { Peaks } from './peaks.ts';
import { QUIET_SECONDS, Rehearsal } from './rehearsal.ts';
import type { DeedResult, EventResult, RunResult } from './result.ts';
import type { DeedEnd, Stage, Tell } from './stage.ts';
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

export const HOUR_SECONDS = 3600;
const REBOOT_SECONDS = 60;
/** CAPK looks every ten minutes, and drains the node of a guest cluster for ten more, which no VM notices. */
const CLUSTER_API_QUIET_SECONDS = 1300;

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

/** KubeVirt's own; kept only where somebody needs them. */
const HEARTBEAT_SECONDS = 60;

/** How KubeVirt and Drover behave in a scenario. */
export function behaviorIn({ settings }: Scenario): Behavior {
  return settings.behavior ?? 'exact';
}

/** Where a node fails they are missed; and whoever looks at nodes sees another configuration with the next one. */
function needsHeartbeats({ failNode, config }: TimelineEntry): boolean {
  return failNode !== undefined || config !== undefined;
}

/** Nodes and guests as a scenario wants them. */
export function nodeOptions({ settings, guests, timeline }: Scenario, given?: BehaviorOf) {
  const { podStart, boot, migration, nicMbps, rackUplinkMbps } = settings;
  const base = {
    ...RECORDED_BEHAVIOR,
    ...(boot !== undefined && { bootSeconds: boot }),
    ...(migration !== undefined && { migration: { kind: 'takes' as const, seconds: migration } }),
  };
  const behaviorOf = guests.length > 0 ? behaviorsOf(guests, base) : undefined;
  return {
    behaviorOf:
      given ??
      behaviorOf ??
      ((vmi: Parameters<typeof behaviorByAnnotations>[0]) => behaviorByAnnotations(vmi, base)),
    times: {
      ...(podStart !== undefined && { podStartSeconds: podStart }),
      ...(timeline.some(needsHeartbeats) && { heartbeatSeconds: HEARTBEAT_SECONDS }),
    },
    network: { nicMbps, rackUplinkMbps },
  };
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

/** Where the deeds of a scenario are done, in virtual time or in a lab. */
export function stageOf(
  { cluster, settings }: Scenario,
  players: Pick<Stage, 'rehearsal' | 'operator' | 'context'>,
): Stage {
  return {
    ...players,
    silent: new SilentNodes(players.context),
    namespace: cluster.namespace ?? 'default',
    rebootSeconds: settings.reboot ?? REBOOT_SECONDS,
  };
}

type Kept = { -readonly [Key in keyof DeedResult]: DeedResult[Key] };

/** Sets every deed of a timeline for its time; what comes of them is in the list, in the order of time, sooner or later. */
export function schedule(stage: Stage, timeline: readonly TimelineEntry[]): DeedResult[] {
  const { clock } = stage.context;
  const startAt = clock.now();
  const inTime = [...timeline].sort((a, b) => a.at - b.at);
  return inTime.map((entry) => {
    const kept: Kept = {
      atSeconds: entry.at,
      deed: deedText(entry),
      node: entry.drain?.node,
      end: 'unfinished',
      says: [],
    };
    clock.after(entry.at, () => {
      const tell: Tell = (says) => Object.assign(kept, { says });
      void carryOut(stage, entry, tell).then(({ end, says = [] }) => {
        Object.assign(kept, { end, says, endSeconds: (clock.now() - startAt) / 1000 });
      });
    });
    return kept;
  });
}

async function carryOut(stage: Stage, entry: TimelineEntry, tell: Tell): Promise<DeedEnd> {
  const name = ACTION_NAMES.find((action) => entry[action] !== undefined);
  if (!name) return { end: 'done' };
  const deed = DEEDS[name] as (stage: Stage, action: unknown, tell: Tell) => Promise<DeedEnd>;
  return deed(stage, entry[name], tell);
}

/** What was done, in one line. */
function deedText(entry: TimelineEntry): string {
  const name = ACTION_NAMES.find((action) => entry[action] !== undefined) ?? '';
  if (entry.drain)
    return `drain ${[entry.drain.node, ...(entry.drain.then ?? [])].join(' ')} (${entry.drain.client})`;
  const action = name === '' ? undefined : entry[name as keyof TimelineEntry];
  return `${name} ${typeof action === 'string' ? action : JSON.stringify(action)}`;
}

/** How long nothing has happened to any VM when it is over; as long as who acts on the cluster needs to look again. */
export function quietSecondsOf({ external = 'none' }: Scenario['settings']): number {
  return external === 'none' ? QUIET_SECONDS : CLUSTER_API_QUIET_SECONDS;
}

/** When a run ends at the latest. */
export function limitSeconds({ settings, timeline }: Pick<Scenario, 'settings' | 'timeline'>): number {
  return settings.until ?? lastDeedSeconds(timeline) + HOUR_SECONDS;
}

/** When the last thing is done that a timeline has. */
export function lastDeedSeconds(timeline: readonly TimelineEntry[]): number {
  return Math.max(0, ...timeline.map(({ at }) => at));
}

/** Gives the second at which something last happened to a VM, and whether there was no time to wait for more. */
async function untilTheEnd(
  rehearsal: Rehearsal,
  scenario: Scenario,
  { quietSeconds = quietSecondsOf(scenario.settings), isOver }: RunOptions,
): Promise<Pick<RunResult, 'seconds' | 'isCutShort'>> {
  const limit = limitSeconds(scenario);
  const lastDeed = lastDeedSeconds(scenario.timeline);
  const first = Math.min(limit, lastDeed + quietSeconds);
  await rehearsal.simulated.clock.advance(first);
  const { seconds, isQuiet } = await rehearsal.untilQuiet(limit - first, quietSeconds, isOver);
  const hasCalmedDown = isQuiet && limit >= lastDeed + quietSeconds;
  return { seconds, isCutShort: !hasCalmedDown && isOver?.(rehearsal) !== true };
}

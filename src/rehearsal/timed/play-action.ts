import type { Behavior } from '../../decide/rules.ts';
import { resolveSettings } from '../../decide/settings.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { changedKubevirt } from '../../forecast/changed-kubevirt.ts';
import { clientOf } from '../../forecast/drained-node.ts';
import type { Outcome, VmVerdict } from '../../forecast/forecast.ts';
import type { ConfigQuestion, DrainQuestion, Setting, UpgradeQuestion } from '../../forecast/questions.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { kubectlDrain } from '../../simulation/actors/drain/kubectl.ts';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import type { OnCourse } from '../how-far.ts';
import { beginningOfSnapshot } from '../prepare.ts';
import { QUIET_SECONDS, type Rehearsal } from '../rehearsal.ts';
import type { RunResult, VmResult } from '../result.ts';
import { runScenario } from '../run.ts';
import type { Story } from '../story.ts';
import { LONGEST_DRAIN_SECONDS, type PlayedTurn, playRound, type TimedRound } from './round.ts';

/** What is played for its times. */
export type TimedAction =
  | { readonly action: 'upgrade'; readonly question: UpgradeQuestion }
  | { readonly action: 'drain'; readonly question: DrainQuestion }
  | { readonly action: 'config'; readonly question: ConfigQuestion }
  | { readonly action: 'round'; readonly question: TimedRound };

/** How it is played. */
export interface CourseOptions {
  readonly takenAt: Instant;
  readonly behavior: Behavior;
  readonly behaviorOf: BehaviorOf;
  /** What the forecast says of each VM that it is about. */
  readonly told: readonly VmVerdict[];
  /** Settings of the KubeVirt CR that count instead. */
  readonly changes: readonly Setting[];
  readonly seed: number;
  readonly onCourse?: OnCourse | undefined;
}

/** Its `vms` are those that the forecast is about: others may move for as long as they like. */
export interface Course extends RunResult {
  /** Whoever takes places from them: of a drain all VMs of its nodes, whatever the scope; of anything else all VMs. */
  readonly rivals: readonly VmResult[];
  /** Of a round: the turns that have ended, in their order. */
  readonly turns: readonly PlayedTurn[];
}

/** A week: whatever is not over by then is said to go on. */
const LONGEST_SECONDS = 604_800;
const LEAST_PATIENCE_SECONDS = 7200;
const NEW_IMAGE = 'new-virt-launcher';

/** Plays an action once on a cluster as it is, until nothing goes on any more that it would have to do with. */
export async function playAction(fleet: Fleet, timed: TimedAction, options: CourseOptions): Promise<Course> {
  const { takenAt, behavior, behaviorOf, told, changes, seed, onCourse } = options;
  const scenario = scenarioSchema.parse({
    title: timed.action,
    cluster: { nodes: [], vms: [] },
    settings: { behavior, until: `${LONGEST_SECONDS}s` },
  });
  const turns: PlayedTurn[] = [];
  const result = await runScenario(scenario, beginningOfSnapshot({ fleet, takenAt }, scenario), {
    ...{ seed, behaviorOf, onCourse, keepsEvents: false, quietSeconds: quietSecondsOf(timed) },
    isOver: endOf(fleet, timed, told, turns),
    onStart: (rehearsal) =>
      rehearsal.simulated.clock.after(0, () => void begin(rehearsal, fleet, timed, changes, turns)),
  });
  const names = new Set(told.map(({ namespace, name }) => `${namespace}/${name}`));
  const vms = result.vms.filter(({ name }) => names.has(name));
  return { ...result, vms, rivals: rivalsIn(result, timed), turns };
}

function rivalsIn({ vms }: RunResult, timed: TimedAction): readonly VmResult[] {
  if (timed.action !== 'drain') return vms;
  const nodes = new Set(timed.question.nodes);
  return vms.filter(({ fromNode = '' }) => nodes.has(fromNode));
}

type IsOver = (rehearsal: Rehearsal) => boolean;

/** Of a drain, when whoever is told to leave has left; of a round, when each node has had its turn. */
function endOf(
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

const LEAVES: ReadonlySet<Outcome> = new Set(['LiveMigrates', 'Restarts', 'StaysOff', 'MayStayOff']);

/** Whether the nodes have been without those who leave them for long enough that they have come back up by now, if they do. */
function leftFor(nodes: readonly string[], told: readonly VmVerdict[]): IsOver {
  const leavers = told.filter(({ outcome }) => LEAVES.has(outcome));
  let leftAt: Instant | undefined;
  return ({ observer: { stories }, simulated: { clock } }) => {
    const haveLeft = leavers.every(({ namespace, name }) => {
      const story = stories.get(`${namespace}/${name}`);
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

/** A round goes on while nodes boot, and while a drain waits. */
function quietSecondsOf({ action, question }: TimedAction): number {
  if (action !== 'round') return QUIET_SECONDS;
  return QUIET_SECONDS + LONGEST_DRAIN_SECONDS + question.steps.length * question.rebootSeconds;
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

/** The settings that are tried, then what was asked for. */
async function begin(
  rehearsal: Rehearsal,
  fleet: Fleet,
  timed: TimedAction,
  changes: readonly Setting[],
  turns: PlayedTurn[],
): Promise<void> {
  await setUp(rehearsal, fleet, timed, changes);
  if (timed.action === 'upgrade') {
    await rehearsal.controller.restart(timed.question.launcherImage ?? NEW_IMAGE);
  } else if (timed.action === 'drain') {
    const { nodes } = timed.question;
    await kubectlDrain(rehearsal.simulated.contextFor('drain'), { nodes, client: clientOf(timed.question) })
      .done;
  } else if (timed.action === 'round') {
    await playRound(rehearsal, timed.question, (turn) => turns.push(turn));
  }
}

/** The KubeVirt CR with what is asked for, where that is a change of it, and on top of that what is tried. */
async function setUp(
  { simulated: { cluster } }: Rehearsal,
  fleet: Fleet,
  { action, question }: TimedAction,
  changes: readonly Setting[],
): Promise<void> {
  const kubevirt = fleet.kubevirt();
  if (!kubevirt || (action !== 'config' && changes.length === 0)) return;
  const asked = action === 'config' ? changedKubevirt(kubevirt, question) : kubevirt;
  const { spec } = changedKubevirt(asked, { set: changes });
  await cluster.modify('KubeVirt', keyOf(kubevirt), (held) => ({ ...held, spec }));
}

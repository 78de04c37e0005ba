import type { Behavior } from '../../decide/rules.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { VmVerdict } from '../../forecast/forecast.ts';
import { changedKubevirt } from '../../forecast/plans/config/changed-kubevirt.ts';
import { clientOf } from '../../forecast/plans/drain/drained-node.ts';
import type { ConfigQuestion, DrainQuestion, Setting, UpgradeQuestion } from '../../forecast/questions.ts';
import { keyOfVm } from '../../forecast/views/remedies.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { kubectlDrain } from '../../simulation/actors/drain/kubectl.ts';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import { beginningOfSnapshot } from '../beginning/prepare.ts';
import type { OnCourse } from '../how-far.ts';
import { QUIET_SECONDS, type Rehearsal } from '../rehearsal.ts';
import type { RunResult, VmResult } from '../result.ts';
import { runScenario } from '../run.ts';
import { courseEnd } from './course-end.ts';
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

/** Its `vms` are those to which something happens by the forecast: others may move for as long as they like. */
export interface Course extends RunResult {
  /** Whoever takes places from them: of a drain all VMs of its nodes, whatever the scope; of anything else all VMs. */
  readonly rivals: readonly VmResult[];
  /** Of a drain: at which second it came to each node. */
  readonly begunAt: ReadonlyMap<string, number>;
  /** Of a round: the turns that have ended, in their order. */
  readonly turns: readonly PlayedTurn[];
}

/** A week: whatever is not over by then is said to go on. */
const LONGEST_SECONDS = 604_800;
const NEW_IMAGE = 'new-virt-launcher';

/** Plays an action once on a cluster as it is, until nothing goes on any more that it would have to do with. */
export async function playAction(fleet: Fleet, timed: TimedAction, options: CourseOptions): Promise<Course> {
  const { takenAt, behavior, behaviorOf, told, changes, seed, onCourse } = options;
  const scenario = scenarioSchema.parse({
    title: timed.action,
    cluster: { nodes: [], vms: [] },
    settings: { behavior, until: `${LONGEST_SECONDS}s` },
  });
  const begunAt = new Map<string, number>();
  const turns: PlayedTurn[] = [];
  const heard: Heard = {
    onNode: (node, seconds) => void begunAt.set(node, seconds),
    onTurn: (turn) => void turns.push(turn),
  };
  const result = await runScenario(scenario, beginningOfSnapshot({ fleet, takenAt }, scenario), {
    ...{ seed, behaviorOf, onCourse, keepsEvents: false, quietSeconds: quietSecondsOf(timed) },
    isOver: courseEnd(fleet, timed, told, turns),
    onStart: (rehearsal) =>
      rehearsal.simulated.clock.after(0, () => void begin(rehearsal, fleet, timed, changes, heard)),
  });
  const concerned = told.filter(({ outcome }) => outcome !== 'Untouched');
  const names = new Set(concerned.map(keyOfVm));
  const vms = result.vms.filter(({ name }) => names.has(name));
  return { ...result, vms, rivals: rivalsIn(result, timed), begunAt, turns };
}

function rivalsIn({ vms }: RunResult, timed: TimedAction): readonly VmResult[] {
  if (timed.action !== 'drain') return vms;
  const nodes = new Set(timed.question.nodes);
  return vms.filter(({ fromNode = '' }) => nodes.has(fromNode));
}

/** A round goes on while nodes boot, and while a drain waits. */
function quietSecondsOf({ action, question }: TimedAction): number {
  if (action !== 'round') return QUIET_SECONDS;
  return QUIET_SECONDS + LONGEST_DRAIN_SECONDS + question.steps.length * question.rebootSeconds;
}

/** Who hears how far it has come. */
interface Heard {
  readonly onNode: (node: string, seconds: number) => void;
  readonly onTurn: (turn: PlayedTurn) => void;
}

/** The settings that are tried, then what was asked for. */
async function begin(
  rehearsal: Rehearsal,
  fleet: Fleet,
  timed: TimedAction,
  changes: readonly Setting[],
  { onNode, onTurn }: Heard,
): Promise<void> {
  await setUp(rehearsal, fleet, timed, changes);
  if (timed.action === 'upgrade') {
    await rehearsal.controller.restart(timed.question.launcherImage ?? NEW_IMAGE);
  } else if (timed.action === 'drain') {
    const context = rehearsal.simulated.contextFor('drain');
    const startAt = context.clock.now();
    await kubectlDrain(context, {
      nodes: timed.question.nodes,
      client: clientOf(timed.question),
      onNode: (node) => onNode(node, (context.clock.now() - startAt) / 1000),
    }).done;
  } else if (timed.action === 'round') {
    await playRound(rehearsal, timed.question, onTurn);
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

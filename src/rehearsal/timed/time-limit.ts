import type { Forecast, Outcome, TimeUp, VmVerdict } from '../../forecast/forecast.ts';
import { clientOf } from '../../forecast/plans/drain/drained-node.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import { counted } from '../../kubevirt/words.ts';
import { spreadOf } from '../summary.ts';
import type { Course, TimedAction } from './play-action.ts';

type Counts = Forecast['status']['counts'];

/** How much time a drain has, in seconds after the beginning; infinite where there is no limit. */
export interface TimeLimit {
  /** All nodes go down then, whoever drains them. */
  readonly deadlineSeconds: number;
  /** The node of a VM goes down then, whatever is on it. */
  readonly downAt: (vm: VmVerdict) => number;
  /** Whoever drains gives up then: nobody is evicted any more, and what has begun goes on. */
  readonly givenUpAt: (vm: VmVerdict) => number;
  /** What follows for the node from that, in a sentence. */
  readonly afterGivenUp: string;
  /** The same, after the drain has come to a node. */
  readonly downSeconds: number;
  readonly givenUpSeconds: number;
  readonly nodes: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** The time of whoever drains, from when he comes to a node, and a deadline for all nodes; nothing but a drain has any. */
export function timeLimitOf(
  { action, question }: TimedAction,
  deadlineSeconds = NEVER,
  courses: readonly Course[],
): TimeLimit | undefined {
  if (action !== 'drain') return undefined;
  const { timeoutSeconds, atTimeout, afterTimeout } = clientOf(question);
  const isDestructive = atTimeout === 'continue-destructively';
  const begunAt = (node: string): number =>
    spreadOf(courses.flatMap((course) => course.begunAt.get(node) ?? [])).p90;
  const givenUpAt = ({ node = '' }: VmVerdict): number =>
    timeoutSeconds ? begunAt(node) + timeoutSeconds : NEVER;
  return {
    deadlineSeconds,
    downAt: (vm) => Math.min(deadlineSeconds, isDestructive ? givenUpAt(vm) : NEVER),
    givenUpAt,
    ...{ afterGivenUp: afterTimeout, nodes: question.nodes.length },
    downSeconds: Math.min(deadlineSeconds, (isDestructive && timeoutSeconds) || NEVER),
    givenUpSeconds: timeoutSeconds || NEVER,
  };
}

/** How a VM ends that stays on its node unless somebody does something. Of any other without times nobody knows. */
const STAYS: ReadonlySet<Outcome> = new Set(['Blocks', 'NeverCompletes', 'HandedOver', 'Deferred']);

const CUT_AT_DEADLINE = 'CutAtDeadline';
const REFUSED_TO_THE_END = 'RefusedToTheEnd';

/**
 * A VM that is not away when its node goes down goes down with it; one that is refused until the drain is given up stays. `played`: how
 * it came out, which is no news of one that cannot be judged: the play lacks what the forecast lacked.
 */
export function inTime(vm: VmVerdict, played: Outcome | undefined, limit: TimeLimit): VmVerdict {
  if (vm.outcome === 'Cut' || vm.outcome === 'Unknown') return vm;
  const givenUpSeconds = limit.givenUpAt(vm);
  const isRefused = vm.start === undefined && played === 'Blocks' && givenUpSeconds < NEVER;
  const isLate = vm.start !== undefined || isRefused;
  // Whom the client's own time does not reach by the forecast, others take away; a deadline does not wait for them.
  const downSeconds = isLate ? limit.downAt(vm) : limit.deadlineSeconds;
  if (downSeconds < NEVER) return isLate || STAYS.has(vm.outcome) ? cutAt(vm, downSeconds) : vm;
  if (!isRefused || STAYS.has(vm.outcome)) return vm;
  const until = `when the drain is given up after ${formatDuration(givenUpSeconds)}`;
  return {
    ...{ ...vm, outcome: 'Blocks', reason: REFUSED_TO_THE_END, otherwise: undefined },
    message: `would end as ${vm.outcome}, but its eviction is still refused ${until}`,
  };
}

function cutAt(vm: VmVerdict, seconds: number): VmVerdict {
  const away = awaySeconds(vm);
  if (away !== undefined && away <= seconds) return vm;
  const when =
    away === undefined ? 'it does not leave by itself' : `it is away after ${formatDuration(away)}`;
  return {
    ...{ ...vm, outcome: 'Cut', reason: CUT_AT_DEADLINE, otherwise: undefined },
    message: `would end as ${vm.outcome}, but is still on ${vm.node ?? 'the node'} after ${formatDuration(seconds)}: ${when}`,
    start: vm.start && vm.start.p50 <= seconds ? vm.start : undefined,
    end: { p50: seconds, p90: seconds },
    // Nobody knows what becomes of it when the node is back.
    downtimeSeconds: undefined,
  };
}

/** When nine of ten times it has left its node: one that moves with the end, one that is shut down with the beginning. */
function awaySeconds({ outcome, start, end }: VmVerdict): number | undefined {
  return (outcome === 'LiveMigrates' ? end : start)?.p90;
}

/** What becomes of a drain that is given up before all have left who do; undefined where it is not. */
export function timeUpOf(vms: readonly VmVerdict[], limit: TimeLimit | undefined): TimeUp | undefined {
  if (!limit) return undefined;
  const there = vms.filter(
    (vm) =>
      vm.reason === REFUSED_TO_THE_END ||
      (vm.outcome !== 'Cut' && (awaySeconds(vm) ?? 0) > limit.givenUpAt(vm)),
  );
  return there.length === 0 ? undefined : { seconds: limit.givenUpSeconds, vms: there.length };
}

/** The answer to a drain, where time makes another of it. `counts`: its VMs by outcome, with what time makes of them. */
export function answerInTime(
  vms: readonly VmVerdict[],
  { status: { summary, counts: told } }: Forecast,
  counts: Counts,
  limit: TimeLimit,
  timeUp: TimeUp | undefined,
): string {
  const { downSeconds, nodes, afterGivenUp } = limit;
  if (vms.some(({ reason }) => reason === CUT_AT_DEADLINE)) {
    const [go, them] = nodes === 1 ? ['the node goes', 'it'] : ['the nodes go', 'them'];
    return `After ${formatDuration(downSeconds)} ${go} down with ${counted(counts.Cut, 'VM')} still on ${them}; ${costOf(counts)} before.`;
  }
  if (!timeUp || !wouldFinish(told)) return summary;
  const are = timeUp.vms === 1 ? 'is' : 'are';
  return `After ${formatDuration(timeUp.seconds)} ${counted(timeUp.vms, 'VM')} ${are} still there: ${afterGivenUp}; ${costOf(counts)}.`;
}

function costOf({ Restarts, StaysOff, MayStayOff }: Counts): string {
  const down = Restarts + StaysOff + MayStayOff;
  return down === 0 ? 'no VM is shut down' : `${counted(down, 'VM')} ${down === 1 ? 'is' : 'are'} shut down`;
}

/** Whether a drain would come to its end, had it the time. */
function wouldFinish({ Blocks, NeverCompletes, HandedOver, Deferred, Unknown, Cut }: Counts): boolean {
  return Blocks + NeverCompletes + HandedOver + Deferred + Unknown + Cut === 0;
}

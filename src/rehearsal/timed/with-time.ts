import type { Behavior } from '../../decide/rules.ts';
import { resolveSettings } from '../../decide/settings.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { changedKubevirt } from '../../forecast/changed-kubevirt.ts';
import { clientOf } from '../../forecast/drained-node.ts';
import type { Forecast, Outcome, TimeRange, VmVerdict } from '../../forecast/forecast.ts';
import type { ConfigQuestion, DrainQuestion, UpgradeQuestion } from '../../forecast/questions.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import { counted } from '../../kubevirt/words.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { kubectlDrain } from '../../simulation/actors/drain/kubectl.ts';
import { configure } from '../../simulation/actors/tenants/tenants.ts';
import type { OnCourse } from '../how-far.ts';
import { beginningOfSnapshot } from '../prepare.ts';
import type { Rehearsal } from '../rehearsal.ts';
import type { RunResult } from '../result.ts';
import { runScenario } from '../run.ts';
import { spreadOf, summarize, type VmSummary } from '../summary.ts';
import { bottleneckOf } from './bottleneck.ts';
import { behaviorAtPace, paceNotes, paceOf } from './pace.ts';

/** What is played for its times. */
export type TimedAction =
  | { readonly action: 'upgrade'; readonly question: UpgradeQuestion }
  | { readonly action: 'drain'; readonly question: DrainQuestion }
  | { readonly action: 'config'; readonly question: ConfigQuestion };

export interface TimeOptions {
  readonly takenAt: Instant;
  readonly behavior: Behavior;
  /** Simulated courses, at least one; they differ in what chance decides. */
  readonly runs: number;
  /** Settings of `spec.configuration.migrations` to try besides, `name=value`. */
  readonly whatIf: readonly string[];
  /** When a node that is drained goes down, whatever is on it. */
  readonly deadlineSeconds?: number | undefined;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  /** Within a course; see `RunOptions`. */
  readonly onCourse?: OnCourse | undefined;
}

/** A week: whatever is not over by then is said to go on. */
const LONGEST_SECONDS = 604_800;
const NEW_IMAGE = 'new-virt-launcher';

/**
 * The forecast with times, from simulated courses of the same action on the same cluster.
 *
 * Promise: outcomes stay as they are, but for VMs that a deadline cuts. The same input gives the same times.
 */
export async function withTime(
  forecast: Forecast,
  fleet: Fleet,
  timed: TimedAction,
  options: TimeOptions,
): Promise<Forecast> {
  const pace = paceOf(fleet);
  const settings = resolveSettings(fleet.kubevirt());
  const all = options.runs * (options.whatIf.length > 0 ? 2 : 1);
  let done = 0;
  const play = async (changes: readonly string[]): Promise<RunResult[]> => {
    const results: RunResult[] = [];
    for (let seed = 1; seed <= options.runs; seed++) {
      results.push(await playOnce(fleet, timed, options, behaviorAtPace(pace), changes, seed));
      options.onProgress?.(++done, all);
    }
    return results;
  };
  const results = await play([]);
  const summary = summarize(results);
  const whatIf =
    options.whatIf.length > 0
      ? [
          {
            settings: options.whatIf.join(', '),
            total: totalOf(await play(options.whatIf)),
          },
        ]
      : [];
  const [first] = results;
  const bottleneck = first && bottleneckOf(first, settings, timed.action !== 'drain');
  const total = totalOf(results);
  const byName = new Map(summary.vms.map((vm) => [vm.name, vm]));
  const vms = forecast.status.vms.map((vm) =>
    withDeadline(withTimes(vm, byName.get(`${vm.namespace}/${vm.name}`)), options.deadlineSeconds),
  );
  const { Unknown: unknown } = forecast.status.counts;
  const isTold = unknown === 0;
  const told = isTold
    ? timeNotes(total, bottleneck?.message, whatIf)
    : [`How long it takes cannot be told: ${counted(unknown, 'VM')} cannot be judged.`];
  return {
    ...forecast,
    status: {
      ...forecast.status,
      vms,
      counts: recounted(forecast, vms),
      notes: [...forecast.status.notes, ...told, ...paceNotes(pace)],
      ...(isTold && { time: { runs: options.runs, total, bottleneck, whatIf } }),
    },
  };
}

function timeNotes(
  total: TimeRange,
  bottleneck: string | undefined,
  whatIf: readonly { readonly settings: string; readonly total: TimeRange }[],
): string[] {
  const took = ({ p50, p90 }: TimeRange): string =>
    p50 === p90
      ? formatDuration(p50)
      : `${formatDuration(p50)} (nine of ten times within ${formatDuration(p90)})`;
  return [
    `It takes ${took(total)} until the last VM that moves or is shut down is done with.`,
    ...(bottleneck === undefined ? [] : [`What holds it up: ${bottleneck}.`]),
    ...whatIf.map((one) => `With ${one.settings} it takes ${took(one.total)}.`),
  ];
}

async function playOnce(
  fleet: Fleet,
  timed: TimedAction,
  { takenAt, behavior, onCourse }: TimeOptions,
  behaviorOf: ReturnType<typeof behaviorAtPace>,
  changes: readonly string[],
  seed: number,
): Promise<RunResult> {
  const scenario = scenarioSchema.parse({
    title: timed.action,
    cluster: { nodes: [], vms: [] },
    settings: { behavior, until: `${LONGEST_SECONDS}s` },
  });
  const beginning = beginningOfSnapshot({ fleet, takenAt }, scenario);
  return runScenario(scenario, beginning, {
    ...{ seed, behaviorOf, onCourse, keepsEvents: false },
    onStart: (rehearsal) =>
      rehearsal.simulated.clock.after(0, () => void begin(rehearsal, fleet, timed, changes)),
  });
}

/** The settings that are tried, then what was asked for. */
async function begin(
  rehearsal: Rehearsal,
  fleet: Fleet,
  timed: TimedAction,
  changes: readonly string[],
): Promise<void> {
  const { cluster } = rehearsal.simulated;
  if (changes.length > 0) await configure(cluster, { configuration: { migrations: migrationsOf(changes) } });
  if (timed.action === 'upgrade') {
    await rehearsal.stopController();
    rehearsal.startController(timed.question.launcherImage ?? NEW_IMAGE);
  } else if (timed.action === 'drain') {
    const { nodes } = timed.question;
    await kubectlDrain(rehearsal.simulated.contextFor('drain'), { nodes, client: clientOf(timed.question) })
      .done;
  } else {
    const kubevirt = fleet.kubevirt();
    if (kubevirt) await configure(cluster, changedKubevirt(kubevirt, timed.question).spec ?? {});
  }
}

/** `name=value` as fields: whole numbers as such. */
function migrationsOf(changes: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    changes.map((change) => {
      const [name = '', value = ''] = change.split('=');
      return [name, /^\d+$/.test(value) ? Number(value) : value];
    }),
  );
}

function withTimes(vm: VmVerdict, summary: VmSummary | undefined): VmVerdict {
  if (summary?.startSeconds === undefined || !isAsTold(vm.outcome, summary.outcome)) return vm;
  return {
    ...vm,
    start: rounded(summary.startSeconds),
    end: summary.endSeconds && rounded(summary.endSeconds),
    // One that stays off is down for good.
    downtimeSeconds: summary.outcome === 'StaysOff' ? undefined : rounded(summary.downtimeSeconds),
  };
}

/** What was played is what the verdict says; times of anything else would be those of another story. */
function isAsTold(told: Outcome, played: Outcome): boolean {
  if (told === 'MayStayOff') return played === 'Restarts' || played === 'StaysOff';
  return told === played;
}

/** How a VM ends that something has become of; any other is tried again, or left, for as long as it is played. */
const DONE: ReadonlySet<Outcome> = new Set(['LiveMigrates', 'Restarts', 'StaysOff', 'Cut']);

/** When the last VM is done with, over all runs. */
function totalOf(results: readonly RunResult[]): TimeRange {
  const ends = results.map(({ vms }) =>
    Math.max(0, ...vms.map(({ outcome, endSeconds = 0 }) => (DONE.has(outcome) ? endSeconds : 0))),
  );
  return rounded(spreadOf(ends));
}

/** How a VM ends that stays on its node unless somebody does something. Of any other without times nobody knows. */
const STAYS: ReadonlySet<Outcome> = new Set(['Blocks', 'NeverCompletes', 'HandedOver', 'Deferred']);

/** A VM that is not away by then goes down with its node. */
function withDeadline(vm: VmVerdict, deadlineSeconds: number | undefined): VmVerdict {
  if (deadlineSeconds === undefined || (!STAYS.has(vm.outcome) && vm.start === undefined)) return vm;
  // A guest that moves is away at the end; one that is shut down, with the beginning.
  const endAt = (vm.outcome === 'LiveMigrates' ? vm.end : vm.start)?.p90;
  if (endAt !== undefined && endAt <= deadlineSeconds) return vm;
  const when =
    endAt === undefined ? 'it does not leave by itself' : `it is away after ${formatDuration(endAt)}`;
  return {
    ...vm,
    outcome: 'Cut',
    reason: 'CutAtDeadline',
    message: `would end as ${vm.outcome}, but is still on ${vm.node ?? 'the node'} after ${formatDuration(deadlineSeconds)}: ${when}`,
  };
}

function recounted({ status }: Forecast, vms: readonly VmVerdict[]): Forecast['status']['counts'] {
  const counts = Object.fromEntries(Object.keys(status.counts).map((outcome) => [outcome, 0])) as Record<
    VmVerdict['outcome'],
    number
  >;
  for (const { outcome } of vms) counts[outcome]++;
  return counts;
}

function rounded({ p50, p90 }: TimeRange): TimeRange {
  return { p50: Math.round(p50), p90: Math.round(p90) };
}

import type { Fleet } from '../fleet/fleet.ts';
import type { Forecast } from '../forecast/forecast.ts';
import type { TimedAction } from '../rehearsal/timed/play-action.ts';
import { askOptions, readCluster } from './ask.ts';
import type { CliContext } from './context.ts';
import { DroverError } from './errors.ts';
import { DEFAULT_RUNS, type PlanFlags, type TimeFlags } from './flags.ts';
import { kebab } from './help/page.ts';
import type { AskOptions } from './ports.ts';
import { ProgressLine } from './progress.ts';
import { showForecast, warn } from './show.ts';

/** The way of every plan: read the cluster, ask, show, set the exit code. */
export async function runPlan(
  context: CliContext,
  flags: PlanFlags,
  ask: (fleet: Fleet, options: AskOptions) => Promise<Forecast>,
): Promise<void> {
  const input = await readCluster(context, flags);
  warn(context, input);
  await showForecast(context, flags, await ask(input.fleet, askOptions(context, flags, input)));
}

const OF_TIME = ['runs', 'whatIf', 'deadline', 'reboot'] as const;

/** Adds times where they are asked for, with progress on a watched terminal. */
export async function timed(
  context: CliContext,
  flags: TimeFlags & { readonly deadline?: number; readonly reboot?: number },
  fleet: Fleet,
  action: TimedAction,
  options: AskOptions,
  forecast: Forecast,
): Promise<Forecast> {
  const { runs = DEFAULT_RUNS, whatIf = [], deadline } = flags;
  if (!flags.time) {
    const idle = OF_TIME.filter((name) => flags[name] !== undefined).map((name) => `--${kebab(name)}`);
    if (idle.length === 0) return forecast;
    const go = idle.length === 1 ? 'goes' : 'go';
    throw new DroverError('WrongFlags', `${idle.join(' and ')} ${go} with --time`);
  }
  const progress = new ProgressLine(context);
  let played = '';
  try {
    return await context.answers.withTime(forecast, fleet, action, {
      ...{ takenAt: options.now, behavior: options.behavior ?? 'exact', runs, whatIf },
      deadlineSeconds: deadline,
      onProgress: (done, all) => {
        played = `played ${done} of ${all} · `;
      },
      onCourse: progress.onCourse(() => played),
    });
  } finally {
    progress.clear();
  }
}

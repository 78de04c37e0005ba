import type { Fleet } from '../fleet/fleet.ts';
import type { Forecast } from '../forecast/forecast.ts';
import { askOptions, readCluster } from './ask.ts';
import type { CliContext } from './context.ts';
import type { PlanFlags } from './flags.ts';
import type { AskOptions } from './ports.ts';
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

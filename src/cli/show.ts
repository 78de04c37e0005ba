import type { Forecast } from '../forecast/forecast.ts';
import type { ViewOptions } from '../forecast/views/options.ts';
import { sourceWords } from './ask.ts';
import type { CliContext } from './context.ts';
import type { InputFlags, Output, PlanFlags, ViewFlags } from './flags.ts';
import { EXIT, failsGate } from './gate.ts';
import type { Input } from './ports.ts';

type View = (forecast: Forecast, options: ViewOptions) => string;

/** Each view loads when it is asked for. */
const VIEWS: Readonly<Record<Output, () => Promise<View>>> = {
  table: async () => (await import('../forecast/views/table.ts')).tableView,
  wide: async () => (await import('../forecast/views/wide.ts')).wideView,
  name: async () => (await import('../forecast/views/name.ts')).nameView,
  json: async () => (await import('../forecast/views/json.ts')).jsonView,
  yaml: async () => (await import('../forecast/views/yaml.ts')).yamlView,
  markdown: async () => (await import('../forecast/views/markdown.ts')).markdownView,
  html: async () => (await import('../forecast/views/html.ts')).htmlView,
};

/** What a view goes by, of the terminal and of the flags. */
export function viewOptions(context: CliContext, flags: InputFlags & ViewFlags): ViewOptions {
  const { width, colour } = context.terminal;
  const { sortBy, headers } = flags;
  return { width, colour, sortBy, headers, program: context.program, source: sourceWords(flags) };
}

/** What was odd about the input, one line each, on stderr. */
export function warn(context: CliContext, input: Input): void {
  for (const warning of input.warnings) context.process.stderr.write(`warning: ${warning}\n`);
}

/** Writes a forecast in the form asked for and sets the exit code by the gate. */
export async function showForecast(context: CliContext, flags: PlanFlags, forecast: Forecast): Promise<void> {
  const view = await VIEWS[flags.output]();
  context.process.exitCode = failsGate(forecast, flags.failOn) ? EXIT.worse : EXIT.ok;
  context.process.stdout.write(view(forecast, viewOptions(context, flags)));
}

import { buildCommand } from '@stricli/core';
import type { StrategySource } from '../../controllers/strategy.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { RolloutStatus } from '../../forecast/status/report.ts';
import type { ViewOptions } from '../../forecast/views/options.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { askOptions, liveSource, readCluster } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { type InputFlags, inputFlags, planAliases, type ScopeFlags, scopeFlags } from '../flags.ts';
import { EXIT } from '../gate.ts';
import { text } from '../parsers.ts';
import type { Input } from '../ports.ts';
import { viewOptions, warn } from '../show.ts';
import { placeOf, type StrategyFlags, strategyFlags } from './strategy-flags.ts';

const STATUS_OUTPUTS = ['table', 'json', 'yaml'] as const;
type StatusOutput = (typeof STATUS_OUTPUTS)[number];

type Flags = InputFlags &
  ScopeFlags &
  StrategyFlags & {
    readonly watch: boolean;
    readonly launcherImage?: string;
    readonly output: StatusOutput;
  };

export const status = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'How far a roll-out is: who is done, moves, waits or stays, and why',
    fullDescription: [
      'Shows how far the roll-out of a new launcher is, with what is under way for each VM, what it waits for, or what keeps it, and how ' +
        'long it takes by the pace of the migrations of late and the eviction batches to come.',
      '',
      'Exit codes: 0 nobody is stuck, 1 somebody stays until something changes, 2 could not evaluate. With -w it ends when nobody moves or waits.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      watch: {
        kind: 'boolean',
        default: false,
        brief: 'Follow the roll-out to its end: drawn anew on a terminal, a line for each change elsewhere',
      },
      launcherImage: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'image',
        brief:
          'The image that launchers are to run; what the arguments of virt-controller say if not given, and the labels of VMIs without them',
      },
      ...strategyFlags,
      output: {
        kind: 'enum',
        placeholder: 'form',
        values: STATUS_OUTPUTS,
        default: 'table',
        brief: 'Form of the answer; json with -w is a line for each change',
      },
      ...inputFlags,
      ...scopeFlags,
    },
    aliases: { ...planAliases, w: 'watch' },
  },
  async func(flags) {
    if (flags.watch && (flags.filename ?? []).length > 0)
      throw new DroverError('WrongFlags', '-w follows a live cluster; a file does not change');
    const strategy = await strategyOf(this, flags);
    if (flags.watch) return follow(this, flags, strategy);
    const input = await readCluster(this, flags);
    warn(this, input);
    const report = await reportOn(this, flags, strategy, input);
    this.process.exitCode = exitCodeOf(report);
    this.process.stdout.write((await viewOf(flags.output))(report, optionsFor(this, flags)));
  },
});

async function strategyOf(context: CliContext, flags: Flags): Promise<StrategySource | undefined> {
  const place = placeOf(flags);
  return place === 'kubevirt' ? undefined : context.services.strategy(place, liveSource(flags));
}

async function reportOn(
  context: CliContext,
  flags: Flags,
  strategy: StrategySource | undefined,
  input: Input,
): Promise<RolloutStatus> {
  const launcherImage = flags.launcherImage ?? input.launcherImage;
  return context.answers.status(input.fleet, { launcherImage, strategy }, askOptions(context, flags, input));
}

/** Until nobody moves or waits, or somebody asks it to end. What is shown is shown when it differs. */
async function follow(
  context: CliContext,
  flags: Flags,
  strategy: StrategySource | undefined,
): Promise<void> {
  const show = await showerOf(context, flags);
  await context.services.follow(liveSource(flags), async (fleet: Fleet, takenAt: Instant, warnings) => {
    const input: Input = { fleet, takenAt, warnings };
    const report = await reportOn(context, flags, strategy, input);
    context.process.exitCode = exitCodeOf(report);
    show(report);
    const { Moving, Waiting } = report.status.counts;
    return Moving + Waiting > 0;
  });
}

const CLEAR = '\u001b[H\u001b[2J\u001b[3J';

async function showerOf(context: CliContext, flags: Flags): Promise<(report: RolloutStatus) => void> {
  const { statusView, statusLine } = await import('../../forecast/views/status.ts');
  const { stdout } = context.process;
  const { isTerminal } = context.terminal;
  let shown = '';
  const different = (report: RolloutStatus): boolean => {
    const { vms, counts, gate } = report.status;
    const before = shown;
    shown = JSON.stringify([vms, counts, gate]);
    return shown !== before;
  };
  if (flags.output === 'table' && isTerminal)
    return (report) => stdout.write(`${CLEAR}${statusView(report, optionsFor(context, flags))}`);
  if (flags.output === 'table')
    return (report) => {
      if (different(report)) stdout.write(statusLine(report));
    };
  const view = await viewOf(flags.output);
  return (report) => {
    if (different(report)) stdout.write(oneOfMany(flags.output, view(report, optionsFor(context, flags))));
  };
}

/** A line each in JSON, a document each in YAML. */
function oneOfMany(output: StatusOutput, text: string): string {
  return output === 'json' ? `${JSON.stringify(JSON.parse(text))}\n` : `---\n${text}`;
}

async function viewOf(
  output: StatusOutput,
): Promise<(report: RolloutStatus, options: ViewOptions) => string> {
  if (output === 'json') return (await import('../../forecast/views/json.ts')).jsonView;
  if (output === 'yaml') return (await import('../../forecast/views/yaml.ts')).yamlView;
  return (await import('../../forecast/views/status.ts')).statusView;
}

function optionsFor(context: CliContext, flags: Flags): ViewOptions {
  return viewOptions(context, { ...flags, output: 'table', sortBy: 'outcome', headers: true });
}

function exitCodeOf({ status: { counts } }: RolloutStatus): number {
  return counts.Stuck > 0 ? EXIT.worse : EXIT.ok;
}

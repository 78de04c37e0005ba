import { buildCommand } from '@stricli/core';
import type { SimulationReport } from '../../rehearsal/report.ts';
import type { SimulationViewOptions } from '../../rehearsal/views/table.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../gate.ts';
import { positiveWholeNumber, runCount, text, wholeNumber } from '../parsers.ts';
import { ProgressLine } from '../progress.ts';
import type { SimulationWatch } from '../services.ts';
import { scenarioArgument, snapshotFlag } from './scenario-parameters.ts';

const SIMULATE_OUTPUTS = ['table', 'wide', 'json', 'yaml', 'markdown'] as const;
export type SimulateOutput = (typeof SIMULATE_OUTPUTS)[number];

export const simulationOutputFlag = {
  kind: 'enum',
  values: SIMULATE_OUTPUTS,
  default: 'table',
  placeholder: 'form',
  brief: 'Form of the answer',
} as const;

interface Flags {
  readonly snapshot?: readonly string[];
  readonly seed?: number;
  readonly runs: number;
  readonly jobs: number;
  readonly timeline?: string;
  readonly record?: string;
  readonly output: SimulateOutput;
}

type View = (report: SimulationReport, options: SimulationViewOptions) => string;

/** Each view loads when it is asked for. */
const VIEWS: Readonly<Record<SimulateOutput, () => Promise<View>>> = {
  table: async () => (await import('../../rehearsal/views/table.ts')).simulationTable,
  wide: async () => (await import('../../rehearsal/views/wide.ts')).simulationWide,
  json: async () => (await import('../../forecast/views/json.ts')).jsonView,
  yaml: async () => (await import('../../forecast/views/yaml.ts')).yamlView,
  markdown: async () => (await import('../../rehearsal/views/markdown.ts')).simulationMarkdown,
};

export const simulate = buildCommand<Flags, [string], CliContext>({
  docs: {
    brief: 'Plays a scenario on a cluster in virtual time, and says what became of every VM and when',
    fullDescription: [
      'Plays what a scenario file says on a KubeVirt cluster without hypervisors, in virtual time: upgrades, drains, edits, failures; and checks',
      'what the file expects. The same seed gives the same course; with --runs it is played with as many seeds, and times are given as',
      'the middle one and, in brackets, that of the slowest tenth.',
      '',
      'On SIGTERM or SIGINT it sums up the runs that have ended.',
      '',
      'Exit codes: 0 all came as expected, 1 something did not, 2 could not play it, or not all of it.',
    ].join('\n'),
  },
  parameters: {
    positional: scenarioArgument,
    flags: {
      snapshot: snapshotFlag,
      seed: {
        kind: 'parsed',
        parse: wholeNumber,
        optional: true,
        placeholder: 'number',
        brief: 'Where chance begins; the seed of the file, else 1, if not given',
      },
      runs: {
        kind: 'parsed',
        parse: runCount,
        default: '1',
        placeholder: 'number',
        brief: 'How often to play it, each time with the next seed',
      },
      jobs: {
        kind: 'parsed',
        parse: positiveWholeNumber,
        default: '1',
        placeholder: 'number',
        brief: 'How many runs at once, each on a thread of its own',
      },
      timeline: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'file.html',
        brief:
          'Write a page with the course of the first run: moves, restarts and outages by node, and the queue',
      },
      record: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'dir',
        brief: 'Write the first run as a history, a folder that `npm run histories -- --dir` reads',
      },
      output: simulationOutputFlag,
    },
    aliases: { o: 'output' },
  },
  async func({ snapshot = [], timeline, output, ...flags }, file) {
    if (timeline !== undefined) await this.services.requireWritable(timeline);
    const progress = new ProgressLine(this);
    const report = await this.services
      .simulate({ file, snapshot, ...flags }, watchWith(progress))
      .finally(() => progress.clear());
    this.process.exitCode = exitCodeOf(report, flags.runs);
    for (const warning of report.status.warnings) this.process.stderr.write(`warning: ${warning}\n`);
    if (timeline !== undefined) {
      const { simulationTimeline } = await import('../../rehearsal/views/timeline.ts');
      await this.services.writeFile(timeline, simulationTimeline(report));
    }
    await showSimulation(this, report, output);
  },
});

function exitCodeOf({ status: { runs, failures } }: SimulationReport, asked: number): number {
  if (runs < asked) return EXIT.failed;
  return failures.length > 0 ? EXIT.worse : EXIT.ok;
}

export async function showSimulation(
  { terminal: { width, colour }, process }: CliContext,
  report: SimulationReport,
  output: SimulateOutput,
): Promise<void> {
  process.stdout.write((await VIEWS[output]())(report, { width, colour }));
}

const BAR = 30;

/** A bar of the runs, if there are several, and how far the one is that is played. */
function watchWith(progress: ProgressLine): SimulationWatch {
  let bar = '';
  const onRuns = (done: number, all: number): void => {
    if (all === 1) return;
    const full = Math.round((done / all) * BAR);
    bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${all} runs`;
    progress.show(bar);
  };
  return { onRuns, onCourse: progress.onCourse(() => (bar === '' ? '' : `${bar} · `)) };
}

import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { EXIT } from '../gate.ts';
import { durationSeconds } from '../parsers.ts';
import { ProgressLine } from '../progress.ts';
import { scenarioArgument, snapshotFlag } from './scenario-parameters.ts';
import { type SimulateOutput, showSimulation, simulationOutputFlag } from './simulate.ts';

interface Flags {
  readonly snapshot?: readonly string[];
  readonly quiet: number;
  readonly output: SimulateOutput;
}

export const labRun = buildCommand<Flags, [string], CliContext>({
  docs: {
    brief: 'Plays a scenario of drover simulate on a real API server, in wall time',
    fullDescription: [
      'The scheduler, the disruption controller and the garbage collector are the real ones then. It takes as long as on a cluster; on',
      'SIGTERM or SIGINT it ends, and says how far it came. killController stops only what is Drover.',
      '',
      'Exit codes: 0 all came as expected, 1 something did not, 2 could not play it.',
    ].join('\n'),
  },
  parameters: {
    positional: scenarioArgument,
    flags: {
      snapshot: snapshotFlag,
      quiet: {
        kind: 'parsed',
        parse: durationSeconds,
        default: '90s',
        placeholder: 'duration',
        brief: 'It is over when nothing has happened to any VM for so long',
      },
      output: simulationOutputFlag,
    },
    aliases: { o: 'output' },
  },
  async func({ snapshot = [], quiet: quietSeconds, output }, file) {
    const write = (line: string): void => void this.process.stderr.write(line);
    const progress = new ProgressLine(this);
    const report = await this.services.lab
      .run({ file, snapshot, quietSeconds, write, onCourse: progress.onCourse() })
      .finally(() => progress.clear());
    this.process.exitCode = report.status.failures.length > 0 ? EXIT.worse : EXIT.ok;
    for (const warning of report.status.warnings) this.process.stderr.write(`warning: ${warning}\n`);
    await showSimulation(this, report, output);
  },
});

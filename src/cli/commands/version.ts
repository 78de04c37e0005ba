import { buildCommand } from '@stricli/core';
import { BASELINE, formatVersion } from '../../decide/versions.ts';
import type { CliContext } from '../context.ts';

interface Flags {
  readonly output: 'table' | 'json';
}

export const version = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'The version of Drover, and the KubeVirt version that its decisions describe' },
  parameters: {
    flags: {
      output: {
        kind: 'enum',
        placeholder: 'form',
        values: ['table', 'json'],
        default: 'table',
        brief: 'Form of the answer',
      },
    },
    aliases: { o: 'output' },
  },
  func(flags) {
    const answer = { drover: this.version, kubevirt: formatVersion(BASELINE) };
    const lines =
      flags.output === 'json'
        ? JSON.stringify(answer, null, 2)
        : `drover ${answer.drover}, decides as KubeVirt ${answer.kubevirt} (1.5 to 1.8 by their differences)`;
    this.process.stdout.write(`${lines}\n`);
  },
});

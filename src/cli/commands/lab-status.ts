import { buildCommand } from '@stricli/core';
import { printable } from '../../forecast/views/text.ts';
import type { CliContext } from '../context.ts';
import { type LabFlags, labFlags } from './lab-flags.ts';

export const labStatus = buildCommand<LabFlags, [], CliContext>({
  docs: { brief: 'How a lab stands: KubeVirt, nodes, VMIs and migrations by phase' },
  parameters: { flags: labFlags },
  async func({ kubeconfig }) {
    const tell = (text: string): void => void this.process.stderr.write(text);
    const lines = await this.services.lab.status(kubeconfig, tell);
    this.process.stdout.write(`${lines.map((line) => printable(line)).join('\n')}\n`);
  },
});

import { buildCommand } from '@stricli/core';
import { printable } from '../../forecast/views/text.ts';
import type { CliContext } from '../context.ts';
import { type LabFlags, labFlags } from './lab-flags.ts';

export const labStatus = buildCommand<LabFlags, [], CliContext>({
  docs: { brief: 'How a lab stands: KubeVirt, nodes, VMIs and migrations by phase' },
  parameters: { flags: labFlags },
  async func({ kubeconfig }) {
    const lines = await this.services.lab.status(kubeconfig);
    this.process.stdout.write(`${lines.map((line) => printable(line)).join('\n')}\n`);
  },
});

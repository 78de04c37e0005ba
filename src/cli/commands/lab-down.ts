import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { type LabFlags, labFlags } from './lab-flags.ts';

export const labDown = buildCommand<LabFlags, [], CliContext>({
  docs: { brief: 'Ends a lab that runs elsewhere, and waits until nothing of it is left' },
  parameters: { flags: labFlags },
  async func({ kubeconfig }) {
    await this.services.lab.down(kubeconfig, (text) => void this.process.stderr.write(text));
    this.process.stdout.write('the lab has ended\n');
  },
});

import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { type PlanFlags, planAliases, planFlags, type TimeFlags, timeFlags } from '../flags.ts';
import { text } from '../parsers.ts';
import { runPlan, timed } from '../plan-command.ts';

type Flags = PlanFlags & TimeFlags & { readonly launcherImage?: string };

export const planUpgrade = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'What an upgrade of KubeVirt does to every VM',
    fullDescription:
      'Says for every VM what the workload update does once the new KubeVirt runs: which VMs live-migrate, which are ' +
      'evicted in which batch, which stay on the old launcher, and why.',
  },
  parameters: {
    flags: {
      ...planFlags,
      ...timeFlags,
      launcherImage: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'image',
        brief: 'The virt-launcher image after the upgrade; any other than the present one if not given',
      },
    },
    aliases: planAliases,
  },
  func(flags) {
    const { launcherImage } = flags;
    const question = { launcherImage };
    return runPlan(this, flags, async (fleet, options) => {
      const forecast = await this.answers.planUpgrade(fleet, question, options);
      return timed(this, flags, fleet, { action: 'upgrade', question }, options, forecast);
    });
  },
});

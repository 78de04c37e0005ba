import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { type PlanFlags, planAliases, planFlags } from '../flags.ts';
import { text } from '../parsers.ts';
import { runPlan } from '../plan-command.ts';

type Flags = PlanFlags & { readonly launcherImage?: string };

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
    return runPlan(this, flags, (fleet, options) =>
      this.answers.planUpgrade(fleet, { launcherImage }, options),
    );
  },
});

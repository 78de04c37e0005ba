import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { type PlanFlags, planAliases, planFlags } from '../flags.ts';
import { requireVm } from '../known.ts';
import { text } from '../parsers.ts';
import { runPlan } from '../plan-command.ts';

export const planEvict = buildCommand<PlanFlags, string[], CliContext>({
  docs: {
    brief: 'What an eviction does to single VMs',
    fullDescription:
      'Follows an eviction of the launcher pod of each named VM, or of those that -l takes, to its end.',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { parse: text, placeholder: 'namespace/vm', brief: 'VMs to evict; with -n also bare names' },
    },
    flags: planFlags,
    aliases: planAliases,
  },
  func(flags, ...names) {
    if (names.length === 0 && !flags.selector) {
      throw new DroverError(
        'WrongFlags',
        'name the VMs to evict, or give -l',
        'For example: shop/db-0, or -l app=db.',
      );
    }
    return runPlan(this, flags, (fleet, options) => {
      const vms = names.map((name) => requireVm(fleet, name, flags.namespace));
      return this.answers.planEvict(fleet, { vms }, options);
    });
  },
});

import { buildCommand } from '@stricli/core';
import type { Setting } from '../../forecast/questions.ts';
import type { CliContext } from '../context.ts';
import { type PlanFlags, planAliases, planFlags } from '../flags.ts';
import { requireVm } from '../known.ts';
import { setting, text } from '../parsers.ts';
import { runPlan } from '../plan-command.ts';

type Flags = PlanFlags & { readonly set: readonly Setting[] };

export const planEdit = buildCommand<Flags, [string], CliContext>({
  docs: {
    brief: 'What an edit of a VM does to it',
    fullDescription:
      'Says whether a change of a VM is taken up live, by a live migration, by an eviction, or only at the next restart.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: text, placeholder: 'namespace/vm', brief: 'The VM; with -n also a bare name' }],
    },
    flags: {
      ...planFlags,
      set: {
        kind: 'parsed',
        parse: setting,
        variadic: true,
        placeholder: 'path=value',
        brief: 'What changes, as in cpu.sockets=4 or memory.guest=8Gi; may be repeated',
      },
    },
    aliases: planAliases,
  },
  func(flags, name) {
    return runPlan(this, flags, (fleet, options) => {
      const vm = requireVm(fleet, name, flags.namespace);
      return this.answers.planEdit(fleet, { vm, set: flags.set }, options);
    });
  },
});

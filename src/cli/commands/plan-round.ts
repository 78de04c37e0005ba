import { buildCommand } from '@stricli/core';
import type { Scope } from '../../forecast/questions.ts';
import type { CliContext } from '../context.ts';
import {
  type ExternalFlags,
  externalFlags,
  type PlanFlags,
  planAliases,
  planFlags,
  type TimeFlags,
  timeFlags,
} from '../flags.ts';
import { durationSeconds, text } from '../parsers.ts';
import { runPlan, timed } from '../plan-command.ts';

interface RoundFlags extends TimeFlags, ExternalFlags {
  readonly reboot?: number;
}

const REBOOT_SECONDS = 300;

export const planRound = buildCommand<PlanFlags & RoundFlags, string[], CliContext>({
  docs: {
    brief: 'In which order to drain, boot and give back nodes, and what that does to every VM',
    fullDescription:
      'Finds an order of the nodes for a full maintenance round, and targets, with which no VM moves often: as a rule once ' +
      'where a node is free, and twice where there is little room. Says what becomes of every VM on the way, how often it moves, and ' +
      'which nodes to cordon meanwhile; with --time also how long each node and the whole round take.',
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        parse: text,
        placeholder: 'node',
        brief: 'Nodes of the round, in any order; all that are not cordoned if none is named',
      },
    },
    flags: {
      ...planFlags,
      ...timeFlags,
      reboot: {
        kind: 'parsed',
        parse: durationSeconds,
        optional: true,
        placeholder: 'duration',
        brief: 'With --time: how long a node is away once it is drained; 5m if not given',
      },
      ...externalFlags,
    },
    aliases: planAliases,
  },
  func({ external, ...flags }, ...nodes) {
    return runPlan(this, flags, async (fleet, options) => {
      const plan = (scope: Scope) =>
        this.answers.planRound(fleet, { nodes }, { ...options, scope, external });
      const forecast = await plan(options.scope);
      // Who is not shown is in the way all the same.
      const { vms, round } = (flags.time && isNarrow(options.scope) ? await plan({}) : forecast).status;
      const { reboot: rebootSeconds = REBOOT_SECONDS } = flags;
      const question = { steps: round?.steps ?? [], vms, rebootSeconds };
      return timed(this, flags, fleet, { action: 'round', question }, options, forecast);
    });
  },
});

function isNarrow({ namespace, selector }: Scope): boolean {
  return namespace !== undefined || selector !== undefined;
}

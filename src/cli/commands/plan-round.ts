import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { type ExternalFlags, externalFlags, type PlanFlags, planAliases, planFlags } from '../flags.ts';
import { requireNode } from '../known.ts';
import { text } from '../parsers.ts';
import { runPlan } from '../plan-command.ts';

export const planRound = buildCommand<PlanFlags & ExternalFlags, string[], CliContext>({
  docs: {
    brief: 'In which order to drain, boot and give back nodes, and what that does to every VM',
    fullDescription:
      'Finds an order of the nodes for a full maintenance round, and targets, with which no VM moves often: as a rule once ' +
      'where a node is free, and twice where there is little room. Says what becomes of every VM on the way, how often it moves, and ' +
      'which nodes to cordon meanwhile.',
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
    flags: { ...planFlags, ...externalFlags },
    aliases: planAliases,
  },
  func(flags, ...nodes) {
    return runPlan(this, flags, (fleet, options) => {
      for (const node of nodes) requireNode(fleet, node);
      return this.answers.planRound(fleet, { nodes }, { ...options, external: flags.external });
    });
  },
});

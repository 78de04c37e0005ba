import { buildCommand } from '@stricli/core';
import { DRAIN_CLIENTS, type DrainClient } from '../../forecast/questions.ts';
import type { LabelSelector } from '../../kubevirt/objects.ts';
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
import { durationSeconds, selector, text, wholeNumber } from '../parsers.ts';
import { runPlan, timed } from '../plan-command.ts';

interface DrainFlags extends TimeFlags, ExternalFlags {
  readonly deadline?: number;
  readonly client: DrainClient;
  readonly timeout?: number;
  readonly podSelector?: LabelSelector;
  readonly ignoreDaemonsets: boolean;
  readonly deleteEmptydirData: boolean;
  readonly force: boolean;
  readonly gracePeriod?: number;
  readonly disableEviction: boolean;
}

export const planDrain = buildCommand<PlanFlags & DrainFlags, string[], CliContext>({
  docs: {
    brief: 'What the drain of a node does to every VM on it',
    fullDescription:
      'Follows the drain of one or several nodes, one after another, to its end: which VMs live-migrate, which are shut ' +
      'down, which refuse and keep the drain from finishing, and which go down with the node.',
  },
  parameters: {
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: text, placeholder: 'node', brief: 'Nodes to drain, in this order' },
    },
    flags: {
      ...planFlags,
      ...timeFlags,
      deadline: {
        kind: 'parsed',
        parse: durationSeconds,
        optional: true,
        placeholder: 'duration',
        brief:
          'With --time: when the node goes down, whatever is on it; VMs that are not away by then are Cut',
      },
      client: {
        kind: 'enum',
        placeholder: 'client',
        values: DRAIN_CLIENTS,
        default: 'kubectl',
        brief: 'Who drains',
      },
      timeout: {
        kind: 'parsed',
        parse: durationSeconds,
        optional: true,
        placeholder: 'duration',
        brief: 'When the client gives up, as in 5m; 0 is never; its own default if not given',
      },
      podSelector: {
        kind: 'parsed',
        parse: selector,
        optional: true,
        placeholder: 'labels',
        brief: 'As in kubectl drain: only pods with these labels',
      },
      ignoreDaemonsets: {
        kind: 'boolean',
        default: true,
        brief: 'Stop at pods of DaemonSets, as kubectl drain does without --ignore-daemonsets',
      },
      deleteEmptydirData: {
        kind: 'boolean',
        default: true,
        brief:
          'Stop at emptyDir volumes, which every launcher pod has, as kubectl drain does without --delete-emptydir-data',
      },
      force: {
        kind: 'boolean',
        default: false,
        brief: 'As in kubectl drain: go on with pods that no controller owns',
      },
      gracePeriod: {
        kind: 'parsed',
        parse: wholeNumber,
        optional: true,
        placeholder: 'seconds',
        brief: "As in kubectl drain: seconds instead of each pod's own; negative: its own",
      },
      disableEviction: {
        kind: 'boolean',
        default: false,
        brief: 'As in kubectl drain: delete instead of evict, past all protection',
      },
      ...externalFlags,
    },
    aliases: planAliases,
  },
  func(flags, ...nodes) {
    const { external, timeout, gracePeriod, ...rest } = flags;
    const { client, podSelector, ignoreDaemonsets, deleteEmptydirData, force, disableEviction } = rest;
    const question = {
      ...{ nodes, client, podSelector, ignoreDaemonsets, deleteEmptydirData, force, disableEviction },
      timeoutSeconds: timeout,
      gracePeriodSeconds: gracePeriod !== undefined && gracePeriod < 0 ? undefined : gracePeriod,
    };
    return runPlan(this, flags, async (fleet, options) => {
      const forecast = await this.answers.planDrain(fleet, question, { ...options, external });
      return timed(this, flags, fleet, { action: 'drain', question }, options, forecast);
    });
  },
});

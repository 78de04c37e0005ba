import { CONDITION, METHOD, STRATEGY } from '../kubevirt/names.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import type { Context } from './context.ts';
import type { Ending } from './ending.ts';
import type { Alternative } from './forecast.ts';
import { Trail } from './trail.ts';

/** The same question about a VM or a cluster that differs in one thing. */
interface Variation {
  readonly change: string;
  readonly vmi: Vmi;
  readonly context: Context;
}

/**
 * What else would have come out, had one input been different: the strategy, whether the VM can migrate, the methods. Only
 * changes that alter the outcome are told, in a fixed order.
 */
export function alternativesTo(
  context: Context,
  vmi: Vmi,
  ending: Ending,
  follow: (context: Context, vmi: Vmi, trail: Trail) => Ending,
): Alternative[] {
  return variationsOf(context, vmi).flatMap((variation) => {
    const other = follow(variation.context, variation.vmi, new Trail(false));
    return other.outcome === ending.outcome
      ? []
      : [{ change: variation.change, outcome: other.outcome, reason: other.reason }];
  });
}

function variationsOf(context: Context, vmi: Vmi): Variation[] {
  return [
    ...Object.values(STRATEGY).map((strategy) => ({
      change: `spec.evictionStrategy of the VMI were ${strategy}`,
      vmi: { ...vmi, spec: { ...vmi.spec, evictionStrategy: strategy } },
      context,
    })),
    ...['True', 'False'].map((status) => ({
      change: `its LiveMigratable condition were ${status}`,
      vmi: withMigratable(vmi, status),
      context,
    })),
    ...METHOD_SETS.map((methods) => ({
      change: `workloadUpdateMethods were [${methods.join(', ')}]`,
      vmi,
      context: { ...context, settings: { ...context.settings, workloadUpdateMethods: methods } },
    })),
  ];
}

const METHOD_SETS = [[], [METHOD.liveMigrate], [METHOD.evict], [METHOD.liveMigrate, METHOD.evict]] as const;

function withMigratable(vmi: Vmi, status: string): Vmi {
  const others = (vmi.status?.conditions ?? []).filter(({ type }) => type !== CONDITION.liveMigratable);
  const conditions = [...others, { type: CONDITION.liveMigratable, status }];
  return { ...vmi, status: { ...vmi.status, conditions } };
}

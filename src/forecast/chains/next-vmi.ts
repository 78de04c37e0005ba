import {
  isKnownStrategy,
  type StrategyValidity,
  strategyValidationTable,
} from '../../decide/eviction-strategy.ts';
import type { Decision } from '../../decide/rules.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';

/** The VMI as its VM would create it anew: with the template's strategy, else the cluster's. Without a VM it is the same. */
export function stampedAnew({ fleet, settings }: Context, vmi: Vmi, vm = fleet.vmOf(vmi)): Vmi {
  if (!vm) return vmi;
  const evictionStrategy = vm.spec?.template?.spec?.evictionStrategy ?? settings.evictionStrategy;
  return { ...vmi, spec: { ...vmi.spec, evictionStrategy } };
}

/** What helps where the cluster's strategy is none that KubeVirt knows; a restart does not. */
export const KNOWN_STRATEGY_REMEDIES: readonly string[] = [
  'Set configuration.evictionStrategy to None, LiveMigrate, LiveMigrateIfPossible or External.',
  "Or name one of these in the VM's template.",
];

/**
 * How it ends where virt-api refuses the VMI that the VM would make next; undefined: it does not. Nothing checks the cluster's
 * strategy when it is set, so that it comes out here. `vm`: as it is by then.
 */
export function foreseeRefusedStart(
  context: Context,
  vmi: Vmi,
  trail: Trail,
  lead: string,
  vm = context.fleet.vmOf(vmi),
): Ending | undefined {
  const { settings, behavior } = context;
  const strategy = vm && stampedAnew(context, vmi, vm).spec?.evictionStrategy;
  if (strategy === undefined || isKnownStrategy(strategy)) return undefined;
  const input = { object: vmi, path: 'spec', strategy, settings, behavior };
  const decision = trail.ask('creation of its next VMI', strategyValidationTable, input, told);
  return {
    outcome: 'StaysOff',
    reason: decision.reason,
    says: `${lead}, and does not come back: virt-api refuses its next VMI, for ${told(decision)}`,
    remedies: KNOWN_STRATEGY_REMEDIES,
  };
}

function told({ result }: Decision<StrategyValidity>): string {
  return 'panic' in result ? result.panic : result.causes.map(({ message }) => message).join(', ');
}

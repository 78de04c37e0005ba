import { FEATURE_GATE, RUN_STRATEGY } from '../../kubevirt/names.ts';
import type { VirtualMachine } from '../../kubevirt/objects.ts';
import type { StatusCause } from '../eviction-strategy.ts';
import { vmField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import { isGateOn, type Settings } from '../settings.ts';

const KNOWN: ReadonlySet<string> = new Set(Object.values(RUN_STRATEGY));
const GATE = FEATURE_GATE.decentralizedLiveMigration;

/** The run strategy that the VM controller works with; `''` beside an error. */
export interface ResolvedRunStrategy {
  readonly strategy: string;
  readonly error?: string | undefined;
}

/**
 * The strategy in force: `spec.runStrategy`, or what the deprecated `spec.running` means.
 *
 * Promise: neither is Halted; both are an error, and then the controller does nothing for the VM. Unknown strategies
 * come back as they are (types.go:1957-1970).
 */
export function resolveRunStrategy(vm: VirtualMachine): ResolvedRunStrategy {
  const { running, runStrategy } = vm.spec ?? {};
  if (running !== undefined && runStrategy !== undefined) {
    return { strategy: '', error: 'running and runstrategy are mutually exclusive' };
  }
  if (runStrategy !== undefined) return { strategy: runStrategy };
  return { strategy: running ? RUN_STRATEGY.always : RUN_STRATEGY.halted };
}

/** Why the API server would refuse the VM's strategy, if it would (vms-admitter.go validateRunStrategy; its lines 235-243). */
export function runStrategyRefusal(
  vm: VirtualMachine,
  settings: Pick<Settings, 'featureGates' | 'disabledFeatureGates'>,
): StatusCause | undefined {
  const { running, runStrategy } = vm.spec ?? {};
  if (running !== undefined && runStrategy !== undefined) {
    const message =
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead';
    return invalid('running', message);
  }
  if (runStrategy !== undefined) return refusalOfName(runStrategy, settings);
  return running === undefined ? invalid('running', 'RunStrategy must be specified') : undefined;
}

function refusalOfName(
  name: string,
  settings: Pick<Settings, 'featureGates' | 'disabledFeatureGates'>,
): StatusCause | undefined {
  const message = `Invalid RunStrategy (${name})`;
  if (!KNOWN.has(name)) return invalid('runStrategy', message);
  if (name !== RUN_STRATEGY.waitAsReceiver || isGateOn(settings, GATE)) return undefined;
  return invalid('runStrategy', `${message}, ${GATE} feature gate is not enabled in kubevirt resource`);
}

function invalid(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', message, field: `spec.${field}` };
}

/** Evidence of the strategy, by the field or fields that set it. */
export function runStrategyFields(vm: VirtualMachine): readonly Evidence[] {
  const { running, runStrategy } = vm.spec ?? {};
  const strategyField = vmField(vm, 'spec.runStrategy', runStrategy);
  if (running === undefined) return [strategyField];
  const runningField = vmField(vm, 'spec.running', running);
  return runStrategy === undefined ? [runningField] : [strategyField, runningField];
}

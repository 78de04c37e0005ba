import type { Forecast } from '../forecast/forecast.ts';
import { laterChanges } from '../forecast/views/later.ts';
import { isAsSevere } from '../forecast/views/severity.ts';
import type { FailOn } from './flags.ts';

/** Exit codes that scripts may rely on. */
export const EXIT = {
  /** Nothing as bad as the threshold. */
  ok: 0,
  /** Something as bad as the threshold, or worse. */
  worse: 1,
  /** Could not evaluate: wrong flags, unreadable input, an error of Drover. */
  failed: 2,
} as const;

/**
 * Whether a forecast has an outcome at least as severe as the threshold, in the severity order of outcomes; of a change of
 * the configuration also one that the change brings to a later drain or upgrade.
 */
export function failsGate(forecast: Forecast, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  return forecast.status.vms.some(
    (vm) => isAsSevere(vm.outcome, failOn) || laterChanges(vm).some(({ after }) => isAsSevere(after, failOn)),
  );
}

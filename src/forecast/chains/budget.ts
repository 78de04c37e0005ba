import type { BudgetAnswer } from '../../decide/disruption-budget.ts';
import type { Decision } from '../../decide/rules.ts';
import { type Ending, unknown } from '../ending.ts';
import type { EvictionAnswer } from '../forecast.ts';
import type { Trail } from '../trail.ts';

/** How a budget ends it, when it does not let the pod go. */
export function refusedByBudget(
  { result, reason }: Decision<BudgetAnswer>,
  trail: Trail,
): Ending | undefined {
  switch (result.kind) {
    case 'Evictable':
      return undefined;
    case 'Unknown':
      return unknown(trail, result.missing, 'Dump it too, or poddisruptionbudgets with their status.');
    case 'SeveralBudgets':
      return blocked(reason, result.refusal, `answers every eviction with an error: ${result.message}`, [
        `Leave one of the budgets ${result.budgets.join(', ')} that selects its launcher pod.`,
      ]);
    case 'RefusedForEver':
      return {
        ...blocked(reason, result.refusal, `refuses eviction: ${result.message}`, [
          `Give budget ${result.budget} an integer minAvailable below the number of VMs that it selects, or delete it for the work.`,
        ]),
        ...(reason === 'NoneToSpare' && { noneToSpare: result.budget }),
      };
    case 'RefusedNow':
      return {
        ...blocked(reason, result.refusal, `refuses eviction as things stand: ${result.message}`, [
          `Bring the other VMs of budget ${result.budget} up first.`,
        ]),
        ...(reason === 'WaitsForHealthyPod' && { otherwise: ['ShutDown'] }),
      };
  }
}

function blocked(
  reason: string,
  { code, message }: EvictionAnswer,
  says: string,
  remedies: readonly string[],
): Ending {
  return { outcome: 'Blocks', reason, says, remedies, answer: { code, message } };
}

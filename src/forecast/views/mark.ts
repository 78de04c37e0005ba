import type { Forecast, Outcome } from '../forecast.ts';
import { laterChanges } from './later.ts';
import { outcomesOf } from './order.ts';
import type { Mark } from './paint.ts';
import { isBreaking, isCalm } from './severity.ts';

/** The mark of one outcome; of none, that nothing happens. */
export function markOfOutcome(outcome: Outcome | undefined): Mark {
  if (outcome === undefined || isCalm(outcome)) return '✓';
  return isBreaking(outcome) ? '✗' : '!';
}

/**
 * The mark of the whole answer: that of its worst outcome, and at least `!` where something worse than a migration comes later, or a
 * drain is given up.
 */
export function markOf(forecast: Forecast): Mark {
  const { vms, time } = forecast.status;
  const mark = markOfOutcome(outcomesOf(forecast)[0]);
  const isLater = vms.some((vm) => laterChanges(vm).some(({ after }) => !isCalm(after)));
  return mark === '✓' && (isLater || time?.timeUp !== undefined) ? '!' : mark;
}

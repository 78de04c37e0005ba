import { formatDuration } from '../../kubevirt/time.ts';
import type { DeedResult } from '../result.ts';
import type { FailureSummary, Spread, VmSummary } from '../summary.ts';

/** `1m30s`; seconds to a tenth. */
export function timeText(seconds: number): string {
  return formatDuration(Math.round(seconds * 10) / 10);
}

/** The middle, and the slow end in brackets where it differs; `-` of nothing. */
export function spreadText(spread: Spread | undefined, text: (value: number) => string = String): string {
  if (!spread) return '-';
  const [middle, slow] = [text(spread.p50), text(spread.p90)];
  return middle === slow ? middle : `${middle} (${slow})`;
}

/** Why something could not be done, not all of it, or not yet; what a client says on the way to success is no such thing. */
export function whyOf({ end, says }: DeedResult): string | undefined {
  return end === 'succeeded' ? undefined : says.at(-1);
}

/** How long a VM was without a guest. One that is off in the end is so for longer than anybody has waited. */
export function downText({ outcome, toNode, downtimeSeconds }: VmSummary): string {
  const isOff = toNode === undefined && downtimeSeconds.p50 > 0;
  if (outcome === 'StaysOff' || (isOff && outcome === 'Cut')) return 'for good';
  return `${spreadText(downtimeSeconds, timeText)}${isOff ? '+' : ''}`;
}

/** Of each expectation so many failures are told: a bound may be broken by thousands of VMs. */
const MOST_FAILURES = 5;

/** The failures to tell, in their order, and how many more there are of which expectation. */
export function failuresToTell(failures: readonly FailureSummary[]): {
  readonly told: readonly FailureSummary[];
  readonly more: readonly string[];
} {
  const counts = new Map<string, number>();
  const told = failures.filter(({ expectation }) => {
    const count = (counts.get(expectation) ?? 0) + 1;
    counts.set(expectation, count);
    return count <= MOST_FAILURES;
  });
  const more = [...counts]
    .filter(([, count]) => count > MOST_FAILURES)
    .map(([expectation, count]) => `… and ${count - MOST_FAILURES} more of expect.${expectation}`);
  return { told, more };
}

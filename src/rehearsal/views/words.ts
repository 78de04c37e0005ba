import { formatDuration } from '../../kubevirt/time.ts';
import type { Spread, VmSummary } from '../summary.ts';

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

/** How long a VM was without a guest. One that is off in the end is so for longer than anybody has waited. */
export function downText({ outcome, fromNode, toNode, downtimeSeconds }: VmSummary): string {
  const isOff = toNode === undefined && fromNode !== undefined && downtimeSeconds.p50 > 0;
  if (outcome === 'StaysOff' || (isOff && outcome === 'Cut')) return 'for good';
  return `${spreadText(downtimeSeconds, timeText)}${isOff ? '+' : ''}`;
}

import { type Column, tableLines } from '../columns.ts';
import type { ViewOptions } from '../options.ts';
import { paintFor } from '../paint.ts';
import { keyOfVm, whyOf } from '../remedies.ts';
import { paragraphs, printable } from '../text.ts';
import { type Explanation, type Way, waysOf } from './explanation.ts';

/** One line of any length for each VM and occasion, for scripts. */
export function explainRowsView(explanations: readonly Explanation[], options: ViewOptions): string {
  const paint = paintFor(options.colour);
  const columns: Column<Way>[] = [
    { header: 'NAMESPACE/VM', cell: ({ verdict }) => keyOfVm(verdict) },
    { header: 'OCCASION', cell: ({ occasion }) => occasion },
    {
      header: 'OUTCOME',
      cell: ({ verdict }) => verdict.outcome,
      paint: ({ verdict }, text) => paint.outcome(verdict.outcome, text),
    },
    { header: 'REASON', cell: ({ verdict }) => verdict.reason },
  ];
  const last = { header: 'WHY', cell: ({ verdict }: Way) => whyOf(verdict) };
  return paragraphs([tableLines({ columns, last, headers: false }, explanations.flatMap(waysOf))]);
}

/** `virtualmachineinstance/NAMESPACE/NAME`, and behind a `#`, where a shell stops reading, what becomes of it. */
export function explainNameView(explanations: readonly Explanation[]): string {
  return explanations
    .map((explanation) => {
      const outcomes = waysOf(explanation).map(({ occasion, verdict }) => `${occasion} ${verdict.outcome}`);
      const comment = outcomes.length > 0 ? `  # ${outcomes.join(', ')}` : '';
      return `${printable(`virtualmachineinstance/${explanation.vm}${comment}`)}\n`;
    })
    .join('');
}

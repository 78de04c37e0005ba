import { CHECK_RESULTS, type CheckedPod, type CheckReport, type CheckResult } from '../../check/report.ts';
import type { Outcome } from '../../forecast.ts';
import { type Column, tableLines } from '../columns.ts';
import type { ViewOptions } from '../options.ts';
import { type Mark, type Paint, paintFor } from '../paint.ts';
import { padEnd, paragraphs, printable, wrap } from '../text.ts';

/** A list up to this long is shown whole. */
const SHOW_ALL_UP_TO = 30;

/** The colours of outcomes that mean as much. */
const COLOUR: Readonly<Record<CheckResult, Outcome>> = {
  Differs: 'Blocks',
  Unknown: 'Unknown',
  Agrees: 'LiveMigrates',
};

/**
 * A check for a terminal: the answer, the numbers, then the pods, differences first and with both sides.
 *
 * Promise: every pod that differs or could not be judged has its row; those that agree are left out where the list is long,
 * unless `all` are asked for.
 */
export function checkView(report: CheckReport, options: ViewOptions, all = false): string {
  const paint = paintFor(options.colour);
  const worstFirst = byResult(report.status.pods);
  const isShort = all || worstFirst.length <= SHOW_ALL_UP_TO;
  const shown = isShort ? worstFirst : worstFirst.filter(({ result }) => result !== 'Agrees');
  const more = worstFirst.length - shown.length;
  return paragraphs([
    headLines(report, options, paint),
    countLines(report, paint),
    [
      ...rows(shown, options, paint, all),
      ...(more > 0 ? [paint.dim(`… ${more} more agree (-o wide lists them all)`)] : []),
    ],
    goneLines(report, paint),
  ]);
}

/** Differences first, then what could not be judged; each by namespace and name. */
export function byResult(pods: readonly CheckedPod[]): CheckedPod[] {
  return CHECK_RESULTS.flatMap((result) => pods.filter((pod) => pod.result === result));
}

export function markOfCheck({ counts }: CheckReport['status']): Mark {
  if (counts.Differs > 0) return '✗';
  return counts.Unknown > 0 ? '!' : '✓';
}

/** `shop/virt-launcher-db-1` */
export function keyOfPod({ namespace, pod }: CheckedPod): string {
  return `${namespace}/${pod}`;
}

/** What happened, with both sides where they are not the same. */
export function whyOfCheck({ result, message, expected, answered }: CheckedPod): string {
  if (result === 'Agrees') return said(answered);
  const sides = [
    ...(expected ? [`Expected ${said(expected)} (${expected.reason}).`] : []),
    ...(answered?.code === undefined ? [] : [`Answered ${said(answered)}.`]),
  ];
  return [`${message}.`, ...sides].join(' ');
}

function said(answer: CheckedPod['answered']): string {
  return `${answer?.code}: ${answer?.message.replace(/\.$/, '')}`;
}

/** The reason of the verdict; where all is well, that of the decision behind the answer. */
export function reasonOfCheck({ result, reason, expected }: CheckedPod): string {
  return result === 'Agrees' ? (expected?.reason ?? reason) : reason;
}

function headLines({ spec, status }: CheckReport, options: ViewOptions, paint: Paint): string[] {
  const title = `check · KubeVirt ${spec.kubevirtVersion} · one eviction of each launcher pod, as a dry run`;
  const [first = '', ...rest] = wrap(printable(status.summary), options.width - 2);
  return [
    paint.dim(title),
    `${paint.mark(markOfCheck(status))} ${paint.bold(first)}`,
    ...rest.map((line) => `  ${paint.bold(line)}`),
  ];
}

function countLines({ status }: CheckReport, paint: Paint): string[] {
  const most = Math.max(...CHECK_RESULTS.map((result) => status.counts[result]));
  return CHECK_RESULTS.filter((result) => status.counts[result] > 0).map(
    (result) =>
      `  ${paint.outcome(COLOUR[result], padEnd(result, 7))}  ${String(status.counts[result]).padStart(String(most).length)}`,
  );
}

function rows(pods: readonly CheckedPod[], options: ViewOptions, paint: Paint, wide: boolean): string[] {
  const columns: Column<CheckedPod>[] = [
    { header: 'NAMESPACE/POD', cell: keyOfPod },
    ...(wide
      ? [
          { header: 'VM', cell: ({ vm }: CheckedPod) => vm },
          { header: 'NODE', cell: ({ node }: CheckedPod) => node ?? '' },
        ]
      : []),
    {
      header: 'RESULT',
      cell: ({ result }) => result,
      paint: ({ result }, text) => paint.outcome(COLOUR[result], text),
    },
    { header: 'REASON', cell: reasonOfCheck },
  ];
  const last = { header: 'WHY', cell: whyOfCheck, width: wide ? undefined : options.width };
  return tableLines({ columns, last, headers: true }, pods);
}

function goneLines({ status }: CheckReport, paint: Paint): string[] {
  if (status.gone.length === 0) return [];
  return [paint.bold('Gone before their turn came'), ...status.gone.map((key) => `  - ${printable(key)}`)];
}

/** Pods that differ or could not be judged, `pod/NAMESPACE/NAME`, one a line. */
export function checkNameView({ status }: CheckReport): string {
  const told = byResult(status.pods).filter(({ result }) => result !== 'Agrees');
  return told.map((pod) => `pod/${printable(keyOfPod(pod))}\n`).join('');
}

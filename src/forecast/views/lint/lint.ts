import { someOf } from '../../../kubevirt/words.ts';
import type { Finding, LintReport, NotChecked } from '../../lint/finding.ts';
import { type Column, tableLines } from '../columns.ts';
import { cureLines } from '../cure.ts';
import type { ViewOptions } from '../options.ts';
import { type Paint, paintFor } from '../paint.ts';
import { hanging, paragraphs, printable, wrap } from '../text.ts';
import { MARK_OF_SEVERITY, namesByKind, slashed, titleOfReport, worstOfReport } from './report.ts';

const OBJECTS_SHOWN = 4;

/**
 * A lint report for a terminal: the answer, then each finding with what it is about, why, and what to do. Without headers
 * there is one line for each finding and nothing else.
 *
 * Promise: `allObjects` names every object; else a finding names the first four (without headers the first) and counts the
 * rest.
 */
export function lintView(report: LintReport, options: ViewOptions, allObjects = false): string {
  const paint = paintFor(options.colour);
  if (!options.headers) return paragraphs([rows(report.status.findings, paint, allObjects)]);
  return paragraphs([
    headLines(report, options, paint),
    ...report.status.findings.map((finding) => findingLines(finding, options, paint, allObjects)),
    notCheckedLines(report.status.notChecked, options, paint),
  ]);
}

/** One line of any length for each finding, for `grep` and `awk`: only the last column has spaces in it. */
function rows(findings: readonly Finding[], paint: Paint, all: boolean): string[] {
  const columns: Column<Finding>[] = [
    { header: 'SEVERITY', cell: ({ severity }) => severity },
    { header: 'CODE', cell: ({ code }) => code, paint: (_, text) => paint.bold(text) },
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'OBJECTS', cell: ({ objects }) => String(objects.length) },
    { header: all ? 'NAMES' : 'FIRST', cell: ({ objects }) => pasted(all ? objects : objects.slice(0, 1)) },
  ];
  const last = { header: 'WHY', cell: ({ cause }: Finding) => cause };
  return tableLines({ columns, last, headers: false }, findings);
}

function pasted(refs: readonly string[]): string {
  return refs.map(slashed).join(',') || '-';
}

function headLines(report: LintReport, options: ViewOptions, paint: Paint): string[] {
  const [first = '', ...rest] = wrap(printable(report.status.summary), options.width - 2);
  return [
    ...wrap(printable(titleOfReport(report)), options.width).map(paint.dim),
    `${paint.mark(MARK_OF_SEVERITY[worstOfReport(report) ?? 'info'])} ${paint.bold(first)}`,
    ...rest.map((line) => `  ${paint.bold(line)}`),
  ];
}

function findingLines(finding: Finding, options: ViewOptions, paint: Paint, all: boolean): string[] {
  const { code, name, severity, title, objects, cause, cure } = finding;
  const shown = byKind(objects, all ? objects.length : OBJECTS_SHOWN);
  return [
    `${paint.mark(MARK_OF_SEVERITY[severity])} ${paint.bold(printable(`${severity} ${code} ${name}`))}`,
    ...hanging('  ', printable(title), options.width),
    ...hanging('  about: ', printable(shown), options.width),
    ...hanging('  why:   ', printable(cause), options.width),
    ...cureLines('  to do: ', cure, options.width),
  ];
}

/** `Kind a, b; OtherKind c`: the kind once for all of its objects, of which so many are named. */
function byKind(refs: readonly string[], shown: number): string {
  return [...namesByKind(refs)].map(([kind, names]) => `${kind} ${someOf(names, shown)}`).join('; ');
}

function notCheckedLines(skipped: readonly NotChecked[], options: ViewOptions, paint: Paint): string[] {
  if (skipped.length === 0) return [];
  const lines = skipped.map(({ code, name, needs }) => `${code} ${name}: needs ${needs.join(', ')}`);
  return [
    paint.bold('Not checked, since the input lacks something'),
    ...lines.flatMap((line) => hanging('  - ', printable(line), options.width)),
  ];
}

/** The objects of all findings, each once, worst finding first: `KIND/NAMESPACE/NAME` in lower case, one a line. */
export function lintNameView(report: LintReport): string {
  const names = new Set(report.status.findings.flatMap(({ objects }) => objects));
  return [...names].map((ref) => `${printable(slashed(ref))}\n`).join('');
}

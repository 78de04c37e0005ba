import type { Finding, LintReport, NotChecked, Severity } from '../lint/finding.ts';
import { cureLines } from './cure.ts';
import type { ViewOptions } from './options.ts';
import { type Mark, type Paint, paintFor } from './paint.ts';
import { someOf } from './remedies.ts';
import { counted, hanging, paragraphs, printable, wrap } from './text.ts';

const MARK: Readonly<Record<Severity, Mark>> = { error: '✗', warning: '!', info: '✓' };
const OBJECTS_SHOWN = 4;

/**
 * A lint report for a terminal: the answer, then each finding with what it is about, why, and what to do.
 *
 * Promise: `allObjects` names every object; else a finding names the first four and counts the rest.
 */
export function lintView(report: LintReport, options: ViewOptions, allObjects = false): string {
  const paint = paintFor(options.colour);
  return paragraphs([
    headLines(report, options, paint),
    ...report.status.findings.map((finding) => findingLines(finding, options, paint, allObjects)),
    notCheckedLines(report.status.notChecked, options, paint),
  ]);
}

function headLines({ spec, status }: LintReport, options: ViewOptions, paint: Paint): string[] {
  const worst = status.findings[0]?.severity ?? 'info';
  const title = `lint · KubeVirt ${spec.kubevirtVersion} · ${counted(spec.rulesChecked, 'rule')} checked`;
  const [first = '', ...rest] = wrap(printable(status.summary), options.width - 2);
  return [
    paint.dim(title),
    `${paint.mark(MARK[worst])} ${paint.bold(first)}`,
    ...rest.map((line) => `  ${paint.bold(line)}`),
  ];
}

function findingLines(finding: Finding, options: ViewOptions, paint: Paint, all: boolean): string[] {
  const { code, name, severity, title, objects, cause, cure } = finding;
  const shown = byKind(objects, all ? objects.length : OBJECTS_SHOWN);
  return [
    `${paint.mark(MARK[severity])} ${paint.bold(printable(`${severity} ${code} ${name}`))}`,
    ...hanging('  ', printable(title), options.width),
    ...hanging('  about: ', printable(shown), options.width),
    ...hanging('  why:   ', printable(cause), options.width),
    ...cureLines('  to do: ', cure, options.width),
  ];
}

/** `Kind a, b; OtherKind c`: the kind once for all of its objects, of which so many are named. */
function byKind(refs: readonly string[], shown: number): string {
  const kinds = new Map<string, string[]>();
  for (const ref of refs) {
    const [kind = '', name = ''] = ref.split(' ');
    kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
  }
  return [...kinds].map(([kind, names]) => `${kind} ${someOf(names, shown)}`).join('; ');
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

function slashed(ref: string): string {
  const at = ref.indexOf(' ');
  return at === -1 ? ref : `${ref.slice(0, at).toLowerCase()}/${ref.slice(at + 1)}`;
}

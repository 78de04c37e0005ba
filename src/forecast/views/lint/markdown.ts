import { counted, someOf } from '../../../kubevirt/words.ts';
import type { Finding, LintReport, Severity } from '../../lint/finding.ts';
import { code, plain } from '../markdown.ts';
import { paragraphs, printable } from '../text.ts';
import { titleOfReport, worstOfReport } from './report.ts';

const ICON: Readonly<Record<Severity, string>> = { error: '❌', warning: '⚠️', info: 'ℹ️' };
/** A comment on a pull request holds about 65 000 characters. */
const MOST_FINDINGS = 60;
const OBJECTS_SHOWN = 10;

/**
 * A lint report as a comment for a pull request: the answer, then each finding with its cause and cure; findings for
 * information are folded away.
 *
 * Promise: what comes from the cluster shows as it is and becomes no markup, mention or link; commands stand as code. At
 * most 60 findings are told, each with ten objects, and the rest is counted.
 */
export function lintMarkdownView(report: LintReport): string {
  const { status } = report;
  const told = status.findings.slice(0, MOST_FINDINGS);
  const more = status.findings.length - told.length;
  const worst = worstOfReport(report);
  return paragraphs([
    [`### ${worst ? ICON[worst] : '✅'} ${plain(status.summary)}`],
    [plain(titleOfReport(report))],
    ...told.filter(({ severity }) => severity !== 'info').map(findingLines),
    folded(told.filter(({ severity }) => severity === 'info')),
    more > 0 ? [`… and ${counted(more, 'finding')} more.`] : [],
    notChecked(status.notChecked),
  ]);
}

function findingLines(finding: Finding): string[] {
  const { severity, name, objects, title, cause, cure } = finding;
  return [
    `${ICON[severity]} **${plain(`${finding.code} ${name}`)}**: ${plain(title)}`,
    '',
    `- About ${counted(objects.length, 'object')}: ${code(someOf(objects, OBJECTS_SHOWN))}`,
    `- ${plain(cause)}`,
    `- ${withCommands(cure)}`,
  ];
}

/** Every second piece between backticks is a command. */
function withCommands(cure: string): string {
  return cure
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? code(piece) : plain(piece)))
    .join('');
}

function folded(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const lines = findings.flatMap((finding) => [...findingLines(finding), '']);
  return [
    `<details><summary>${counted(findings.length, 'finding')} for information</summary>`,
    '',
    ...lines,
    '</details>',
  ];
}

function notChecked(skipped: LintReport['status']['notChecked']): string[] {
  if (skipped.length === 0) return [];
  const lines = skipped.map(
    ({ code: id, name, needs }) => `- ${printable(id)} ${name}: needs ${needs.join(', ')}`,
  );
  return ['**Not checked, since the input lacks something**', '', ...lines];
}

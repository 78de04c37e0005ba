import { type LintRule, SEVERITIES, SEVERITY_MEANING } from './finding.ts';

/** The reference page of the findings, made from the rules alone: a table with a link to each, then what each is about. */
export function findingsPage(rules: readonly LintRule[], written: string): string {
  return [
    '# Findings',
    '',
    written,
    '',
    'What `drover lint` looks for. Codes are stable: a new rule gets a new one, and none is ever used again. A rule that needs ' +
      'a kind of object that the input does not have is listed as not checked.',
    '',
    ...SEVERITIES.map((severity) => `- \`${severity}\`: ${SEVERITY_MEANING[severity]}`),
    '',
    '| Code | Finding | Severity | What it says |',
    '| --- | --- | --- | --- |',
    ...rules.map(rowOf),
    ...rules.flatMap(sectionOf),
    '',
  ].join('\n');
}

function rowOf({ code, name, severity, title }: LintRule): string {
  return `| [${code}](#${anchorOf(code, name)}) | \`${name}\` | ${severity} | ${title} |`;
}

/** The anchor that GitHub gives to the heading `code name`. */
function anchorOf(code: string, name: string): string {
  return `${code} ${name}`.toLowerCase().replaceAll(' ', '-');
}

function sectionOf({ code, name, severity, title, explains, needs }: LintRule): string[] {
  return [
    '',
    `## ${code} ${name}`,
    '',
    `**${severity}**: ${title}.`,
    '',
    explains,
    '',
    `Needs: ${needs.map((need) => (need === 'the time' ? need : `\`${need}\``)).join(', ')}.`,
  ];
}

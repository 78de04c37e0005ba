import { addToGroup } from '../../../kubevirt/group-by.ts';
import { compareText } from '../../../kubevirt/order.ts';
import { counted } from '../../../kubevirt/words.ts';
import { type Finding, type LintReport, SEVERITIES, type Severity } from '../../lint/finding.ts';
import { scopeInWords } from '../../scope.ts';
import type { Mark } from '../paint.ts';

/** What the views of a lint report share: its title, its mark, its order, its objects by kind. */

export const LINT_SORT_KEYS = ['severity', 'code', 'object'] as const;
export type LintSortKey = (typeof LINT_SORT_KEYS)[number];

const COMPARE: Readonly<Record<LintSortKey, (a: Finding, b: Finding) => number>> = {
  severity: (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  code: (a, b) => compareText(a.code, b.code),
  object: (a, b) => compareText(a.objects[0] ?? '', b.objects[0] ?? ''),
};

/** The report with its findings sorted by one key; ties as they came, which is worst first, then by code and first object. */
export function sortedReport(report: LintReport, by: LintSortKey): LintReport {
  const findings = [...report.status.findings].sort(COMPARE[by]);
  return { ...report, status: { ...report.status, findings } };
}

/** What was looked at, in one line. */
export function titleOfReport({ spec }: LintReport): string {
  const scope = scopeInWords(spec);
  const only = scope.length > 0 ? [`${scope.join(', ')}, and the cluster`] : [];
  const rules = `${counted(spec.rulesChecked, 'rule')} checked`;
  return ['lint', `KubeVirt ${spec.kubevirtVersion}`, rules, ...only].join(' · ');
}

/** The severity of the worst finding; `undefined` where there is none. */
export function worstOfReport({ status }: LintReport): Severity | undefined {
  return SEVERITIES.find((severity) => status.findings.some((finding) => finding.severity === severity));
}

export const MARK_OF_SEVERITY: Readonly<Record<Severity, Mark>> = { error: '✗', warning: '!', info: '✓' };

/** The names of objects (`Kind namespace/name`) by kind, in the order in which the kinds first come. */
export function namesByKind(refs: readonly string[]): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  for (const ref of refs) {
    const [kind = '', name = ''] = ref.split(' ');
    addToGroup(kinds, kind, name);
  }
  return kinds;
}

/** `Kind namespace/name` as kubectl names it: `kind/namespace/name`, the kind in lower case. */
export function slashed(ref: string): string {
  const at = ref.indexOf(' ');
  return at === -1 ? ref : `${ref.slice(0, at).toLowerCase()}/${ref.slice(at + 1)}`;
}

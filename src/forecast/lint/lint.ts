import { formatVersion } from '../../decide/versions.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { compareText } from '../../kubevirt/order.ts';
import { counted } from '../../kubevirt/words.ts';
import { type LintOptions, lintContext } from './context.ts';
import {
  type Finding,
  type Found,
  type LintReport,
  type LintRule,
  type NotChecked,
  SEVERITIES,
} from './finding.ts';
import { RULES } from './rules.ts';
import { inScope } from './scope.ts';
import { listed } from './words.ts';

/**
 * The traps in a cluster's settings and VMs.
 *
 * Promise: findings come worst first, then by code, then by first object; the same fleet gives the same report
 * whatever the order of its objects. A scope narrows them to objects in it, and to what concerns the whole cluster. A rule whose input is unknown stands under `notChecked` and never guesses. The
 * cost grows with the fleet, not with its square.
 */
export function lint(
  fleet: Fleet,
  options: LintOptions = {},
  rules: readonly LintRule[] = RULES,
): LintReport {
  const cluster = lintContext(fleet, options);
  const notChecked: NotChecked[] = [];
  const findings: Finding[] = [];
  for (const rule of rules) {
    const needs = rule.needs.filter((need) => !cluster.meets(need));
    if (needs.length > 0) notChecked.push({ code: rule.code, name: rule.name, needs });
    else findings.push(...findingsOf(rule, inScope(cluster, rule.find(cluster))));
  }
  findings.sort(worstFirst);
  const counts = countsOf(findings);
  const { namespace, selector } = cluster.forecast.scope;
  return {
    apiVersion: 'drover.dev/v1alpha1',
    kind: 'LintReport',
    spec: {
      kubevirtVersion: formatVersion(cluster.settings.version),
      rulesChecked: rules.length - notChecked.length,
      ...(namespace === undefined ? {} : { namespace }),
      ...(selector === undefined ? {} : { selector }),
    },
    status: { summary: summaryOf(findings, counts), counts, findings, notChecked },
  };
}

function findingsOf(rule: LintRule, found: readonly Found[]): Finding[] {
  const { code, name, severity, title } = rule;
  return found.map(({ objects, cause, cure, evidence }) => ({
    code,
    name,
    severity,
    title,
    objects,
    cause,
    cure,
    evidence,
  }));
}

function worstFirst(a: Finding, b: Finding): number {
  const severity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return severity || compareText(a.code, b.code) || compareText(a.objects[0] ?? '', b.objects[0] ?? '');
}

function countsOf(findings: readonly Finding[]): LintReport['status']['counts'] {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

function summaryOf(findings: readonly Finding[], counts: LintReport['status']['counts']): string {
  if (findings.length === 0) return 'No traps found.';
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) =>
    severity === 'info' ? `${counts.info} for information` : counted(counts[severity], severity),
  );
  return `${counted(findings.length, 'finding')}: ${listed(parts)}.`;
}

/** Whether the report has a finding of this severity or a worse one: what makes the exit code 1. */
export function fails(report: LintReport, failOn: Finding['severity']): boolean {
  const threshold = SEVERITIES.indexOf(failOn);
  return report.status.findings.some((finding) => SEVERITIES.indexOf(finding.severity) <= threshold);
}

import { expect, it } from 'vitest';
import type { LintReport, Severity } from '../../forecast/lint/finding.ts';
import { runCli } from '../builders.ts';
import type { CliContext } from '../context.ts';

function reporting(severity: Severity): Partial<CliContext> {
  const finding = { code: 'DRV001', name: 'Trap', severity, title: 't', cause: 'c', cure: 'd', evidence: [] };
  const report: LintReport = {
    apiVersion: 'drover.dev/v1alpha1',
    kind: 'LintReport',
    spec: { kubevirtVersion: '1.9', rulesChecked: 1 },
    status: {
      summary: '1 finding.',
      counts: { error: 0, warning: 0, info: 0, [severity]: 1 },
      findings: [{ ...finding, objects: ['Node n1'] }],
      notChecked: [],
    },
  };
  return { answers: { lint: async () => report } as unknown as CliContext['answers'] };
}

it.each([
  ['error', [], 1],
  ['warning', [], 0],
  ['warning', ['--fail-on', 'warning'], 1],
  ['info', ['--fail-on', 'warning'], 0],
  ['info', ['--fail-on', 'info'], 1],
  ['error', ['--fail-on', 'never'], 0],
] as const)('a finding of severity %s with %j gives %i', async (severity, flags, code) => {
  expect((await runCli(['lint', '-f', 'x', ...flags], reporting(severity))).code).toBe(code);
});

import { describe, expect, it } from 'vitest';
import type { Finding, LintReport } from '../../lint/finding.ts';
import { aFinding, aLintReport } from '../builders.ts';
import { PLAIN } from '../options.ts';
import { lintNameView, lintView } from './lint.ts';

function aReport(finding: Partial<Finding>, status: Partial<LintReport['status']> = {}): LintReport {
  const plain: Finding = {
    code: 'DRV013',
    name: 'DrainRefused',
    severity: 'error',
    title: 'a drain never ends',
    objects: ['VirtualMachineInstance shop/db-0'],
    cause: '1 VMI refuses.',
    cure: 'Shut it down.',
    evidence: [],
  };
  return {
    apiVersion: 'drover.dev/v1alpha1',
    kind: 'LintReport',
    spec: { kubevirtVersion: '1.9', rulesChecked: 21 },
    status: {
      summary: '1 finding: 1 error.',
      counts: { error: 1, warning: 0, info: 0 },
      findings: [{ ...plain, ...finding }],
      notChecked: [],
      ...status,
    },
  };
}

const names = Array.from({ length: 7 }, (_, i) => `VirtualMachineInstance shop/db-${i}`);

describe('lint', () => {
  it('shows each finding with what, why and what to do', () => {
    expect(lintView(aReport({ objects: [...names.slice(0, 2), 'Node n1'] }), PLAIN)).toBe(
      [
        'lint · KubeVirt 1.9 · 21 rules checked',
        '✗ 1 finding: 1 error.',
        '',
        '✗ error DRV013 DrainRefused',
        '  a drain never ends',
        '  about: VirtualMachineInstance shop/db-0, shop/db-1; Node n1',
        '  why:   1 VMI refuses.',
        '  to do: Shut it down.',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['warning', '!'],
    ['info', '✓'],
  ] as const)('%s is marked %s', (severity, mark) => {
    expect(lintView(aReport({ severity }), PLAIN)).toContain(`\n${mark} ${severity} DRV013`);
  });

  it('names four objects of a kind, or all on request', () => {
    const report = aReport({ objects: names });
    expect(lintView(report, PLAIN)).toContain('shop/db-3 and 3 more\n');
    expect(lintView(report, PLAIN, true)).toContain('shop/db-6\n');
  });

  it('says what was not checked, and why', () => {
    const notChecked = [{ code: 'DRV020', name: 'Shared', needs: ['Node', 'Pod'] }] as const;
    expect(lintView(aReport({}, { notChecked }), PLAIN)).toContain(
      'Not checked, since the input lacks something\n  - DRV020 Shared: needs Node, Pod\n',
    );
  });

  it('without findings is good', () => {
    const clean = aReport({}, { summary: 'No traps found.', findings: [] });
    expect(lintView(clean, PLAIN)).toBe('lint · KubeVirt 1.9 · 21 rules checked\n✓ No traps found.\n');
    expect(lintNameView(clean)).toBe('');
  });

  it('gives names that can be pasted, each once', () => {
    expect(lintNameView(aReport({ objects: ['KubeVirt kubevirt/kubevirt', 'Node n1', 'Node n1'] }))).toBe(
      'kubevirt/kubevirt/kubevirt\nnode/n1\n',
    );
  });

  it('without headers is one line for each finding, whatever the width', () => {
    const findings = [
      aFinding({ objects: names, cause: `${'long '.repeat(40)}cause.` }),
      aFinding({ severity: 'warning', code: 'DRV1', name: 'X', objects: ['Node n1'], cause: 'Short.' }),
      aFinding({ severity: 'info', code: 'DRV2', name: 'Y', objects: [], cause: 'None.' }),
    ];
    const report = aLintReport(findings);
    const rows = { ...PLAIN, headers: false, width: 60 };
    expect(lintView(report, rows)).toBe(
      [
        `error    DRV013  DrainRefused  7  virtualmachineinstance/shop/db-0  ${'long '.repeat(40)}cause.`,
        'warning  DRV1    X             1  node/n1                           Short.',
        'info     DRV2    Y             0  -                                 None.',
        '',
      ].join('\n'),
    );
    expect(lintView(report, rows, true)).toContain('shop/db-5,virtualmachineinstance/shop/db-6  long');
    expect(lintView(aLintReport([]), rows)).toBe('');
  });
});

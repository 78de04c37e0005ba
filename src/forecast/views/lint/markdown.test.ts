import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, LintReport } from '../../lint/finding.ts';
import { lintMarkdownView } from './markdown.ts';

const finding: Finding = {
  code: 'DRV013',
  name: 'DrainRefused',
  severity: 'warning',
  title: 'a drain never ends',
  objects: ['VirtualMachineInstance shop/db'],
  cause: 'disk "data" is *not* shared',
  cure: 'Shut it down (`virtctl stop -n shop db`), or wait.',
  evidence: [],
};

function aReport(findings: readonly Finding[], status: Partial<LintReport['status']> = {}): LintReport {
  return {
    ...{ apiVersion: 'drover.dev/v1alpha1', kind: 'LintReport' },
    spec: { kubevirtVersion: '1.9', rulesChecked: 30 },
    status: {
      ...{ summary: '1 finding: 1 warning.', counts: { error: 0, warning: 1, info: 0 } },
      ...{ findings, notChecked: [] },
      ...status,
    },
  };
}

describe('lintMarkdownView', () => {
  it('tells a finding with its cure, commands as code', () => {
    expect(lintMarkdownView(aReport([finding]))).toBe(
      [
        '### ⚠️ 1 finding: 1 warning.',
        '',
        'lint · KubeVirt 1.9 · 30 rules checked',
        '',
        '⚠️ **DRV013 DrainRefused**: a drain never ends',
        '',
        '- About 1 object: `VirtualMachineInstance shop/db`',
        '- disk "data" is \\*not\\* shared',
        '- Shut it down (`virtctl stop -n shop db`), or wait.',
        '',
      ].join('\n'),
    );
  });

  it('is short about nothing', () => {
    expect(lintMarkdownView(aReport([], { summary: 'No traps found.' }))).toBe(
      '### ✅ No traps found.\n\nlint · KubeVirt 1.9 · 30 rules checked\n',
    );
  });

  it('folds what is for information, and names what was not checked', () => {
    const info: Finding = { ...finding, severity: 'info', code: 'DRV016' };
    const notChecked = [
      { code: 'DRV021', name: 'QuotaLeavesNoRoom', needs: ['ResourceQuota', 'Pod'] as const },
    ];
    const text = lintMarkdownView(aReport([{ ...finding, severity: 'error' }, info], { notChecked }));
    expect(text).toContain('❌ **DRV013');
    expect(text).toMatch(
      /<details><summary>1 finding for information<\/summary>\n\nℹ️ \*\*DRV016[\s\S]*wait\.\n\n<\/details>/,
    );
    expect(text).toMatch(/\n- DRV021 QuotaLeavesNoRoom: needs ResourceQuota, Pod\n$/);
  });

  it('shows ten objects and sixty findings at most', () => {
    const objects = Array.from({ length: 30 }, (_, i) => `Node n${i}`);
    const text = lintMarkdownView(aReport(Array.from({ length: 70 }, () => ({ ...finding, objects }))));
    expect(text).toContain(
      '- About 30 objects: `Node n0, Node n1, Node n2, Node n3, Node n4, Node n5, Node n6, Node n7, Node n8, Node n9 and 20 more`',
    );
    expect(text.match(/DRV013/g)).toHaveLength(60);
    expect(text).toMatch(/… and 10 findings more\.\n$/);
  });

  it('lets nothing of the cluster become markup', () => {
    const text = fc.constantFrom('<b>', '@team', '#12', '[a](b)', '`', '|', '\n', 'https://x.example', '*');
    fc.assert(
      fc.property(text, text, (a, b) => {
        const written = lintMarkdownView(
          aReport([{ ...finding, cause: `${a} x ${b}`, objects: [`Node ${a} ${b}`] }]),
        );
        const cause = written.split('\n').filter((line) => line.startsWith('- '))[1] ?? '';
        expect(cause).not.toMatch(/<b>|@team|#12|(?<!\\)[[`|*]|https:/);
        expect(written.split('\n')).toHaveLength(10);
      }),
    );
  });
});

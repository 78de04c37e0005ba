import { describe, expect, it } from 'vitest';
import { parseSelector } from '../../../kubevirt/selector.ts';
import type { LintReport, Severity } from '../../lint/finding.ts';
import { aFinding, aLintReport } from '../builders.ts';
import {
  LINT_SORT_KEYS,
  namesByKind,
  slashed,
  sortedReport,
  titleOfReport,
  worstOfReport,
} from './report.ts';

describe('sortedReport', () => {
  const report = aLintReport([
    aFinding({ severity: 'error', code: 'DRV9', objects: ['Node b'] }),
    aFinding({ severity: 'warning', code: 'DRV2', objects: ['VirtualMachine a/a'] }),
    aFinding({ severity: 'warning', code: 'DRV2', objects: ['Node a', 'Node z'] }),
    aFinding({ severity: 'info', code: 'DRV1', objects: [] }),
  ]);
  it.each([
    ['severity', ['DRV9 Node b', 'DRV2 VirtualMachine a/a', 'DRV2 Node a', 'DRV1 ']],
    ['code', ['DRV1 ', 'DRV2 VirtualMachine a/a', 'DRV2 Node a', 'DRV9 Node b']],
    ['object', ['DRV1 ', 'DRV2 Node a', 'DRV9 Node b', 'DRV2 VirtualMachine a/a']],
  ] as const)('by %s, ties as they came', (by, order) => {
    const sorted = sortedReport(report, by);
    expect(sorted.status.findings.map(({ code, objects }) => `${code} ${objects[0] ?? ''}`)).toEqual(order);
    expect(sorted.status.counts).toBe(report.status.counts);
  });

  it('changes nothing of the report that it is given', () => {
    for (const by of LINT_SORT_KEYS) sortedReport(report, by);
    expect(report.status.findings[0]?.code).toBe('DRV9');
  });
});

describe('titleOfReport', () => {
  const only = (spec: Partial<LintReport['spec']>): string => {
    const report = aLintReport([]);
    return titleOfReport({ ...report, spec: { ...report.spec, ...spec } });
  };
  it.each([
    [{}, 'lint · KubeVirt 1.9 · 21 rules checked'],
    [{ rulesChecked: 1 }, 'lint · KubeVirt 1.9 · 1 rule checked'],
    [{ namespace: 'shop' }, 'lint · KubeVirt 1.9 · 21 rules checked · namespace shop, and the cluster'],
    [
      { namespace: 'shop', selector: parseSelector('a=b') },
      'lint · KubeVirt 1.9 · 21 rules checked · namespace shop, VMs with the labels asked for, and the cluster',
    ],
  ])('of %j', (spec, title) => {
    expect(only(spec)).toBe(title);
  });
});

it.each<[Severity[], Severity | undefined]>([
  [[], undefined],
  [['info'], 'info'],
  [['info', 'warning'], 'warning'],
  [['warning', 'error', 'info'], 'error'],
])('the worst of %j is %s, in any order', (severities, worst) => {
  expect(worstOfReport(aLintReport(severities.map((severity) => aFinding({ severity }))))).toBe(worst);
});

it('namesByKind keeps the order of kinds and of names', () => {
  expect([...namesByKind(['VM b/b', 'Node n', 'VM a/a'])]).toEqual([
    ['VM', ['b/b', 'a/a']],
    ['Node', ['n']],
  ]);
});

it.each([
  ['VirtualMachine shop/db', 'virtualmachine/shop/db'],
  ['Node n1', 'node/n1'],
  ['KubeVirt', 'KubeVirt'],
])('%s is pasted as %s', (ref, name) => {
  expect(slashed(ref)).toBe(name);
});

import { describe, expect, it } from 'vitest';
import { aFinding, aLintReport } from '../builders.ts';
import { lintHtmlView } from './html.ts';

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `VirtualMachineInstance shop/db-${i}`);

const three = aLintReport(
  [
    aFinding({ objects: ['Node n1', ...names(14)] }),
    aFinding({ objects: names(2), cause: 'Others refuse too.' }),
    aFinding({
      ...{ code: 'DRV016', name: 'RestartsUnannounced', severity: 'info', objects: names(1) },
      cure: 'Set `evictionStrategy` (`kubectl patch vm db-0 -p \'{"a":1}\'`), or wait.',
      evidence: [{ object: 'Node n1', path: 'spec.unschedulable', value: undefined }],
    }),
  ],
  { notChecked: [{ code: 'DRV021', name: 'QuotaLeavesNoRoom', needs: ['ResourceQuota', 'Pod'] }] },
);

describe('the page of a lint report', () => {
  it('looks like the golden one', async () => {
    await expect(lintHtmlView(three)).toMatchFileSnapshot('../golden/lint.html');
  });

  it.each([
    ['error', 'bad', '✗'],
    ['warning', 'look', '!'],
    ['info', 'good', '✓'],
  ] as const)('of a finding of severity %s looks %s', (severity, mood, mark) => {
    const page = lintHtmlView(aLintReport([aFinding({ severity })]));
    expect(page).toContain(`<header class="${mood}">`);
    expect(page).toContain(`>${mark}</span>`);
    expect(page).toContain(`<section class="finding ${severity}" id="DRV013">`);
  });

  it('draws the findings by severity, and the objects by trap, each object once', () => {
    const page = lintHtmlView(three);
    expect(page).toContain('aria-label="2 errors, 1 for information"');
    expect(page).toContain('<b>2</b><span>error <small>hurts now, or can never work</small>');
    expect(page).not.toContain('<span>warning ');
    expect(page).toMatch(/href="#DRV013">DRV013<\/a> DrainRefused<\/th>.*width:100.00%.*<td>15<\/td>/);
    expect(page).toMatch(/href="#DRV016">DRV016<\/a> RestartsUnannounced<\/th>.*width:6.67%.*<td>1<\/td>/);
  });

  it('leads to the first finding of a code only', () => {
    expect(lintHtmlView(three).match(/id="DRV013"/g)).toHaveLength(1);
  });

  it('has commands to copy, and words in code', () => {
    const page = lintHtmlView(three);
    expect(page).toContain('<pre><code>virtctl stop -n shop db-0</code></pre>');
    expect(page).toContain('<p>Set <code>evictionStrategy</code>:</p>');
    expect(page).toContain('<p>or wait.</p>');
    expect(page).toContain('user-select: all');
  });

  it('names twelve objects of a kind, and folds the others away', () => {
    const page = lintHtmlView(three);
    expect(page).toContain('<dt>15 objects</dt>');
    expect(page).toMatch(/shop\/db-11<\/code> <\/p><details><summary>2 more<\/summary><p><code>shop\/db-12</);
    expect(lintHtmlView(aLintReport([aFinding({ objects: names(12) })]))).not.toContain('more</summary>');
  });

  it('tells what was read, and what was not checked', () => {
    const page = lintHtmlView(three);
    expect(page).toContain('<summary>1 field that decided</summary>');
    expect(page).toContain('<code>spec.unschedulable</code> (absent)');
    expect(page).toContain('<li>DRV021 QuotaLeavesNoRoom: needs ResourceQuota, Pod</li>');
  });

  it('without findings is the answer alone', () => {
    const page = lintHtmlView(aLintReport([], { summary: 'No traps found.' }));
    expect(page).toContain('<title>No traps found.</title>');
    expect(page).not.toMatch(/<section|<svg/);
  });

  it('without objects has no list of them', () => {
    expect(lintHtmlView(aLintReport([aFinding({ objects: [] })]))).not.toContain('objects</dt>');
  });

  it('loads nothing and runs nothing', () => {
    expect(lintHtmlView(three)).not.toMatch(/src=|href="[^#]|url\(|@import|<script/);
  });

  it('lets nothing of the cluster become markup', () => {
    const evil = '<script>x</script> "\' & <b>';
    const words = { name: evil, title: evil, cause: evil, cure: `${evil}: \`echo ${evil}\`` };
    const finding = aFinding({ ...words, objects: [`Node ${evil}`, `${evil} n`] });
    const page = lintHtmlView(
      aLintReport([{ ...finding, evidence: [{ object: evil, path: evil, value: evil }] }], { summary: evil }),
    );
    expect(page).not.toMatch(/<script|<b>(?!\d)/);
  });
});

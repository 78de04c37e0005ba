import { describe, expect, it } from 'vitest';
import { aForecast, anExplanation } from '../builders.ts';
import type { Explanation } from './explanation.ts';
import { explainHtmlView } from './html.ts';

const page = explainHtmlView([anExplanation()]);

describe('the page of one VM', () => {
  it('looks like the golden one', async () => {
    await expect(page).toMatchFileSnapshot('../golden/explain.html');
  });

  it('answers with the worst that is foretold', () => {
    expect(page).toContain(
      '<title>shop/db-0 refuses eviction: strategy LiveMigrate, but it cannot migrate</title>',
    );
    expect(page).toContain(
      '<header class="bad">\n<p class="asked">explain shop/db-0 · on n1 · KubeVirt 1.9</p>',
    );
  });

  it('draws the way on each occasion, each step leading to its rules', () => {
    expect(page).toContain('<a href="#vm1-2">drain n1</a>');
    expect(page).toContain('<a href="#vm1-2-1">eviction webhook<small>NotLiveMigratable</small></a>');
    expect(page).toContain('<svg class="pill" role="img" aria-label="Blocks"');
    for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${anchor}"`);
  });

  it('opens the rule that decided, and no other', () => {
    expect(page).toMatch(
      /<details class="rule held" open><summary><span class="tick" role="img" aria-label="holds:">✓<\/span><span><code>NotLiveMigratable<\/code>/,
    );
    expect(page).toMatch(
      /<details class="rule not"><summary><span class="tick" role="img" aria-label="does not hold:">✗<\/span><span><code>NotALauncherPod<\/code>/,
    );
    expect(page).toContain('<b>This decides.</b> Rule from kubevirt v1.9.0 pkg/a.go:20');
    expect(page).toContain('<p>Rule from kubevirt v1.9.0 pkg/a.go:10</p>');
    expect(page).toContain('<code>metadata.labels[kubevirt.io]</code> virt-launcher');
  });

  it('says what to do, with commands to copy, and what would change the answer', () => {
    expect(page).toContain('<p>Shut it down first:</p><pre><code>virtctl stop db-0 -n shop</code></pre>');
    expect(page).toContain('<td>if spec.evictionStrategy of the VMI were None</td>');
    expect(page).toContain('<dt>An eviction gets</dt><dd><code>429</code> cannot migrate</dd>');
  });

  it('tells once what the forecasts say besides', () => {
    expect(page.match(/Taken as none: ResourceQuota/g)).toHaveLength(1);
    expect(page).toContain('<h2>Not in the input</h2><ul><li>Node: none in the input</li></ul>');
  });

  it.each([
    ['a batch', { batch: 2 }, '<dt>Eviction batch</dt><dd>2</dd>'],
    [
      'what decided, where the decisions were not kept',
      { evidence: [{ object: 'Node n1', path: 'spec.taints', value: undefined }] },
      '<h3>What decided</h3><dl><dt>Node n1</dt><dd><code>spec.taints</code> (absent)</dd></dl>',
    ],
  ])('shows %s', (_, verdict, text) => {
    const forecast = aForecast().with('a/b', 'Restarts', verdict).build();
    expect(explainHtmlView([{ vm: 'a/b', forecasts: [forecast] }])).toContain(text);
  });

  it('is the answer alone where nothing is foretold', () => {
    const empty = explainHtmlView([{ vm: 'a/b', forecasts: [] }]);
    expect(empty).toContain('<p class="asked">explain a/b</p>');
    expect(empty).toContain('<title>Nothing is foretold.</title>');
    expect(empty).not.toMatch(/<section|<svg/);
  });

  it('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/src=|href="[^#]|url\(|@import|<script/);
  });

  it('lets nothing of the cluster become markup', () => {
    const evil = '"><script>x</script> \' & <i>';
    const evidence = [{ object: evil, path: evil, value: evil }];
    const step = { rule: evil, asks: evil, source: evil, held: true, evidence };
    const verdict = {
      ...{ message: evil, reason: evil, node: evil, remedies: [evil], answer: { code: 429, message: evil } },
      alternatives: [{ change: evil, outcome: 'Cut' as const, reason: evil }],
      stages: [{ decision: evil, says: evil, reason: evil, trace: [step] }],
    };
    const forecast = aForecast()
      .asking({ action: 'drain', title: evil, parameters: { nodes: [evil], [evil]: evil } })
      .with(`a/${evil}`, 'Blocks', verdict)
      .saying({ notes: [evil], warnings: [evil], missing: [evil] })
      .build();
    const attacked: Explanation = { vm: `a/${evil}`, forecasts: [forecast] };
    for (const explanations of [[attacked], [attacked, attacked]]) {
      expect(explainHtmlView(explanations)).not.toMatch(/<script|<i>/);
    }
  });
});

describe('the page of several VMs', () => {
  const calm = aForecast().asking({ action: 'upgrade' }).with('a/b', 'LiveMigrates').build();
  const several = explainHtmlView([
    anExplanation(),
    { vm: 'a/b', forecasts: [calm] },
    { vm: 'a/c', forecasts: [] },
  ]);

  it('counts them by the worst that is foretold', () => {
    expect(several).toContain('<p class="asked">explain · 3 VMs</p>');
    expect(several).toContain('<title>At the worst: 1 Blocks, 1 LiveMigrates.</title>');
    expect(several).toContain('aria-label="1 Blocks, 1 LiveMigrates"');
  });

  it('leads to each that something is foretold about', () => {
    expect(several).toContain('<a href="#vm2">a/b</a> LiveMigrates');
    expect(several).toContain('<li>a/c</li>');
    for (const [, anchor] of several.matchAll(/href="#([^"]+)"/g))
      expect(several).toContain(` id="${anchor}"`);
    const ids = [...several.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is the answer alone where nothing is foretold', () => {
    const none = [
      { vm: 'a/b', forecasts: [] },
      { vm: 'a/c', forecasts: [] },
    ];
    expect(explainHtmlView(none)).not.toMatch(/<section|<svg/);
  });
});

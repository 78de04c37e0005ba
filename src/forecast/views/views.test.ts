import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES, type Outcome } from '../forecast.ts';
import { aForecast, theDrain } from './builders.ts';
import { explainView } from './explain/explain.ts';
import { htmlView } from './html.ts';
import { jsonView } from './json.ts';
import { markdownView } from './markdown.ts';
import { nameView } from './name.ts';
import { PLAIN } from './options.ts';
import { tableView } from './table.ts';
import { columnsOf } from './text.ts';
import { wideView } from './wide.ts';
import { yamlView } from './yaml.ts';

const options = { ...PLAIN, source: '-f cluster.yaml' };
const drain = theDrain().build();

/** Golden samples: `npx vitest -u` writes them anew; read the difference before committing it. */
describe('the drain of the readme', () => {
  it.each([
    ['table.txt', tableView(drain, options)],
    ['table-narrow.txt', tableView(drain, { ...options, width: 60 })],
    ['table-rows.txt', tableView(drain, { ...options, headers: false, sortBy: 'name' })],
    ['wide.txt', wideView(drain, options)],
    ['explain.txt', explainView(drain, 'shop/db-0', options)],
    ['name.txt', nameView(drain, options)],
    ['forecast.json', jsonView(drain)],
    ['forecast.yaml', yamlView(drain)],
    ['comment.md', markdownView(drain, options)],
    ['page.html', htmlView(drain, options)],
  ])('%s', async (file, text) => {
    await expect(text).toMatchFileSnapshot(`golden/${file}`);
  });
});

describe('table', () => {
  it('fits its width and cuts nothing', () => {
    for (const width of [60, 80, 100, 140]) {
      const lines = tableView(drain, { ...options, width }).split('\n');
      for (const line of lines.filter((l) => !l.includes('drover '))) {
        expect(columnsOf(line), line).toBeLessThanOrEqual(width);
      }
    }
  });

  it('shows every row of a list of 30 and every interrupted VM of a longer one', () => {
    const all = aForecast().many(30, 'a/vm', 'LiveMigrates').build();
    expect(tableView(all, options)).toContain('a/vm-29');
    const long = aForecast().many(40, 'a/off', 'StaysOff').many(40, 'a/stay', 'Untouched').build();
    const text = tableView(long, options);
    expect(text).toContain('a/off-39');
    expect(text).not.toContain('a/stay-3 ');
    expect(text).toContain('… 37 more Untouched (-o wide lists them all)');
  });

  it.each([
    ['Blocks', '✗'],
    ['MayStayOff', '✗'],
    ['Unknown', '!'],
    ['Restarts', '!'],
    ['Deferred', '!'],
    ['LiveMigrates', '✓'],
    ['Untouched', '✓'],
  ] as const)('%s is marked %s', (outcome, mark) => {
    expect(tableView(aForecast().with('a/b', outcome).build(), options)).toContain(`${mark} The drain`);
  });

  it('keeps bars in proportion where they would not fit, and never hides one VM', () => {
    const text = tableView(aForecast().many(400, 'a/m', 'LiveMigrates').with('a/x', 'Cut').build(), options);
    expect(text).toContain(`LiveMigrates  400  ${'▇'.repeat(40)}\n`);
    expect(text).toContain('Cut             1  ▇\n');
  });

  it('has no pointers and no table where nothing is affected', () => {
    expect(tableView(aForecast().saying({ summary: 'No VM is affected.' }).build(), options)).toBe(
      'drain n1 · kubectl, timeout 5m · KubeVirt v1.9.0\n✓ No VM is affected.\n',
    );
  });

  it('colours only on request', () => {
    expect(tableView(drain, options)).not.toContain('\u001b');
    expect(tableView(drain, { ...options, colour: true })).toContain('\u001b[31mBlocks\u001b[0m');
  });

  it('sums up a remedy that helps many', () => {
    const many = aForecast()
      .many(9, 'a/vm', 'Restarts', { remedies: ['do it'] })
      .build();
    expect(tableView(many, options)).toContain(
      '  a/vm-0, and in the same way a/vm-1, a/vm-2, a/vm-3 and 5 more:\n    - do it\n',
    );
  });
});

describe('a change of the configuration', () => {
  const later = (before: Outcome, after: Outcome) => ({
    later: [
      { when: 'next drain', before, after, message: 'It would be evicted.' },
      { when: 'next upgrade', before: 'Untouched', after: 'Untouched', message: 'Nothing differs.' },
    ] as const,
  });
  const change = aForecast()
    .asking({ action: 'config', title: 'change the KubeVirt configuration · 3 VMs' })
    .with('a/one', 'Untouched', later('Blocks', 'Restarts'))
    .with('a/two', 'Untouched', later('Blocks', 'Restarts'))
    .with('b/three', 'Untouched', later('Blocks', 'LiveMigrates'))
    .with('b/four', 'Untouched', later('Blocks', 'Blocks'))
    .build();

  it('sums up what differs later, the worst first', () => {
    const text = tableView(change, options);
    expect(text).toContain(
      [
        'What differs later',
        '  WHEN        WITHOUT THE CHANGE  WITH IT       VMS  WHICH',
        '  next drain  Blocks              Restarts      2    a/one, a/two',
        '  next drain  Blocks              LiveMigrates  1    b/three',
        '',
      ].join('\n'),
    );
    expect(text).toContain('! The drain finishes.');
  });

  it('is told in every view', () => {
    expect(wideView(change, options)).toContain('next drain: Restarts');
    expect(markdownView(change, options)).toContain('| next drain | Blocks | Restarts | 2 | a/one, a/two |');
    expect(htmlView(change, options)).toContain('<h2>What differs later</h2>');
    expect(explainView(change, 'a/one', options)).toContain('  - next drain: Blocks → Restarts. It would');
    expect(explainView(change, 'b/four', options)).toContain('  - next drain: Blocks. It would');
  });
});

it('times are shown in a comment and on a page, too', () => {
  const moved = { start: { p50: 2, p90: 2 }, end: { p50: 45, p90: 50 }, downtimeSeconds: { p50: 0, p90: 0 } };
  const timed = aForecast().with('a/b', 'LiveMigrates', moved).with('a/c', 'Blocks').build();
  const comment = markdownView(timed, options);
  expect(comment).toContain(
    '| VM | Outcome | Reason | Start | End | Down | Why |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
  expect(comment).toContain('| `a/b` | LiveMigrates | `LiveMigratesReason` | 2s | 45s–50s | 0s | ');
  expect(comment).toContain('`BlocksReason` | - | - | - | ');
  const page = htmlView(timed, options);
  expect(page).toContain(
    '<th scope="col">START</th><th scope="col">END</th><th scope="col">DOWN</th><th scope="col">WHY</th>',
  );
  expect(page).toContain('<td>2s</td><td>45s–50s</td><td>0s</td>');
  expect(markdownView(drain, options)).toContain('| VM | Outcome | Reason | Why |');
});

it('the answer of an eviction is shown', () => {
  const refused = aForecast()
    .with('a/b', 'Blocks', { answer: { code: 429, message: 'cannot migrate' } })
    .build();
  expect(explainView(refused, 'a/b', options)).toContain('An eviction is answered 429: cannot migrate\n');
  expect(wideView(refused, options)).toMatch(/ANSWER.*\n.* 429 /);
  expect(htmlView(refused, options)).toContain('<code>429</code> cannot migrate');
});

describe('explain', () => {
  it('gives the title alone for a VM that is not there', () => {
    expect(explainView(drain, 'shop/none', options)).toBe(
      '── drain n1 · kubectl, timeout 5m · KubeVirt v1.9.0 · 41 VMs on the node\n',
    );
  });

  it('shows the evidence where the trace was not kept, absent fields too', () => {
    const evidence = [{ object: 'Node n1', path: 'spec.unschedulable', value: undefined }];
    const text = explainView(
      aForecast().with('a/b', 'Deferred', { evidence, batch: 2 }).build(),
      'a/b',
      options,
    );
    expect(text).toContain('! a/b on n1: Deferred (DeferredReason, eviction batch 2)');
    expect(text).toContain('What decided\n       Node n1\n         spec.unschedulable  (absent)');
  });
});

describe('texts of others', () => {
  const evil = aForecast()
    .with('a/b', 'Blocks', {
      message: '<script>alert(1)</script> "x" \u001b[2J @team see #12 http://x.y [a](b) `c` a|b **d**',
      remedies: ["'><img src=x>"],
      node: '"><i>',
    })
    .build();

  it('are no markup in HTML', () => {
    const page = htmlView(evil, options);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;x&quot; \\u{1b}[2J');
    expect(page).not.toMatch(/<script|<img|<i>/);
  });

  it('are no markup, mention or link in Markdown', () => {
    const row = markdownView(evil, options)
      .split('\n')
      .find((line) => line.startsWith('| `a/b`'));
    expect(row).toBe(
      '| `a/b` | **Blocks** | `BlocksReason` | &lt;script>alert(1)&lt;/script> "x" \\\\u{1b}\\[2J ' +
        '@&#8203;team see #&#8203;12 http&#8203;://x.y \\[a\\](b) \\`c\\` a\\|b \\*\\*d\\*\\* |',
    );
  });

  it('never steer the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const forecast = aForecast()
          .with('a/b', 'Blocks', { message: text, node: text, reason: text })
          .build();
        for (const view of [tableView, wideView, nameView]) {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be gone.
          expect(view(forecast, options)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
        }
      }),
    );
  });
});

describe('HTML', () => {
  it('knows every outcome by colour and by meaning', () => {
    const all = aForecast();
    for (const outcome of OUTCOMES) all.with(`a/${outcome.toLowerCase()}`, outcome);
    const page = htmlView(all.build(), options);
    for (const outcome of OUTCOMES) expect(page.match(new RegExp(`--${outcome}: #`, 'g'))).toHaveLength(2);
  });

  it('folds a long group of VMs that only migrate', () => {
    expect(htmlView(drain, options)).toContain('<summary>Show all 34</summary>');
  });

  it('loads nothing and runs nothing', () => {
    expect(htmlView(drain, options)).not.toMatch(/src=|href=|url\(|@import|<script/);
  });
});

it('Markdown lists at most 150 VMs and counts the rest', () => {
  const text = markdownView(aForecast().many(152, 'a/vm', 'Restarts').build(), options);
  expect(text.match(/^\| `a\/vm/gm)).toHaveLength(150);
  expect(text).toContain('… and 2 VMs more.');
});

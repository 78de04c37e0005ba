import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForecast, anExplanation } from '../builders.ts';
import { explainMarkdownView } from './markdown.ts';

describe('an explanation as a comment', () => {
  it('looks like the golden one', async () => {
    await expect(explainMarkdownView([anExplanation()])).toMatchFileSnapshot('../golden/explain.md');
  });

  it('tells what holds on all occasions once, and of other things on which they hold', () => {
    const text = explainMarkdownView([anExplanation()]);
    expect(text).toContain('- drain n1, eviction: if spec.evictionStrategy of the VMI were None: Restarts');
    expect(text).toContain('- drain n1: Shut it down first: `virtctl stop db-0 -n shop`');
    const { forecasts } = anExplanation();
    const alike = explainMarkdownView([{ vm: 'shop/db-0', forecasts: forecasts.slice(1, 2) }]);
    expect(alike).toContain('\n- Shut it down first: `virtctl stop db-0 -n shop`\n');
  });

  it('names the VM alone where nothing is foretold', () => {
    expect(explainMarkdownView([{ vm: 'a/b', forecasts: [] }])).toBe('### ✅ a/b\n');
  });

  it('tells what decided where the decisions were not kept', () => {
    const evidence = [
      { object: 'Node n1', path: 'spec.taints', value: undefined },
      { object: 'Pod', path: '', value: 1 },
    ];
    const forecast = aForecast().asking({ action: 'evict' }).with('a/b', 'Deferred', { evidence }).build();
    expect(explainMarkdownView([{ vm: 'a/b', forecasts: [forecast] }])).toContain(
      '**eviction: what decided**\n\n- Node n1 `spec.taints` = `(absent)`\n- Pod = `1`\n',
    );
  });

  it('tells five VMs and counts the rest', () => {
    const many = Array.from({ length: 7 }, (_, i) => anExplanation(`a/vm-${i}`));
    const text = explainMarkdownView(many);
    expect(text.match(/^### /gm)).toHaveLength(5);
    expect(text).toContain('\n… and 2 VMs more.\n');
    expect(text.length).toBeLessThan(65_000);
    expect(explainMarkdownView(many.slice(0, 5))).not.toContain('more.');
  });

  it('lets nothing of the cluster become markup', () => {
    const text = fc.constantFrom('<b>', '@team', '#12', '[a](b)', '`', '|', '\n', 'https://x.example', '*');
    fc.assert(
      fc.property(text, text, (a, b) => {
        const message = `${a} x ${b}`;
        const evidence = [{ object: message, path: message, value: message }];
        const step = { rule: message, asks: message, source: message, held: true, evidence };
        const verdict = {
          message,
          reason: message,
          remedies: [message],
          answer: { code: 429, message },
          alternatives: [{ change: message, outcome: 'Cut' as const, reason: message }],
          stages: [{ decision: message, says: message, reason: message, trace: [step] }],
        };
        const forecast = aForecast().with('a/b', 'Blocks', verdict).build();
        const written = explainMarkdownView([{ vm: 'a/b', forecasts: [forecast] }]);
        const outsideCode = written
          .replace(/\\./g, '')
          .replace(/`[^`\n]*`/g, '')
          .replace(/<\/?(details|summary)>/g, '');
        expect(outsideCode.replace(/^\|.*\|$/gm, '')).not.toMatch(/<b>|@team|#12|[[`|]|https:/);
      }),
    );
  });
});

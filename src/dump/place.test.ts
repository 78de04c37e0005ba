import { describe, expect, it } from 'vitest';
import { describePlace, shown } from './place.ts';

describe('places and shown text', () => {
  it.each([
    [{}, ''],
    [{ line: 3 }, 'line 3'],
    [{ line: 3, column: 4, document: 1, item: 5, object: 'Node n' }, 'line 3, column 4, item 5 (Node n)'],
    [{ document: 2, item: 5, list: 'pods' }, 'document 2, pods item 5'],
    [{ object: 'Node n' }, 'Node n'],
  ])('%j reads %j', (place, text) => {
    expect(describePlace(place)).toBe(text);
  });

  it.each([
    ['plain ä 漢', 'plain ä 漢'],
    ['a\nb\u0000\u001b[0m\u202e\u2028\u0085', 'a\ufffdb\ufffd\ufffd[0m\ufffd\ufffd\ufffd'],
    ['x'.repeat(31), `${'x'.repeat(30)}…`],
    ['x'.repeat(30), 'x'.repeat(30)],
  ])('%j is shown as %j', (text, harmless) => {
    expect(shown(text, 30)).toBe(harmless);
  });
});

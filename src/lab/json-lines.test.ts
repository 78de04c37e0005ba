import { describe, expect, it } from 'vitest';
import { jsonLines } from './json-lines.ts';

describe('the audit log', () => {
  it('can be read while the API server is in the middle of a line', () => {
    expect(jsonLines('{"a":1}\n{"a":2}\n{"a":"thr')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it.each(['', '{"a":1', '\n'])('has no lines in %j', (text) => expect(jsonLines(text)).toEqual([]));

  it('tells of a whole line that is not JSON', () => {
    expect(() => jsonLines('{"a":1}\nnonsense\n')).toThrow(SyntaxError);
  });
});

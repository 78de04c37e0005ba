import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asSent } from './as-sent.ts';

describe('an object on its way to the API server', () => {
  it('loses what is undefined, at every depth, and nothing else', () => {
    const object = { a: undefined, b: null, c: [{ d: undefined, e: 0 }], f: { g: undefined }, h: '' };
    expect(asSent(object)).toStrictEqual({ b: null, c: [{ e: 0 }], f: {}, h: '' });
    expect(Object.keys(object)).toContain('a');
  });

  it('is what JSON makes of it', () => {
    const json = fc.jsonValue().filter((value) => typeof value === 'object' && value !== null);
    const made = fc.tuple(json, fc.jsonValue()).map(([part, other]) => ({ part, other, none: undefined }));
    fc.assert(
      fc.property(made, (object) => {
        expect(JSON.stringify(asSent(object))).toBe(JSON.stringify(object));
        expect(asSent(object)).not.toHaveProperty('none');
      }),
    );
  });

  it('shares the parts that lack nothing', () => {
    const whole = { labels: { a: 'b' }, list: [1, { c: 'd' }] };
    expect(asSent(whole)).toBe(whole);
    const sent = asSent({ whole, list: [whole, { gone: undefined }] });
    expect(sent.whole).toBe(whole);
    expect((sent.list as object[])[0]).toBe(whole);
  });
});

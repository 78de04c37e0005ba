import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pool } from './pool.ts';

describe('a pool', () => {
  it('gives what equals its argument', () => {
    const pool = new Pool();
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        expect(pool.share(structuredClone(value))).toEqual(value);
        expect(pool.text(text)).toBe(text);
      }),
    );
  });

  it('gives equal objects once, frozen to the bottom', () => {
    const pool = new Pool();
    const shared = pool.share({ a: [{ b: 1 }] });
    expect(pool.share({ a: [{ b: 1 }] })).toBe(shared);
    expect(pool.share([{ b: 1 }])).toBe(shared.a);
    expect([shared, shared.a, shared.a[0]].every(Object.isFrozen)).toBe(true);
  });

  it('shares the parts of what is too big to keep', () => {
    const pool = new Pool();
    const big = () => ({ part: { c: 1 }, list: Array.from({ length: 1000 }, (_, i) => i) });
    const [a, b] = [pool.share(big()), pool.share(big())];
    expect(a).not.toBe(b);
    expect(a.part).toBe(b.part);
  });
});

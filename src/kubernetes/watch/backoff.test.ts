import { describe, expect, it } from 'vitest';
import { Backoff } from './backoff.ts';

const OPTIONS = { firstSeconds: 1, mostSeconds: 8 };
const tries = (drawn: number, count: number): readonly number[] => {
  const backoff = new Backoff(OPTIONS, { next: () => drawn });
  return Array.from({ length: count }, () => backoff.nextSeconds());
};

describe('the wait before the next try', () => {
  it('doubles up to the most, between half and the whole', () => {
    expect(tries(0, 6)).toEqual([0.5, 1, 2, 4, 4, 4]);
    expect(tries(1, 6)).toEqual([1, 2, 4, 8, 8, 8]);
  });

  it('begins anew after a success', () => {
    const backoff = new Backoff(OPTIONS, { next: () => 1 });
    backoff.nextSeconds();
    backoff.nextSeconds();
    backoff.reset();
    expect(backoff.nextSeconds()).toBe(1);
  });

  it('is as long as the server asks, and drawn a little longer', () => {
    const backoff = (drawn: number) => new Backoff(OPTIONS, { next: () => drawn });
    expect(backoff(0).nextSeconds(30)).toBe(30);
    expect(backoff(1).nextSeconds(30)).toBe(31);
    expect(backoff(1).nextSeconds(0)).toBe(1);
  });

  it('stays longer than what the server asks when it has failed often', () => {
    const backoff = new Backoff(OPTIONS, { next: () => 1 });
    for (let i = 0; i < 4; i++) backoff.nextSeconds();
    expect(backoff.nextSeconds(2)).toBe(8);
  });
});

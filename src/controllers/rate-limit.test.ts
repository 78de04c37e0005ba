import { describe, expect, it } from 'vitest';
import { defaultRateLimiter, doubling, KeyBackoff, longestOf, TokenBucket } from './rate-limit.ts';

describe('KeyBackoff', () => {
  it('doubles for each key by itself, up to the most', () => {
    const backoff = new KeyBackoff(doubling(5, 300));
    const delays = Array.from({ length: 8 }, () => backoff.delaySeconds('a'));
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    expect(backoff.delaySeconds('b')).toBe(5);
  });

  it('begins anew with a key that succeeded', () => {
    const backoff = new KeyBackoff(doubling(5, 300));
    backoff.delaySeconds('a');
    backoff.delaySeconds('a');
    backoff.forget('a');
    expect(backoff.delaySeconds('a')).toBe(5);
  });
});

describe('TokenBucket', () => {
  it('gives one token every five seconds, and lets those queue up who come sooner', () => {
    const bucket = new TokenBucket(5, 1);
    expect([0, 0, 1000].map((now) => bucket.delaySeconds('a', now))).toEqual([0, 5, 9]);
  });

  it('saves as many as the burst, and no more', () => {
    const bucket = new TokenBucket(0.1, 3);
    const at = (now: number) => bucket.delaySeconds('a', now);
    expect([at(0), at(0), at(0), at(0)]).toEqual([0, 0, 0, 0.1]);
    expect([at(60_000), at(60_000), at(60_000), at(60_000)]).toEqual([0, 0, 0, 0.1]);
  });

  it('gives tokens back at its own pace', () => {
    const bucket = new TokenBucket(5, 2);
    expect([0, 0, 5000, 5000].map((now) => bucket.delaySeconds('a', now))).toEqual([0, 0, 0, 5]);
  });
});

it('longestOf: the longest wait counts, and all limiters count along', () => {
  const limiter = longestOf(new KeyBackoff(doubling(1, 100)), new TokenBucket(5, 1));
  expect([0, 0, 0].map((now) => limiter.delaySeconds('a', now))).toEqual([1, 5, 10]);
  limiter.forget('a');
  expect(limiter.delaySeconds('a', 60_000)).toBe(1);
});

it("defaultRateLimiter: client-go's numbers", () => {
  const limiter = defaultRateLimiter();
  const delays = Array.from({ length: 20 }, () => limiter.delaySeconds('a', 0));
  expect(delays.slice(0, 3)).toEqual([0.005, 0.01, 0.02]);
  expect(delays.at(-1)).toBe(1000);
  const others = Array.from({ length: 100 }, (_, index) => limiter.delaySeconds(`k${index}`, 0));
  expect(others[79]).toBe(0.005);
  expect(others.at(-1)).toBeCloseTo(2);
});

import { expect, it } from 'vitest';
import { type Hold, holdAfter, isHeld, isNews } from './hold.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const refusal = { reason: 'EvictionRefused', message: 'no' };

it('lasts longer with each refusal in a row', () => {
  const seconds: number[] = [];
  let hold: Hold | undefined;
  for (let i = 0; i < 8; i++) {
    hold = holdAfter(hold, refusal, NOW);
    seconds.push((hold.until - NOW) / 1000);
  }
  expect(seconds).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  expect(hold).toEqual({ ...refusal, failures: 8, until: NOW + 300_000 });
});

it('goes on for another cause', () => {
  const hold = holdAfter(holdAfter(undefined, refusal, NOW), { reason: 'NoNodeFits', message: 'n1' }, NOW);
  expect(hold).toEqual({ reason: 'NoNodeFits', message: 'n1', failures: 2, until: NOW + 10_000 });
});

it('holds until it ends', () => {
  const hold = holdAfter(undefined, refusal, NOW);
  expect([0, 4999, 5000].map((ms) => isHeld(hold, NOW + ms))).toEqual([true, true, false]);
  expect(isHeld(undefined, NOW)).toBe(false);
});

it('is news the first time, and with another reason or message', () => {
  const hold = holdAfter(undefined, refusal, NOW);
  expect(isNews(undefined, refusal)).toBe(true);
  expect(isNews(hold, refusal)).toBe(false);
  expect(isNews(hold, { ...refusal, message: 'yes' })).toBe(true);
  expect(isNews(hold, { ...refusal, reason: 'PodGone' })).toBe(true);
});

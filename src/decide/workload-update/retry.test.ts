import { expect, it } from 'vitest';
import { RETRY_BUCKET_SECONDS, retryDelaySeconds, THROTTLE_SECONDS } from './retry.ts';

it.each([
  [1, 5],
  [2, 10],
  [3, 20],
  [6, 160],
  [7, 300],
  [100, 300],
])('after %s failures in a row the next try is %s seconds away', (failures, seconds) => {
  expect(retryDelaySeconds(failures)).toBe(seconds);
});

it('events and retries of all keys are five seconds apart', () => {
  expect([THROTTLE_SECONDS, RETRY_BUCKET_SECONDS]).toEqual([5, 5]);
});

import { expect, it } from 'vitest';
import { resolveSettings } from '../../decide/settings.ts';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import { aVmResult } from '../builders.ts';
import { bottleneckOf } from './bottleneck.ts';

const settings = resolveSettings(aKubeVirt().build());
const moved = (startSeconds: number, endSeconds: number) =>
  aVmResult({ moves: [{ from: 'n1', to: 'n2', startSeconds, endSeconds }] });

it.each([
  ['the only move of a drain takes all of its time', 2, 45, 45],
  ['one that was under way before takes what is left of it', 0, 11, 11],
  ['one that comes later takes its own time', 60, 70, 12],
])('%s, and no more', (_, start, end, seconds) => {
  const message = expect.stringContaining('the longest move: at least');
  const told = { reason: 'LongestMove', seconds, message };
  expect(bottleneckOf([moved(start, end)], settings, false)).toEqual(told);
});

it('nothing holds up a course without moves', () => {
  expect(bottleneckOf([aVmResult()], settings, false)).toBeUndefined();
});

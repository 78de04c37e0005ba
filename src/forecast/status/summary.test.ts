import { describe, expect, it } from 'vitest';
import type { State } from './report.ts';
import { durationWords, summaryOf } from './summary.ts';

const NONE: Record<State, number> = { Stuck: 0, Moving: 0, Waiting: 0, Done: 0 };
const open = { open: true, reason: 'GateOpen' };

describe('the summary', () => {
  const say = (counts: Partial<Record<State, number>>, secondsLeft?: number, gate = open) =>
    summaryOf({
      counts: { ...NONE, ...counts },
      gate,
      secondsLeft,
      endsAt: secondsLeft === undefined ? undefined : 'T',
    });

  it.each([
    [say({}), 'There is no running VM.'],
    [say({ Done: 1 }), 'The one VM is up to date.'],
    [say({ Done: 7 }), 'All 7 VMs are up to date.'],
    [
      say({ Done: 1, Moving: 1, Waiting: 1, Stuck: 1 }, 60),
      '1 of 4 VMs is up to date; 1 moves now, 1 waits, 1 stays until something changes. About 60 s left, until T.',
    ],
    [
      say({ Done: 2, Moving: 2, Waiting: 2, Stuck: 2 }),
      '2 of 8 VMs are up to date; 2 move now, 2 wait, 2 stay until something changes. Too few migrations have ended of late to tell how long it takes.',
    ],
    [say({ Stuck: 1 }), '0 of 1 VM are up to date; 1 stays until something changes.'],
    [
      say({ Waiting: 3 }, 60, { open: false, reason: 'GateNotDeployed' }),
      '0 of 3 VMs are up to date; 3 wait. The updater may not act now (GateNotDeployed).',
    ],
  ])('%s', (said, expected) => {
    expect(said).toBe(expected);
  });
});

it.each([
  [0, '0 s'],
  [89, '89 s'],
  [90, '2 min'],
  [3_569, '59 min'],
  [3_600, '1 h'],
  [4_800, '1 h 20 min'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});

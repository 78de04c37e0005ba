import { expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { RECORDED_TIMES } from '../../simulation/actors/node/options.ts';
import { type GuestBehavior, RECORDED_BEHAVIOR } from '../../simulation/guests/behavior.ts';
import { hastenedClock, hastenedGuests, hastenedNodes, hastenedRollOut } from './haste.ts';

const vmi = aVmi('db', 'shop').build();
const hastened = (behavior: Partial<GuestBehavior>, speed: number) =>
  hastenedGuests(() => ({ ...RECORDED_BEHAVIOR, ...behavior }), speed)(vmi);

it('nodes take a part of their time, but their heartbeats', () => {
  expect(hastenedNodes(10)).toEqual({
    podStartSeconds: 0.1,
    podStopSeconds: 0.05,
    podExitSeconds: 0.0045,
    targetPrepareSeconds: 0.05,
    copyStartSeconds: 0.05,
    domainSeenSeconds: 0.05,
    volumeStepSeconds: 0.05,
    pollSeconds: 0.02,
    heartbeatSeconds: 60,
  });
  expect(hastenedNodes(1)).toEqual(RECORDED_TIMES);
});

it('so do roll-outs', () => {
  const times = { beginSeconds: 1, handlerSeconds: 10, controllerSeconds: 15, apiSeconds: 20 };
  expect(hastenedRollOut(times, 5)).toEqual({
    beginSeconds: 0.2,
    handlerSeconds: 2,
    controllerSeconds: 3,
    apiSeconds: 4,
  });
});

it.each<[string, Partial<GuestBehavior>, Partial<GuestBehavior>]>([
  ['boot', { bootSeconds: 20 }, { bootSeconds: 2 }],
  [
    'end',
    { shutdown: { kind: 'crashes', seconds: 5, ignoredRequests: 1 } },
    { shutdown: { kind: 'crashes', seconds: 0.5, ignoredRequests: 1 } },
  ],
  [
    'fail',
    { migration: { kind: 'fails', seconds: 30, reason: 'x' } },
    { migration: { kind: 'fails', seconds: 3, reason: 'x' } },
  ],
  [
    'end of their own accord',
    { ownEnd: { kind: 'crashes', seconds: 100 } },
    { ownEnd: { kind: 'crashes', seconds: 10 } },
  ],
  [
    'are copied',
    { migration: { kind: 'copies', memoryMB: 1000, hotSetMB: 100, hotSetSeconds: 10, coldDirtyMBps: 3 } },
    { migration: { kind: 'copies', memoryMB: 100, hotSetMB: 10, hotSetSeconds: 1, coldDirtyMBps: 3 } },
  ],
])('guests %s in a tenth of the time', (_, behavior, wanted) =>
  expect(hastened(behavior, 10)).toMatchObject(wanted),
);

it('time goes faster from when the clock is made', () => {
  let now = 1_000_000;
  const waits: number[] = [];
  const after = (seconds: number) => {
    waits.push(seconds);
    return () => {};
  };
  const clock = hastenedClock({ now: () => now, after }, 10);
  expect(clock.now()).toBe(1_000_000);
  now += 3_000;
  expect(clock.now()).toBe(1_030_000);
  clock.after(60, () => {});
  expect(waits).toEqual([6]);
});

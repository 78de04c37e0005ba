import { expect, it } from 'vitest';
import { WaitingRoom } from './waiting-room.ts';

it('backs off from 1 to 10 seconds, each pod by itself', () => {
  const room = new WaitingRoom();
  const waits = [0, 0, 0, 0, 0, 0].map(() => {
    room.enter('shop/a', new Set(), 1000);
    return room.secondsLeft('shop/a', 1000);
  });
  expect(waits).toEqual([1, 2, 4, 8, 10, 10]);
  expect(room.secondsLeft('shop/a', 4000)).toBe(7);
  expect(room.secondsLeft('shop/a', 99_000)).toBe(0);
  expect(room.secondsLeft('shop/b', 0)).toBe(0);
});

it('forgets who leaves', () => {
  const room = new WaitingRoom();
  room.enter('shop/a', new Set(['TooManyPods']), 0);
  room.leave('shop/a');
  expect([...room.all()]).toEqual([]);
  room.enter('shop/a', new Set(), 0);
  expect(room.secondsLeft('shop/a', 0)).toBe(1);
});

it.each([
  ['TooManyPods', true, false],
  ['InsufficientResources', true, false],
  ['TopologySpread', true, true],
  ['PodAntiAffinity', true, false],
  ['ExistingPodsAntiAffinity', true, false],
  ['PodAffinity', false, true],
  ['NodeSelectorMismatch', false, false],
  ['NodeUnschedulable', false, false],
])('a pod kept off by %s waits for others to leave: %s, to come: %s', (filter, leave, come) => {
  const room = new WaitingRoom();
  room.enter('shop/a', new Set(['UntoleratedTaint', filter]), 0);
  expect([...room.forDepartures()]).toEqual(leave ? ['shop/a'] : []);
  expect([...room.forArrivals()]).toEqual(come ? ['shop/a'] : []);
  expect([...room.all()]).toEqual(['shop/a']);
});

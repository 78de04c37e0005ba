import { expect, it } from 'vitest';
import { WaitingRoom, waitsFor } from './waiting-room.ts';

const NOTHING = waitsFor(new Map(), true);

it('backs off from 1 to 10 seconds, each pod by itself', () => {
  const room = new WaitingRoom();
  const waits = [0, 0, 0, 0, 0, 0].map(() => {
    room.enter('shop/a', NOTHING, 1000);
    return room.secondsLeft('shop/a', 1000);
  });
  expect(waits).toEqual([1, 2, 4, 8, 10, 10]);
  expect(room.secondsLeft('shop/a', 4000)).toBe(7);
  expect(room.secondsLeft('shop/a', 10_999.5)).toBe(0);
  expect(room.secondsLeft('shop/b', 0)).toBe(0);
});

it('forgets who leaves', () => {
  const room = new WaitingRoom();
  room.enter('shop/a', NOTHING, 0);
  room.leave('shop/a');
  expect([...room.all()]).toEqual([]);
  room.enter('shop/a', NOTHING, 0);
  expect(room.secondsLeft('shop/a', 0)).toBe(1);
});

it.each([
  ['TooManyPods', true, ['n1'], false, false],
  ['InsufficientResources', true, ['n1'], false, false],
  ['PodAntiAffinity', true, ['n1'], false, false],
  ['PodAntiAffinity', false, [], true, false],
  ['ExistingPodsAntiAffinity', true, [], true, false],
  ['TopologySpread', true, [], true, true],
  ['PodAffinity', true, [], false, true],
  ['NodeSelectorMismatch', true, [], false, false],
  ['NodeUnschedulable', true, [], false, false],
])(
  'a pod kept off by %s (avoids by node: %s) waits for room on %j, any departure %s, any arrival %s',
  (filter, avoidsByNode, crowded, anyDeparture, anyArrival) => {
    const refusedBy = new Map([
      ['UntoleratedTaint', ['n2']],
      [filter, ['n1']],
    ]);
    const waits = waitsFor(refusedBy, avoidsByNode);
    expect(waits).toEqual({ crowded: new Set(crowded), anyDeparture, anyArrival });
    const room = new WaitingRoom();
    room.enter('shop/a', waits, 0);
    const wakes = (names: string[]) => names.length > 0;
    expect(wakes(room.forDeparture('n1'))).toBe(anyDeparture || crowded.length > 0);
    expect(wakes(room.forDeparture('n2'))).toBe(anyDeparture);
    expect(wakes(room.forArrival())).toBe(anyArrival);
  },
);

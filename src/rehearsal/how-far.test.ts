import { expect, it } from 'vitest';
import { howFar } from './how-far.ts';
import { newStory, type Story } from './story.ts';

const move = { from: 'n1', to: 'n2', startAt: 0 };
const outage = { downAt: 0, how: 'Succeeded' };

it.each<[string, Partial<Story>, number]>([
  ['nothing has happened to', {}, 0],
  ['moves', { moves: [move] }, 0],
  ['has moved', { moves: [{ ...move, endAt: 5 }] }, 1],
  ['could not move', { moves: [{ ...move, endAt: 5, failed: 'Aborted' }] }, 0],
  ['moves once more', { moves: [{ ...move, endAt: 5 }, move] }, 0],
  ['is down', { outages: [outage] }, 0],
  ['came back', { outages: [{ ...outage, upAt: 9 }] }, 1],
  ['went down after a move', { moves: [{ ...move, endAt: 5 }], outages: [outage] }, 0],
])('a VM that %s', (_, change, done) => {
  const stories = new Map([
    ['a', { ...newStory('a', 'n1'), ...change }],
    ['b', newStory('b', 'n1')],
  ]);
  expect(howFar({ stories }, 12)).toEqual({ seconds: 12, done, vms: 2 });
});

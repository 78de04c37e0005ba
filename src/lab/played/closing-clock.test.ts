import { expect, it } from 'vitest';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { closingClock } from './closing-clock.ts';

function begin() {
  const time = new VirtualClock();
  const clock = closingClock(time);
  const called: string[] = [];
  const call = (name: string, seconds: number) => clock.after(seconds, () => called.push(name));
  return { time, clock, called, call };
}

it('calls at their time, unless it is called off', async () => {
  const { time, clock, called, call } = begin();
  call('a', 1);
  call('b', 2)();
  call('c', 3);
  await time.advance(5);
  expect([called, clock.now()]).toEqual([['a', 'c'], 5000]);
});

it('calls nobody any more once it is closed, and has nothing left to wait for', async () => {
  const { time, clock, called, call } = begin();
  call('a', 1);
  await time.advance(2);
  call('b', 1800);
  clock.close();
  call('c', 1);
  expect(time.nextAt()).toBeUndefined();
  await time.advance(3600);
  expect(called).toEqual(['a']);
});

import { expect, it } from 'vitest';
import { VirtualClock } from '../../virtual-clock.ts';
import { Creations } from './creations.ts';

it('waits for pods that were asked for, migration by migration', () => {
  const creations = new Creations(new VirtualClock());
  expect(creations.areSeen('a')).toBe(true);
  creations.expect('a');
  creations.expect('a');
  creations.expect('b');
  expect(creations.unseen()).toBe(3);
  creations.observe('a');
  expect(creations.areSeen('a')).toBe(false);
  creations.observe('a');
  expect(creations.areSeen('a')).toBe(true);
  expect(creations.areSeen('b')).toBe(false);
  expect(creations.unseen()).toBe(1);
  creations.observe('never asked for');
  expect(creations.unseen()).toBe(1);
});

it('waits for five minutes at most, and not for what is gone', async () => {
  const clock = new VirtualClock();
  const creations = new Creations(clock);
  creations.expect('a');
  await clock.advance(301);
  expect(creations.areSeen('a')).toBe(true);
  creations.expect('b');
  creations.forget('b');
  expect(creations.areSeen('b')).toBe(true);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { aVmi } from '../kubevirt/builders.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { Holds } from './holds.ts';

const db = aVmi('db').build();
const web = aVmi('web').build();
const NO = { reason: 'EvictionRefused', message: 'no' };
const FULL = { reason: 'NoRoom', message: 'n1 is full' };

let clock: VirtualClock;
let holds: Holds;
beforeEach(() => {
  clock = new VirtualClock();
  holds = new Holds(clock);
});

describe('a hold', () => {
  it('is for one VMI and one action', () => {
    holds.refuse(db, 'evict', NO);
    expect([holds.isHeld(db, 'evict'), holds.isHeld(db, 'migrate'), holds.isHeld(web, 'evict')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(holds.isHeld(aVmi('db').meta({ uid: 'another' }).build(), 'evict')).toBe(false);
  });

  it('ends by itself, later after each refusal', async () => {
    holds.refuse(db, 'evict', NO);
    await clock.advance(5);
    expect(holds.isHeld(db, 'evict')).toBe(false);
    holds.refuse(db, 'evict', NO);
    await clock.advance(9.9);
    expect(holds.isHeld(db, 'evict')).toBe(true);
    await clock.advance(0.1);
    expect(holds.isHeld(db, 'evict')).toBe(false);
  });

  it('says until when', async () => {
    expect(holds.heldUntil(db, 'evict')).toBeUndefined();
    holds.refuse(db, 'evict', NO);
    expect(holds.heldUntil(db, 'evict')).toBe(5000);
    await clock.advance(5);
    expect(holds.heldUntil(db, 'evict')).toBeUndefined();
  });

  it('is news the first time, and for another reason', () => {
    expect(holds.refuse(db, 'evict', NO)).toBe(true);
    expect(holds.refuse(db, 'evict', NO)).toBe(false);
    expect(holds.refuse(db, 'evict', { ...NO, message: 'still no' })).toBe(true);
  });

  it('begins anew after a success', async () => {
    holds.refuse(db, 'evict', NO);
    holds.refuse(db, 'evict', NO);
    holds.succeed(db, 'evict');
    expect(holds.isHeld(db, 'evict')).toBe(false);
    expect(holds.refuse(db, 'evict', NO)).toBe(true);
    await clock.advance(5);
    expect(holds.isHeld(db, 'evict')).toBe(false);
  });

  it('of whatever kind is forgotten with its VMI', () => {
    for (const action of ['migrate', 'evict', 'abort'] as const) holds.refuse(db, action, NO);
    holds.forget(db);
    expect((['migrate', 'evict', 'abort'] as const).some((action) => holds.isHeld(db, action))).toBe(false);
  });
});

describe('lifting', () => {
  it('lets those try again who were refused for the reason, and tells nobody the same twice', () => {
    holds.refuse(db, 'migrate', FULL);
    holds.refuse(web, 'evict', NO);
    expect(holds.lift(new Set(['NoRoom']))).toBe(true);
    expect([holds.isHeld(db, 'migrate'), holds.isHeld(web, 'evict')]).toEqual([false, true]);
    expect(holds.refuse(db, 'migrate', FULL)).toBe(false);
  });

  it('begins to count anew', async () => {
    for (let i = 0; i < 6; i++) holds.refuse(db, 'migrate', FULL);
    holds.lift(new Set(['NoRoom']));
    holds.refuse(db, 'migrate', FULL);
    await clock.advance(5);
    expect(holds.isHeld(db, 'migrate')).toBe(false);
  });

  it('tells when there is nobody', () => {
    holds.refuse(web, 'evict', NO);
    expect(holds.lift(new Set(['NoRoom']))).toBe(false);
  });
});

describe('shortening', () => {
  const NO_ROOM = new Set(['NoRoom']);

  it('lets those try soon who are held for the reason, and hold as long again as if they had waited', async () => {
    for (let i = 0; i < 3; i++) holds.refuse(db, 'migrate', FULL);
    for (let i = 0; i < 3; i++) holds.refuse(web, 'evict', NO);
    expect(holds.shorten(NO_ROOM, 5)).toBe(true);
    await clock.advance(5);
    expect([holds.isHeld(db, 'migrate'), holds.isHeld(web, 'evict')]).toEqual([false, true]);
    holds.refuse(db, 'migrate', FULL);
    expect(holds.heldUntil(db, 'migrate')).toBe(45_000);
  });

  it('tells when nobody is held for longer', () => {
    holds.refuse(db, 'migrate', FULL);
    expect([holds.shorten(NO_ROOM, 5), holds.heldUntil(db, 'migrate')]).toEqual([false, 5_000]);
  });
});

describe('the soonest end', () => {
  it('is of the holds that are short', async () => {
    expect(holds.soonestEnd()).toBeUndefined();
    holds.refuse(db, 'evict', NO);
    holds.refuse(db, 'evict', NO);
    holds.refuse(web, 'evict', NO);
    expect(holds.soonestEnd()).toBe(5000);
    await clock.advance(5);
    expect(holds.soonestEnd()).toBe(10_000);
    await clock.advance(5);
    expect(holds.soonestEnd()).toBeUndefined();
  });

  it.each([
    [3, 20_000],
    [4, undefined],
  ])('is after %d refusals at %s', (count, end) => {
    for (let i = 0; i < count; i++) holds.refuse(db, 'evict', NO);
    expect(holds.soonestEnd()).toBe(end);
  });
});

it('counts by reason those who are held now', async () => {
  holds.refuse(db, 'migrate', FULL);
  holds.refuse(db, 'evict', NO);
  holds.refuse(web, 'evict', NO);
  holds.refuse(web, 'evict', NO);
  expect([...holds.counts()]).toEqual([
    ['NoRoom', 1],
    ['EvictionRefused', 2],
  ]);
  await clock.advance(5);
  expect([...holds.counts()]).toEqual([
    ['NoRoom', 0],
    ['EvictionRefused', 1],
  ]);
});

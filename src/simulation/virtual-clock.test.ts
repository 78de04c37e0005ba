import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

describe('a virtual clock', () => {
  it('stands still until it is told to go on', async () => {
    const clock = new VirtualClock(START);
    await clock.settle();
    expect(clock.now()).toBe(START);
    await clock.advance(90);
    expect(clock.now()).toBe(START + 90_000);
  });

  it('calls back at the time, not before, and once', async () => {
    const clock = new VirtualClock();
    const called: number[] = [];
    clock.after(5, () => called.push(clock.now()));
    await clock.advance(4.999);
    expect(called).toEqual([]);
    await clock.advance(100);
    expect(called).toEqual([5000]);
  });

  it('does not call back what was called off', async () => {
    const clock = new VirtualClock();
    let called = 0;
    const callOff = clock.after(5, () => called++);
    clock.after(6, () => called++);
    callOff();
    await clock.advance(10);
    expect(called).toBe(1);
  });

  it.each([0, -3])('calls back after %d seconds without time passing', async (seconds) => {
    const clock = new VirtualClock(START);
    const called: number[] = [];
    clock.after(seconds, () => called.push(clock.now()));
    await clock.advance(0);
    expect(called).toEqual([START]);
  });

  it('waits for whoever was set going outside of a promise, as by a message to a thread', async () => {
    const clock = new VirtualClock();
    const seen: number[] = [];
    const comesToRest = async (): Promise<void> => {
      for (let i = 0; i < 10; i++) await undefined;
      seen.push(clock.now());
    };
    clock.after(5, () => {});
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        void comesToRest();
        void clock.advance(5).then(resolve);
      });
    });
    expect(seen).toEqual([0]);
  });

  it('tells when the next callback is due', () => {
    const clock = new VirtualClock();
    expect(clock.nextAt()).toBeUndefined();
    const callOff = clock.after(3, () => {});
    clock.after(7, () => {});
    expect(clock.nextAt()).toBe(3000);
    callOff();
    expect(clock.nextAt()).toBe(7000);
  });

  it('lets time pass until something holds, or for so long', async () => {
    const clock = new VirtualClock();
    let ticks = 0;
    const tick = (): void => {
      ticks++;
      clock.after(1, tick);
    };
    tick();
    expect(await clock.until(() => ticks === 4, 60)).toBe(true);
    expect(clock.now()).toBe(3000);
    expect(await clock.until(() => ticks === 100, 10)).toBe(false);
    expect(clock.now()).toBe(13_000);
  });

  it('waits for long chains of promises before time passes', async () => {
    const clock = new VirtualClock();
    const seen: number[] = [];
    const deep = async (depth: number): Promise<void> => {
      if (depth > 0) await deep(depth - 1);
      else await undefined;
    };
    clock.after(1, async () => {
      for (let step = 0; step < 50; step++) {
        await deep(150);
      }
      seen.push(clock.now());
    });
    clock.after(2, () => seen.push(clock.now()));
    await clock.advance(3);
    expect(seen).toEqual([1000, 2000]);
  });

  it('refuses to stand still for ever', async () => {
    const clock = new VirtualClock();
    const again = (): void => void clock.after(0, again);
    again();
    await expect(clock.advance(1)).rejects.toThrow('100000 callbacks at 0: a loop');
  });

  it('calls back by time, and at equal times in the order of asking', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (delays) => {
        const clock = new VirtualClock();
        const called: number[] = [];
        for (const [index, delay] of delays.entries()) clock.after(delay, () => called.push(index));
        await clock.advance(20);
        const expected = delays.map((delay, index) => ({ delay, index })).sort((a, b) => a.delay - b.delay);
        expect(called).toEqual(expected.map(({ index }) => index));
      }),
    );
  });
});

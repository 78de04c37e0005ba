import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { inPace } from './pace.ts';

/** Runs work that takes so many seconds each; gives when each was begun and how many ran at most. */
async function begun(count: number, seconds: number, parallel: number, perSecond: number) {
  const clock = new VirtualClock(1_000_000);
  const starts: number[] = [];
  let running = 0;
  let most = 0;
  const done = inPace(
    Array.from({ length: count }, (_, i) => i),
    async (thing) => {
      starts.push((clock.now() - 1_000_000) / 1000);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => void clock.after(seconds, resolve));
      running -= 1;
      return thing * 2;
    },
    clock,
    { parallel, perSecond },
  );
  await clock.advance(60);
  return { starts, most, results: await done };
}

describe('work in pace', () => {
  it('begins no more each second than it may', async () => {
    const { starts, results } = await begun(5, 0, 8, 2);
    expect(starts).toEqual([0, 0.5, 1, 1.5, 2]);
    expect(results).toEqual([0, 2, 4, 6, 8]);
  });

  it('does no more at a time than it may', async () => {
    const { starts, most } = await begun(5, 1, 2, 100);
    expect(most).toBe(2);
    expect(starts).toEqual([0, 0.01, 1, 1.01, 2]);
  });

  it('has nothing to do with nothing', async () => {
    expect(await begun(0, 1, 4, 1)).toEqual({ starts: [], most: 0, results: [] });
  });

  it('begins nothing more after a failure, and tells it', async () => {
    const clock = new VirtualClock();
    const started: number[] = [];
    const done = inPace(
      [1, 2, 3, 4],
      async (thing) => {
        started.push(thing);
        if (thing === 2) throw new Error('bug');
      },
      clock,
      { parallel: 1, perSecond: 1000 },
    );
    const failed = expect(done).rejects.toThrow('bug');
    await clock.advance(10);
    await failed;
    expect(started).toEqual([1, 2]);
  });
});

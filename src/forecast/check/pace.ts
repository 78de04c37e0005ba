import type { Clock } from '../../controllers/ports.ts';

export interface Pace {
  /** So many at the same time, at most. */
  readonly parallel: number;
  /** So many begun each second, at most. */
  readonly perSecond: number;
}

/**
 * Does the work on each, so many at a time and no faster than the pace allows. Results in the order of the things; a
 * failure of one rejects, and no more are begun.
 */
export async function inPace<Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
  clock: Clock,
  { parallel, perSecond }: Pace,
): Promise<Result[]> {
  const begunAt = clock.now();
  const results: Result[] = [];
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < things.length && !failed) {
      const index = next++;
      await until(clock, begunAt + (index / perSecond) * 1000);
      results[index] = await work(things[index] as Thing);
    }
  };
  const workers = Array.from({ length: Math.min(parallel, things.length) }, () =>
    worker().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  await Promise.all(workers);
  return results;
}

function until(clock: Clock, at: number): Promise<void> {
  const seconds = (at - clock.now()) / 1000;
  if (seconds <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    clock.after(seconds, resolve);
  });
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { SimulationWatch } from '../cli/services.ts';
import type { RunResult } from '../rehearsal/result.ts';
import { ScenarioError } from '../scenario/errors.ts';
import { type Play, playSeed } from './simulate-play.ts';

/** What a thread answers to a seed. */
export type ThreadAnswer = { readonly result: RunResult } | { readonly problem: string };

/**
 * Plays every seed, on so many threads; one needs none.
 *
 * Promise: the results are those of any other number of threads, in the order of the seeds.
 */
export async function playSeeds(
  play: Play & { readonly seeds: readonly number[] },
  jobs: number,
  { onRuns = () => {}, onCourse }: SimulationWatch,
): Promise<RunResult[]> {
  const { seeds, ...one } = play;
  const left = [...seeds];
  const results = new Map<number, RunResult>();
  const take = (seed: number, result: RunResult): void => {
    results.set(seed, result);
    onRuns(results.size, seeds.length);
  };
  onRuns(0, seeds.length);
  const width = Math.min(jobs, seeds.length);
  if (width <= 1) {
    for (const seed of seeds) take(seed, await playSeed(one, seed, seed === seeds[0], onCourse));
  } else {
    await Promise.all(Array.from({ length: width }, () => onThread(one, left, seeds[0], take)));
  }
  return seeds.flatMap((seed) => results.get(seed) ?? []);
}

/** One thread, which gets a seed after the other for as long as there are any. */
function onThread(
  play: Play,
  left: number[],
  first: number | undefined,
  take: (seed: number, result: RunResult) => void,
): Promise<void> {
  const worker = new Worker(threadFile(), { workerData: play });
  return new Promise<void>((resolve, reject) => {
    let seed: number | undefined;
    const next = (): void => {
      seed = left.shift();
      if (seed === undefined) resolve();
      else worker.postMessage({ seed, isFirst: seed === first });
    };
    worker.on('message', (answer: ThreadAnswer) => {
      if ('problem' in answer)
        return reject(new ScenarioError('RunFailed', `seed ${seed}: ${answer.problem}`));
      if (seed !== undefined) take(seed, answer.result);
      next();
    });
    worker.on('error', reject);
    next();
  }).finally(() => worker.terminate());
}

/** Beside this file as it is written, and above it in what is bundled. */
function threadFile(): URL {
  const bundled = ['./simulate-thread.js', '../simulate-thread.js'].map(
    (path) => new URL(path, import.meta.url),
  );
  return (
    bundled.find((url) => existsSync(fileURLToPath(url))) ?? new URL('./simulate-thread.ts', import.meta.url)
  );
}

import type { SimulationWatch } from '../cli/services.ts';
import type { RunResult } from '../rehearsal/result.ts';
import { ScenarioError } from '../scenario/errors.ts';
import { compileForSimulation } from './compiler.ts';
import { type Play, playSeed } from './simulate-play.ts';
import { onThread } from './simulate-threads.ts';

/**
 * Plays every seed, so many at once, each on a thread of its own; without a number one after another, here.
 *
 * Promise: the results are those of any other number of threads, in the order of the seeds. When asked to stop it gives those of the
 * runs that have ended by then; throws a coded error where none has.
 */
export async function playSeeds(
  play: Play,
  seeds: readonly number[],
  jobs: number | undefined,
  { onRuns = () => {}, onCourse, signal }: SimulationWatch,
): Promise<RunResult[]> {
  compileForSimulation();
  const left = [...seeds];
  const [first] = seeds;
  const results = new Map<number, RunResult>();
  const take = (seed: number, result: RunResult): void => {
    results.set(seed, result);
    onRuns(results.size, seeds.length);
  };
  onRuns(0, seeds.length);
  if (jobs === undefined) {
    for (const seed of seeds) {
      if (!signal?.aborted) take(seed, await playSeed(play, seed, seed === first, onCourse));
    }
  } else {
    const threads = Math.min(jobs, seeds.length);
    // How far each of several is would be told in turns.
    const watch = { signal, onCourse: threads === 1 ? onCourse : undefined };
    const work = { play, left, first, take };
    await Promise.all(Array.from({ length: threads }, () => onThread(work, threads, watch)));
  }
  if (results.size === 0) throw new ScenarioError('Stopped', 'it was stopped before the first run had ended');
  return seeds.flatMap((seed) => results.get(seed) ?? []);
}

import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { SimulationWatch } from '../cli/services.ts';
import type { HowFar } from '../rehearsal/how-far.ts';
import type { RunResult } from '../rehearsal/result.ts';
import { ScenarioError } from '../scenario/errors.ts';
import { sentPlay } from './sent-play.ts';
import type { Play } from './simulate-play.ts';

/** What a thread begins with. */
export interface ThreadData {
  readonly play: Play;
  /** Somebody watches: it says all the time how far it is. */
  readonly watched: boolean;
}

/** What a thread says: how far it is, or what became of the seed that it was sent. */
export type ThreadMessage =
  | { readonly howFar: HowFar }
  | { readonly result: RunResult }
  | { readonly problem: string };

export interface ThreadWork {
  readonly play: Play;
  /** Given out one after another; what is taken is gone from it. */
  readonly left: number[];
  /** The seed of the first run. */
  readonly first: number | undefined;
  readonly take: (seed: number, result: RunResult) => void;
}

/**
 * One thread, which gets a seed after the other for as long as there are any. Resolves when there are none, or when it was asked to
 * stop, in the middle of a run too.
 */
export function onThread(
  { play, left, first, take }: ThreadWork,
  threads: number,
  { onCourse, signal }: Pick<SimulationWatch, 'onCourse' | 'signal'>,
): Promise<void> {
  const limits = limitsFor(threads);
  const data: ThreadData = { play: sentPlay(play), watched: onCourse !== undefined };
  const worker = new Worker(threadFile(), { workerData: data, resourceLimits: limits });
  return new Promise<void>((resolve, reject) => {
    let seed: number | undefined;
    const next = (): void => {
      seed = left.shift();
      if (seed === undefined) resolve();
      else worker.postMessage({ seed, isFirst: seed === first });
    };
    worker.on('message', (message: ThreadMessage) => {
      if ('howFar' in message) return onCourse?.(() => message.howFar);
      if ('problem' in message)
        return reject(new ScenarioError('RunFailed', `seed ${seed}: ${message.problem}`));
      if (seed !== undefined) take(seed, message.result);
      next();
    });
    worker.on('error', (error) => reject(asCoded(error, seed, limits)));
    signal?.addEventListener('abort', () => resolve(), { once: true });
    if (signal?.aborted) resolve();
    else next();
  }).finally(() => worker.terminate());
}

const MIB = 2 ** 20;
/** Of the memory of the machine, or of the container. */
const SHARE_OF_MEMORY = 0.75;

/** All threads together may take most of the memory: Node's own limit is lower on most machines, and ends the process. */
function limitsFor(threads: number): ResourceLimits {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return {
    maxOldGenerationSizeMb: Math.floor((memory * SHARE_OF_MEMORY) / MIB / threads),
    // Thrice a space of 64 MiB: what thousands of VMs do at once outlives a smaller one, and is copied again and again.
    maxYoungGenerationSizeMb: 192,
  };
}

function asCoded(
  error: unknown,
  seed: number | undefined,
  { maxOldGenerationSizeMb }: ResourceLimits,
): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  const words = `seed ${seed}: it takes more than ${maxOldGenerationSizeMb} MiB of memory`;
  return new ScenarioError('OutOfMemory', words);
}

/** Beside this file or above it in what is bundled; from source it needs one that reads TypeScript. */
function threadFile(): URL {
  const places = ['./simulate-thread.js', '../simulate-thread.js', '../../scripts/simulate-thread.mjs'];
  const files = places.map((place) => new URL(place, import.meta.url));
  const found = files.find((file) => existsSync(fileURLToPath(file)));
  if (!found) throw new Error(`none of ${places.join(', ')} is beside ${import.meta.url}`);
  return found;
}

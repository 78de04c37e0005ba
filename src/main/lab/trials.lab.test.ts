import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { describeLab, hasLabPart } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import { isWrong, tellDifference } from '../../rehearsal/accuracy/tally.ts';
import { drawTrial, type TrialAction } from '../../rehearsal/accuracy/trial.ts';
import { examineOnLab } from './trial.ts';
import { guestsOfTrial, startTrialLab } from './trials.ts';

const whole = hasLabPart('kube-scheduler') && hasLabPart('kube-controller-manager');

/** `npm run accuracy -- --lab` plays 40 clusters; these are a few of them, CAPK among those that act. */
describeLab('what is foretold is what happens then on a real API server', () => {
  let lab: Lab | undefined;
  beforeAll(async () => {
    if (whole) lab = await startTrialLab(inject('labAssets'));
  }, 90_000);
  afterAll(() => lab?.stop());

  it.skipIf(!whole).each<[TrialAction, number]>([
    ['drain', 7],
    ['upgrade', 15],
    ['upgrade', 23],
  ])(
    '%s of seed %i',
    async (action, seed) => {
      if (!lab) throw new Error('no lab');
      const trial = drawTrial(seed, action, 'exact');
      const finding = await examineOnLab(lab, trial, guestsOfTrial(trial));
      expect(finding.vms.length).toBeGreaterThan(0);
      expect(finding.vms.filter(isWrong).map((vm) => tellDifference(finding, vm))).toEqual([]);
    },
    120_000,
  );
});

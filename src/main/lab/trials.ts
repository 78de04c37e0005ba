import { requireLabAssets } from '../../lab/control-plane/assets.ts';
import { LAB_FLAGS, type Lab, startLab } from '../../lab/lab.ts';
import { clusterApiCrds, kubevirtCrds } from '../../lab/objects/crds.ts';
import { loadCrds } from '../../lab/objects/load-crds.ts';
import type { Finding } from '../../rehearsal/accuracy/examine.ts';
import { GUESTS, type Guests } from '../../rehearsal/accuracy/guests.ts';
import type { Trial } from '../../rehearsal/accuracy/trial.ts';
import { examineOnLab } from './trial.ts';

/** A control plane that trials can be played on, one after another. */
export async function startTrialLab(assets?: string): Promise<Lab> {
  const lab = await startLab({ assets, controllerManager: true, scheduler: true, apiServerFlags: LAB_FLAGS });
  try {
    await loadCrds(lab.admin, [...kubevirtCrds(), ...clusterApiCrds()]);
    return lab;
  } catch (error) {
    await lab.stop();
    throw error;
  }
}

/** Guests of one kind play in each trial, and both kinds as often. */
export function guestsOfTrial({ seed, action }: Trial): Guests {
  return GUESTS[(seed + (action === 'drain' ? 0 : 1)) % GUESTS.length] ?? 'clean';
}

/** Every trial on a real API server, so many side by side; findings in the order of the trials. */
export async function examineOnLabs(
  trials: readonly Trial[],
  sideBySide: number,
  onFinding: (finding: Finding) => void,
): Promise<Finding[]> {
  const assets = requireLabAssets();
  const findings: Finding[] = [];
  const left = trials.map((trial, index) => ({ trial, index }));
  const work = async (): Promise<void> => {
    const lab = await startTrialLab(assets);
    try {
      for (let next = left.shift(); next; next = left.shift()) {
        const finding = await examineOnLab(lab, next.trial, guestsOfTrial(next.trial));
        findings[next.index] = finding;
        onFinding(finding);
      }
    } catch (error) {
      left.length = 0;
      throw error;
    } finally {
      await lab.stop();
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: sideBySide }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return findings;
}

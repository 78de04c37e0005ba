import type { Fleet } from '../../fleet/fleet.ts';
import { counted } from '../../kubevirt/words.ts';
import { assemble } from '../assemble.ts';
import { contextOf, type ForecastOptions } from '../context.ts';
import type { Forecast } from '../forecast.ts';
import { verdictsOf } from '../foreseen.ts';
import { NEW_LAUNCHER } from '../launcher-image.ts';
import type { UpgradeQuestion } from '../questions.ts';
import { isInScope } from '../scope.ts';
import { summarizeUpgrade } from '../summary.ts';
import { unseenVerdicts } from '../unseen.ts';
import { rolloutNotes } from './upgrade/notes.ts';
import { foreseeRollout } from './upgrade/rollout.ts';
import { upgradeWarnings } from './upgrade/warnings.ts';

/**
 * What the roll-out of a new launcher does to every VM, once the control plane is upgraded.
 *
 * Promise: every VMI of the fleet in scope has one verdict; the order of the input objects changes nothing.
 */
export function planUpgrade(fleet: Fleet, question: UpgradeQuestion, options: ForecastOptions): Forecast {
  const context = contextOf(fleet, options);
  const launcherImage = question.launcherImage ?? NEW_LAUNCHER;
  const everyone = foreseeRollout(context, launcherImage);
  const inScope = everyone.filter(({ vmi }) => isInScope(fleet, context.scope, vmi));
  const image = question.launcherImage ?? 'any other launcher image';
  return assemble(context, {
    action: 'upgrade',
    title: `upgrade to ${image} · ${counted(inScope.length, 'VM')}`,
    parameters: { launcherImage: question.launcherImage },
    verdicts: [...verdictsOf(inScope), ...unseenVerdicts(context)],
    summarize: summarizeUpgrade,
    warnings: upgradeWarnings(context),
    notes: rolloutNotes(context, everyone, launcherImage),
  });
}

import { tellExclusions } from '../../decide/placement/placement.ts';
import type { Decision } from '../../decide/rules.ts';
import type { AfterEndResult } from '../../decide/run-strategy/after-end.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { type Context, uncordoned } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { foreseeRefusedStart } from './next-vmi.ts';
import { placeLauncher } from './place.ts';

/**
 * The VM is started anew, unless virt-api refuses; when its guest runs again depends on a node that takes its new launcher. A launcher waits for
 * room or for an uncordon without a limit of time, and comes up by itself then (vm-lifecycle §5 of the spec); one that no
 * node could ever take does not.
 */
export function foreseeRestart(
  context: Context,
  vmi: Vmi,
  trail: Trail,
  lead: string,
  after: Decision<AfterEndResult>,
): Ending {
  const refused = foreseeRefusedStart(context, vmi, trail, `${lead} and shut down`);
  if (refused) return refused;
  const placement = placeLauncher(context, vmi, 'restart');
  const back =
    after.result === 'Replaced' ? 'its controller makes another in its place' : RESTART_WORDS[after.reason];
  const says = `${lead} and shut down: ${back ?? 'it starts again'}`;
  if (placement.fitsNow.length > 0 || placement.missing.length > 0) return restarts(after.reason, says);
  const why = tellExclusions(placement.excluded);
  if (placement.fitsIfEmpty.length > 0) {
    trail.note('placement', 'NoRoom', why);
    const room = [`Make room on ${placement.fitsIfEmpty.slice(0, 3).join(', ')} first.`];
    return restarts(
      'WaitsForRoom',
      `${says}, but no node has room for its launcher before others go: ${why}`,
      room,
    );
  }
  if (placeLauncher(uncordoned(context), vmi, 'restart').fitsIfEmpty.length > 0) {
    trail.note('placement', 'CordonedOnly', why);
    const cordon = ['Uncordon the node as soon as the work is done, or widen the node selector before it.'];
    return restarts(
      'WaitsForUncordon',
      `${says}, but stays down until a node is uncordoned, for it fits on no other: ${why}`,
      cordon,
    );
  }
  trail.note('placement', 'NoNodeFits', why);
  return {
    outcome: 'StaysOff',
    reason: 'NoNodeFits',
    says: `${lead} and shut down, and no node can take its new launcher: ${why}`,
    remedies: ['Widen its node selector or affinity, or label, untaint or add a node that fits.'],
  };
}

function restarts(reason: string, says: string, remedies: readonly string[] = []): Ending {
  return { outcome: 'Restarts', reason, says, remedies };
}

const RESTART_WORDS: Record<string, string> = {
  RunStrategyAlways: 'run strategy Always starts it again',
  FailureRestarts: 'its guest does not end cleanly, and RerunOnFailure starts it again',
  StartRequested: 'a start that was asked for waits until it is gone',
};

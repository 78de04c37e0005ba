import { evacuationTable } from '../../decide/evacuation/candidate.ts';
import { clearMark } from '../../decide/evacuation/clear-mark.ts';
import { vmiField } from '../../decide/evidence.ts';
import { decide, type Evidence } from '../../decide/rules.ts';
import { outdated } from '../../decide/workload-update/staleness.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { isMarked } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import { clauseOf, type Ending, GOES_DOWN, isTakenAway, ledBy, withMore } from '../ending.ts';
import type { Otherwise } from '../forecast.ts';
import { launcherImageOf, launcherImageToday } from '../launcher-image.ts';
import type { Trail } from '../trail.ts';
import { evacuationInput } from './evacuation.ts';
import { whenGivenUp } from './given-up.ts';
import { placeLauncher } from './place.ts';
import { targetPodOf } from './under-way.ts';

/** The updater comes to a VMI in a roll-out. */
export interface Visit {
  readonly context: Context;
  readonly vmi: Vmi;
  /** What its launcher is to run. */
  readonly launcherImage: string;
  readonly trail: Trail;
}

/** A move that a VMI makes whatever the action does. */
interface EarlierMove {
  /** What it is for, where the verdict does not say so anyway. */
  readonly says: string;
  readonly remedies?: readonly string[];
  readonly evidence: Evidence;
  /** What its target's launcher runs. */
  readonly image: string;
  /** Its target is there already, or is made at once; one that waits for its turn may begin with a newer launcher. */
  readonly isSure: boolean;
}

/**
 * A move that was due before is made with the launcher that virt-controller starts today, at once: it does not wait for a roll-out. So
 * the VMI arrives with a launcher that the roll-out finds outdated, unless virt-controller is a new one already, and the updater comes
 * to it once more. It also comes to one whose migration from before is given up. `again` tells what it does then.
 */
export function withSecondMove(visit: Visit, first: Ending, again: (arrived: Vmi) => Ending): Ending {
  const { context, vmi, launcherImage, trail } = visit;
  if (first.outcome === 'NeverCompletes') return whenGivenUp(context, vmi, first, again);
  if (first.outcome !== 'LiveMigrates') return first;
  const earlier = earlierMove(context, vmi);
  const arrived = earlier && arrivedBy(vmi, earlier);
  if (!arrived || !outdated(arrived, launcherImage)) return first;
  const ending = followed(visit, first, earlier, again(arrived));
  trail.note('launcher after its first move', 'StillOutdated', clauseOf(ending), [earlier.evidence]);
  return ending;
}

function earlierMove(context: Context, vmi: Vmi): EarlierMove | undefined {
  const [migration] = context.fleet.unfinishedMigrationsOf(vmi);
  const today = launcherImageToday(context.fleet, vmi);
  if (migration) {
    const { name, namespace } = migration.metadata;
    const object = `VirtualMachineInstanceMigration ${namespace}/${name}`;
    const evidence = { object, path: 'status.phase', value: migration.status?.phase };
    const target = targetPodOf(context, vmi);
    return { says: '', evidence, image: launcherImageOf(target) ?? today, isSure: target !== undefined };
  }
  const step = decide(evacuationTable, evacuationInput(context, vmi));
  if (step.result.action !== 'CreateMigration') return undefined;
  const key = context.settings.migrations.nodeDrainTaintKey;
  const cause = isMarked(vmi)
    ? { says: ' for its mark', remedies: [`${clearMark(vmi)}, for it to move once.`] }
    : { says: ` for the taint ${key} of its node` };
  const evidence = vmiField(vmi, 'status.evacuationNodeName', vmi.status?.evacuationNodeName);
  return { ...cause, evidence, image: today, isSure: true };
}

/** As it is when the move has ended: without a mark, and with the target's launcher. */
function arrivedBy(vmi: Vmi, { image }: EarlierMove): Vmi {
  const gone = { evacuationNodeName: undefined, migrationState: undefined };
  return { ...vmi, status: { ...vmi.status, ...gone, launcherContainerImageVersion: image } };
}

function followed(
  { context, vmi }: Visit,
  first: Ending,
  { says, remedies = [], isSure }: EarlierMove,
  second: Ending,
): Ending {
  const moved = withMore(first, `${says}, with the launcher of today`);
  if (GOES_DOWN.has(second.outcome) || isTakenAway(second)) {
    if (isSure) return { ...ledBy(`${clauseOf(moved)}, and then`, second), before: first };
    const otherwise: Otherwise[] = [...(second.otherwise ?? []), 'Moves'];
    const then = ledBy(`${clauseOf(moved)}, unless that brings a new one: then it`, second);
    return { ...then, otherwise, before: first };
  }
  // Where a second move finds a place is judged below: it starts from another node.
  if (second.outcome !== 'LiveMigrates' && second.outcome !== 'NeverCompletes') {
    return withMore(moved, `, and then ${clauseOf(second)}`);
  }
  // It leaves the node that it has come to, and may go back to the one where it is now. Beside a target nothing of it is placed.
  const nodes = placeLauncher({ ...context, explain: true }, vmi, 'restart').fitsNow.length;
  if (nodes < (targetPodOf(context, vmi)?.spec?.nodeName ? 1 : 2))
    return { ...withMore(moved, ', and then no other node takes it for the new launcher'), remedies };
  return { ...withMore(moved, ', and once more for the new one'), remedies, moves: 2 };
}

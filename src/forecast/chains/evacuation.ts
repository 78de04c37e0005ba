import {
  type EvacuationInput,
  type EvacuationStep,
  evacuationTable,
  hasDrainTaint,
} from '../../decide/evacuation/candidate.ts';
import { clearMark } from '../../decide/evacuation/clear-mark.ts';
import { type Decision, resultOf } from '../../decide/rules.ts';
import type { Node, Vmi } from '../../kubevirt/objects.ts';
import { isMarked } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import { whyNotMigratable } from '../not-migratable.ts';
import type { Trail } from '../trail.ts';
import { closedCap, foreseeMigration, type MigrationCause } from './migration.ts';
import { foreseeUnderWay, hasBegun } from './under-way.ts';

/** Why the evacuation controller takes a VMI, for the words of its verdict. */
export const BY_MARK: MigrationCause = { reason: 'Evacuates', lead: 'is marked for evacuation and' };

/** By the old drain taint of its node. */
export function byTaint({ settings }: Context, vmi: Vmi): MigrationCause {
  const key = settings.migrations.nodeDrainTaintKey;
  return {
    reason: 'NodeDrainTaint',
    lead: `is evacuated, for node ${vmi.status?.nodeName} carries the taint ${key}, and`,
  };
}

/** Follows the mark on a VMI: the evacuation controller migrates it, waits, or leaves it alone, so that it blocks whoever evicts it. */
export function foreseeEvacuation(context: Context, vmi: Vmi, trail: Trail, cause = BY_MARK): Ending {
  const input = evacuationInput(context, withMark(vmi));
  const step = trail.ask('evacuation controller', evacuationTable, input, ({ result }) => result.action);
  switch (step.result.action) {
    case 'CreateMigration':
      return withoutPlaces(context) ?? foreseeMigration(context, vmi, trail, cause);
    case 'Wait':
      return waiting(context, vmi, trail, step);
    case 'CannotMigrate':
      return stuck(step.reason, `is marked for evacuation, but ${whyNotMigratable(vmi)}`);
    case 'Leave':
      return leftAlone(vmi, step.reason);
  }
}

/** A mark on it, or the old drain taint of its node, has it evacuated as things stand. */
export function isEvacuated(context: Context, vmi: Vmi): boolean {
  // Of most, which are neither, no pods and migrations are looked up.
  if (!isMarked(vmi) && !hasDrainTaint(nodeOf(context, vmi), context.settings)) return false;
  return TAKEN.has(resultOf(evacuationTable, evacuationInput(context, vmi)).action);
}

const TAKEN: ReadonlySet<EvacuationStep['action']> = new Set(['CreateMigration', 'Wait']);

/** What the evacuation controller looks at. */
export function evacuationInput(context: Context, vmi: Vmi): EvacuationInput {
  return {
    vmi,
    node: nodeOf(context, vmi),
    pods: context.fleet.podsOf(vmi),
    unfinishedMigrations: context.fleet.unfinishedMigrationsOf(vmi),
    settings: context.settings,
    now: context.now,
  };
}

/** The VMI as the webhook's patch leaves it; a mark that is there stays. */
function withMark(vmi: Vmi): Vmi {
  const evacuationNodeName = vmi.status?.evacuationNodeName || vmi.status?.nodeName;
  return { ...vmi, status: { ...vmi.status, evacuationNodeName } };
}

/** The VMI's node; a node that the input lacks is taken as one without taints. */
function nodeOf(context: Context, vmi: Vmi): Node {
  const name = vmi.status?.nodeName ?? '';
  return context.fleet.get('Node', name) ?? { kind: 'Node', metadata: { name } };
}

function waiting(context: Context, vmi: Vmi, trail: Trail, step: Decision<EvacuationStep>): Ending {
  if (step.reason !== 'PodsLeftOver') {
    const stuckInLine = hasBegun(context.fleet, vmi) ? undefined : withoutPlaces(context);
    return stuckInLine ?? foreseeUnderWay(context, vmi, trail);
  }
  return stuck(
    'PodsLeftOver',
    'is marked for evacuation, but a second launcher pod of it is left over, and no migration starts before that has gone',
    ['Find out which of its launcher pods runs the guest, and delete the other.'],
  );
}

/** Its migration is created all the same, and waits for a place for ever. */
function withoutPlaces({ settings }: Context): Ending | undefined {
  const cap = closedCap(settings);
  if (!cap) return undefined;
  return stuck('NoMigrationPlaces', `is marked for evacuation, but ${cap} lets no migration begin`, [
    `Set ${cap} of the KubeVirt CR to more than 0.`,
  ]);
}

function stuck(reason: string, says: string, remedies: readonly string[] = []): Ending {
  return { outcome: 'Blocks', reason, says, remedies };
}

function leftAlone(vmi: Vmi, reason: string): Ending {
  if (reason !== 'MarkedForAnotherNode') {
    return { outcome: 'Blocks', reason, says: 'is marked, and nobody acts on the mark' };
  }
  return {
    outcome: 'Blocks',
    reason: 'MarkedForAnotherNode',
    says: `still carries the mark of node ${vmi.status?.evacuationNodeName}, which it has left, so nobody acts on it`,
    remedies: [clearMark(vmi)],
  };
}

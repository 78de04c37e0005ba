import { evacuationTable, hasDrainTaint } from '../../decide/evacuation/candidate.ts';
import { resultOf } from '../../decide/rules.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { BY_MARK, byTaint, evacuationInput } from './evacuation.ts';
import { closedCap, foreseeMigration } from './migration.ts';

/**
 * How it ends where a change of the configuration has the evacuation controller take the VMI at once: by a taint that its node carries
 * already, or a mark that nobody acted on. Undefined: it does not.
 */
export function foreseeNewlyEvacuated(
  before: Context,
  after: Context,
  vmi: Vmi,
  trail: Trail,
): Ending | undefined {
  const isTaken = (context: Context) =>
    resultOf(evacuationTable, evacuationInput(context, vmi)).action === 'CreateMigration';
  if (isTaken(before) || !isTaken(after) || closedCap(after.settings)) return undefined;
  const input = evacuationInput(after, vmi);
  trail.ask('evacuation controller', evacuationTable, input, ({ result }) => result.action);
  const cause = hasDrainTaint(input.node, after.settings) ? byTaint(after, vmi) : BY_MARK;
  return foreseeMigration(after, vmi, trail, cause);
}

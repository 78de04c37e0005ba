import { effectiveStrategy } from '../../decide/eviction-strategy.ts';
import { externalOutcomeTable } from '../../decide/external/external-outcome.ts';
import { type ClusterApiObjects, type Worker, workerOf } from '../../decide/external/worker.ts';
import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import { STRATEGY } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { isMigratable } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';

/** Follows the mark on a VMI with strategy External: KubeVirt leaves it to another controller. */
export function foreseeExternal(context: Context, vmi: Vmi, trail: Trail): Ending {
  const objects = clusterApiOf(context.fleet);
  const worker = workerOf(vmi, objects);
  const alsoFailing = failingBeside(context, vmi, worker, objects);
  const input = { controller: context.external, vmi, worker, objects, now: context.now, alsoFailing };
  const decided = trail.ask('external controller', externalOutcomeTable, input, ({ result }) => result.says);
  const { outcome, says, remedies } = decided.result;
  return { outcome, reason: decided.reason, says, remedies };
}

/** Workers under the same health check that the same drain marks, and that cannot migrate: their Machines fail too. */
function failingBeside(
  context: Context,
  vmi: Vmi,
  { healthCheck }: Worker,
  objects: ClusterApiObjects,
): number {
  if (!healthCheck) return 0;
  const drained = [...context.world.cordoned].flatMap((node) => context.fleet.vmisOn(node));
  return drained.filter(
    (other) =>
      other !== vmi &&
      effectiveStrategy(other, context.settings) === STRATEGY.external &&
      !isMigratable(other) &&
      workerOf(other, objects).healthCheck === healthCheck,
  ).length;
}

/** A kind that the input does not list at all stays absent: unknown is not empty. */
function clusterApiOf(fleet: Fleet): ClusterApiObjects {
  return {
    kubevirtMachines: listed(fleet, 'KubevirtMachine'),
    machines: listed(fleet, 'Machine'),
    healthChecks: listed(fleet, 'MachineHealthCheck'),
  };
}

function listed<K extends Kind>(fleet: Fleet, kind: K): KindMap[K][] | undefined {
  return fleet.isKnown(kind) ? [...fleet.all(kind)] : undefined;
}

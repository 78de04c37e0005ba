import { externalOutcomeTable } from '../../decide/external/external-outcome.ts';
import { type ClusterApiObjects, workerOf } from '../../decide/external/worker.ts';
import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';

/** Follows the mark on a VMI with strategy External: KubeVirt leaves it to another controller. */
export function foreseeExternal(context: Context, vmi: Vmi, trail: Trail): Ending {
  const objects = clusterApiOf(context.fleet);
  const input = {
    controller: context.external,
    vmi,
    worker: workerOf(vmi, objects),
    objects,
    now: context.now,
  };
  const decided = trail.ask('external controller', externalOutcomeTable, input, ({ result }) => result.says);
  const { outcome, says, remedies } = decided.result;
  return { outcome, reason: decided.reason, says, remedies };
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

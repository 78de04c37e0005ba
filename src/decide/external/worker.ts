import type { KubevirtMachine, Machine, MachineHealthCheck, Vmi } from '../../kubevirt/objects.ts';
import { byName } from '../../kubevirt/order.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { isTarget } from './machine-health.ts';

/** What Cluster API has in the input. A kind that the input does not list at all is absent. */
export interface ClusterApiObjects {
  readonly kubevirtMachines?: readonly KubevirtMachine[] | undefined;
  readonly machines?: readonly Machine[] | undefined;
  readonly healthChecks?: readonly MachineHealthCheck[] | undefined;
}

/** The objects that stand for a VMI that is a node of a guest cluster; absent ones were not found. */
export interface Worker {
  readonly kubevirtMachine?: KubevirtMachine | undefined;
  readonly machine?: Machine | undefined;
  /** The one that looks after the machine; of several, the first by name. */
  readonly healthCheck?: MachineHealthCheck | undefined;
}

/** A KubevirtMachine has the namespace and name of its VM; the Machine refers to it. */
export function workerOf(vmi: Vmi, objects: ClusterApiObjects): Worker {
  const kubevirtMachine = objects.kubevirtMachines?.find((machine) => keyOf(machine) === keyOf(vmi));
  const machine = objects.machines?.find(
    ({ metadata, spec }) =>
      metadata.namespace === vmi.metadata.namespace &&
      spec?.infrastructureRef?.kind === 'KubevirtMachine' &&
      spec.infrastructureRef.name === vmi.metadata.name,
  );
  const healthCheck = [...(objects.healthChecks ?? [])]
    .sort(byName)
    .find((check) => machine !== undefined && isTarget(check, machine));
  return { kubevirtMachine, machine, healthCheck };
}

/** What Cluster API puts into `status.failureMessage` of the Machine once its KubevirtMachine has failed. It never clears it. */
export function machineFailureMessage({ apiVersion, metadata }: KubevirtMachine, message: string): string {
  const group = apiVersion ?? 'infrastructure.cluster.x-k8s.io/v1alpha1';
  return `Failure detected from referenced resource ${group}, Kind=KubevirtMachine with name "${metadata.name}": ${message}`;
}

/** Cluster API objects for tests. Each is the plainest healthy one; `change` overrides parts of its spec and status. */
import { aVm, aVmi } from '../builders.ts';
import type { KubevirtMachine, Machine, MachineHealthCheck } from '../objects.ts';
import { parseInstant } from '../time.ts';

export const NOW = parseInstant('2026-03-01T12:00:00Z') ?? 0;

/** A running External worker `w1` on n1, marked for evacuation. */
export function aWorker(migratable?: 'True' | 'False') {
  const vmi = aVmi('w1').on('n1').strategy('External').marked();
  return migratable ? vmi.migratable(migratable) : vmi;
}

export function aWorkerVm() {
  return aVm('w1');
}

export function aKubevirtMachine(annotations: Record<string, string> = {}): KubevirtMachine {
  return { kind: 'KubevirtMachine', metadata: { name: 'w1', namespace: 'shop', annotations } };
}

/** A machine of group `md`, owned by MachineSet `ms`, for the VM of the same name, with a node. */
export function aMachine(name = 'w1', change: Partial<Machine> = {}): Machine {
  return {
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'shop',
      labels: { group: 'md' },
      creationTimestamp: '2026-03-01T00:00:00Z',
      ownerReferences: [{ kind: 'MachineSet', name: 'ms', controller: true }],
    },
    spec: { clusterName: 'guest', infrastructureRef: { kind: 'KubevirtMachine', name } },
    status: { phase: 'Running', nodeRef: { name } },
    ...change,
  };
}

export function failed(machine: Machine): Machine {
  return { ...machine, status: { ...machine.status, failureReason: 'UpdateError' } };
}

export function deleting(machine: Machine): Machine {
  return { ...machine, metadata: { ...machine.metadata, deletionTimestamp: '2026-03-01T11:59:00Z' } };
}

export function annotated(machine: Machine, annotation: string): Machine {
  return { ...machine, metadata: { ...machine.metadata, annotations: { [annotation]: '' } } };
}

/** The health check of group `md`. */
export function aHealthCheck(
  maxUnhealthy?: string | number,
  spec: MachineHealthCheck['spec'] = {},
): MachineHealthCheck {
  return {
    kind: 'MachineHealthCheck',
    metadata: { name: 'mhc', namespace: 'shop' },
    spec: { clusterName: 'guest', selector: { matchLabels: { group: 'md' } }, maxUnhealthy, ...spec },
  };
}

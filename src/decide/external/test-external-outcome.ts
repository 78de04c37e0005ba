/** An External worker, its objects, and what is foretold of it. */
import { aKubevirtMachine, aMachine, aWorker, NOW } from '../../kubevirt/cluster-api/builders.ts';
import type { Machine, MachineHealthCheck, Vmi } from '../../kubevirt/objects.ts';
import { type Behavior, decide } from '../rules.ts';
import type { ExternalController, ExternalInput } from './external-input.ts';
import { externalOutcomeTable } from './external-outcome.ts';
import { type ClusterApiObjects, workerOf } from './worker.ts';

export interface Scene {
  readonly controller?: ExternalController;
  readonly vmi?: Vmi;
  readonly objects?: ClusterApiObjects;
  readonly alsoFailing?: number;
  readonly behavior?: Behavior;
}

export const group = (size: number): Machine[] =>
  Array.from({ length: size }, (_, i) => aMachine(`w${i + 1}`));

export const cluster = (machines: Machine[], ...healthChecks: MachineHealthCheck[]): ClusterApiObjects => ({
  kubevirtMachines: [aKubevirtMachine()],
  machines,
  healthChecks,
});

export const foresee = ({
  controller = 'capk-v0.1.10',
  vmi = aWorker('False').build(),
  objects = {},
  alsoFailing,
  behavior = 'exact',
}: Scene) => {
  const input: ExternalInput = {
    controller,
    vmi,
    objects,
    worker: workerOf(vmi, objects),
    now: NOW,
    behavior,
    alsoFailing,
  };
  return decide(externalOutcomeTable, input);
};

/** External by the settings of the cluster. */
export const clusterExternal = (migratable: 'True' | 'False') => {
  const { spec, ...vmi } = aWorker(migratable).build();
  return { ...vmi, spec: { ...spec, evictionStrategy: undefined } };
};

export const leftFor = (node: string) => aWorker('True').status({ evacuationNodeName: node }).build();

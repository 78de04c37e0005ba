/** An External worker on its way off a node, as CAPK sees it. */
import { aKubevirtMachine, aWorker, NOW } from '../../kubevirt/cluster-api/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import type { Evidence } from '../rules.ts';
import type { CapkInput, CapkStep } from './capk-drain.ts';

export const GRACE = 'capk.cluster.x-k8s.io/vmi-deletion-grace-time';
export const SUBMITTED = 'capk.cluster.x-k8s.io/migration-submitted';
export const CORDONED = 'capk.cluster.x-k8s.io/node-cordoned';
export const LATER = NOW + 600_000;
export const at = (offsetSeconds: number) => formatInstant(NOW + offsetSeconds * 1000);

export interface Scene {
  readonly vmi?: Vmi | undefined;
  readonly marks?: Record<string, string>;
  /** What draining comes to, by the name of the node. */
  readonly nodes?: Record<string, 'drained' | 'not-drained'>;
  readonly more?: Partial<CapkInput>;
}

export const inputOf = (scene: Scene): CapkInput => ({
  machine: aKubevirtMachine(scene.marks),
  vmi: 'vmi' in scene ? scene.vmi : aWorker('False').build(),
  now: NOW,
  drainOf: (node) => scene.nodes?.[node] ?? 'missing',
  behavior: 'exact',
  ...scene.more,
});

export const nothing = (...removes: string[]): CapkStep => ({ step: 'nothing', removes });
export const gone = (...removes: string[]): CapkStep => ({ step: 'delete-vmi', againSeconds: 10, removes });
export const VMI = 'VirtualMachineInstance shop/w1';

export const mark: Evidence[] = [
  { object: VMI, path: 'spec.evictionStrategy', value: 'External' },
  { object: VMI, path: 'status.evacuationNodeName', value: 'n1' },
];

export const annotation = (name: string, value: string | undefined): Evidence => ({
  object: 'KubevirtMachine shop/w1',
  path: `metadata.annotations[${name}]`,
  value,
});

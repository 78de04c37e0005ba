/** Pods as the cluster-autoscaler sees them. */
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { decide, type Evidence } from '../rules.ts';
import { type AutoscalerFlags, DRAIN_CLIENTS } from './clients.ts';
import { AUTOSCALER_SELECTION } from './cluster-autoscaler.ts';
import type { DrainFacts, Selection } from './selection.ts';

const now = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const client = DRAIN_CLIENTS['cluster-autoscaler'];

export const open: Partial<AutoscalerFlags> = {
  skipNodesWithCustomControllerPods: false,
  skipNodesWithLocalStorage: false,
};

export const judge = (pod: Pod, flags: Partial<AutoscalerFlags> = {}, facts: Partial<DrainFacts> = {}) =>
  decide(AUTOSCALER_SELECTION, {
    client: { ...client, autoscaler: { ...client.autoscaler, ...flags } },
    pod,
    facts: { now, ...facts },
  });

export const replica = (namespace = 'shop') =>
  aPod('r', namespace).ownedBy('ReplicaSet', 'web').labelled('app', 'web');

export const daemon = () => aPod('d').ownedBy('DaemonSet', 'ds');
export const skipped: Selection = { selected: false, message: '', severity: 'none' };
export const blocked = (message: string): Selection => ({ selected: false, message, severity: 'error' });

export const owner = (pod: string, value: string | undefined): Evidence => ({
  object: `Pod ${pod}`,
  path: 'metadata.ownerReferences[controller=true]',
  value,
});

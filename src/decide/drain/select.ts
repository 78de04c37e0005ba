import { groupBy } from '../../kubevirt/group-by.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { isLauncherPod, keyOf } from '../../kubevirt/predicates.ts';
import { podField } from '../evidence.ts';
import { decide, type Evidence, type Table } from '../rules.ts';
import { CAPI_SELECTION } from './capi.ts';
import type { DrainClient, DrainClientName } from './clients.ts';
import { AUTOSCALER_SELECTION } from './cluster-autoscaler.ts';
import { DESCHEDULER_SELECTION } from './descheduler.ts';
import { KUBECTL_SELECTION } from './kubectl-filters.ts';
import { type DrainFacts, evicted, left, type Selection, type SelectionInput } from './selection.ts';
import { TALOS_SELECTION } from './talos.ts';

/** The workload updater looks for launchers only; which of them is for the updater's own decision to say. */
const UPDATER_SELECTION: Table<SelectionInput, Selection> = [
  {
    name: 'Selected',
    asks: 'the pod is a launcher',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/workload-updater/workload-updater.go:603-632',
    when: ({ pod }) => isLauncherPod(pod),
    reads: readApp,
    then: () => evicted(),
  },
  {
    name: 'NoLauncher',
    asks: 'the pod is something else',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/workload-updater/workload-updater.go:603-632',
    when: () => true,
    reads: readApp,
    then: () => left(),
  },
];

function readApp({ pod }: SelectionInput): Evidence[] {
  return [podField(pod, `metadata.labels[${LABEL.app}]`, pod.metadata.labels?.[LABEL.app])];
}

/** The table by which a client decides what to do with a pod. */
export const SELECTION_TABLES: Readonly<Record<DrainClientName, Table<SelectionInput, Selection>>> = {
  kubectl: KUBECTL_SELECTION,
  talosctl: KUBECTL_SELECTION,
  'talos-node': TALOS_SELECTION,
  'cluster-autoscaler': AUTOSCALER_SELECTION,
  descheduler: DESCHEDULER_SELECTION,
  capi: CAPI_SELECTION,
  'workload-updater': UPDATER_SELECTION,
};

export interface Selected extends Selection {
  readonly reason: string;
  /** The client touches no pod of the node because of this one. */
  readonly fatal: boolean;
  readonly evidence: readonly Evidence[];
}

/** What a client does with one pod that it finds on a node, and why. Pods are judged one by one; order does not matter. */
export function selectForDrain(client: DrainClient, pod: Pod, facts: DrainFacts): Selected {
  const { result, reason, evidence } = decide(SELECTION_TABLES[client.name], { client, pod, facts });
  return { ...result, reason, evidence, fatal: result.severity === 'error' };
}

/** A pod with what was decided about it. */
export interface SelectedPod {
  readonly pod: Pod;
  readonly selected: Pick<Selected, 'message' | 'severity'>;
}

/**
 * kubectl's errors about pods, one for each message with the pods that it is about:
 * `cannot delete <message>: <namespace/pod>, …`. Order of first appearance (kubectl's own order is random). Empty: no errors.
 */
export function tellErrors(pods: readonly SelectedPod[]): string[] {
  return byMessage(pods, 'error').map((told) => `cannot delete ${told}`);
}

/** kubectl's warnings in one line, `<message>: <namespace/pod>, …; …`; the empty text if there are none. */
export function tellWarnings(pods: readonly SelectedPod[]): string {
  return byMessage(pods, 'warning').join('; ');
}

function byMessage(pods: readonly SelectedPod[], severity: Selection['severity']): string[] {
  const severe = pods.filter(({ selected }) => selected.severity === severity);
  const groups = groupBy(severe, ({ selected }) => selected.message);
  return [...groups].map(
    ([message, group]) => `${message}: ${group.map(({ pod }) => keyOf(pod)).join(', ')}`,
  );
}

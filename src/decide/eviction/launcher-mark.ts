import { STRATEGY } from '../../kubevirt/names.ts';
import { isMarked, keyOf } from '../../kubevirt/predicates.ts';
import type { Table } from '../rules.ts';
import { type LauncherInput, readsMark, readsNodes, strategyIn } from './launcher-input.ts';
import { foundIn } from './lookup.ts';
import { errorIn } from './mark.ts';
import {
  ADMITTER,
  ALLOWED,
  denied,
  type EvictionVerdict,
  evacuationInProgress,
  evacuationStarted,
  versionEvidence,
} from './verdict.ts';

/**
 * The mark path: the strategy wants the VMI moved, so the pod is never evicted; the VMI is marked instead, once.
 * Eviction-webhook §2.2 (a) to (e) of the spec.
 */
export const launcherMarkRules: Table<LauncherInput, EvictionVerdict> = [
  {
    name: 'LeftToBudget',
    asks: "the VMI is marked already or the pod is not on its node, and KubeVirt before 1.5 leaves such pods to the VMI's own disruption budget",
    source: 'kubevirt v1.4 pkg/virt-api/webhooks/validating-webhook/admitters/pod-eviction-admitter.go',
    when: (input) => !input.settings.rules.inProgressRefused && (isMarkedIn(input) || isElsewhere(input)),
    reads: (input) => [...readsNodes(input), versionEvidence(input.settings)],
    then: () => ALLOWED,
  },
  {
    name: 'EvacuationInProgress',
    asks: 'the VMI is marked for evacuation already, from whichever node',
    source: `${ADMITTER}:86-240`,
    when: isMarkedIn,
    reads: readsMark,
    then: (input) => denied(evacuationInProgress(keyIn(input))),
  },
  {
    name: 'TargetPod',
    asks: 'the pod is not on the node of the VMI: the target of a migration, or a stale source',
    source: `${ADMITTER}:86-240`,
    when: isElsewhere,
    reads: readsNodes,
    then: () => denied('Eviction request for target Pod'),
  },
  {
    name: 'EvictionNotReadable',
    asks: 'the Eviction object cannot be read',
    source: `${ADMITTER}:68-77`,
    when: ({ eviction }) => errorIn(eviction) !== undefined,
    reads: ({ pod, eviction }) => [{ object: `Eviction ${keyOf(pod)}`, path: '', value: errorIn(eviction) }],
    then: ({ eviction }) => denied(`failed to parse the eviction object: ${errorIn(eviction)}`),
  },
  {
    name: 'MarkFailed',
    asks: 'the VMI cannot be marked',
    source: `${ADMITTER}:185-217`,
    when: ({ patch }) => errorIn(patch) !== undefined,
    reads: readsNodes,
    then: ({ patch }) => denied(`kubevirt failed marking the vmi for eviction: ${errorIn(patch)}`),
  },
  {
    name: 'External',
    asks: 'the strategy is External: the VMI is marked, and another controller does the rest',
    source: `${ADMITTER}:86-240`,
    when: (input) => strategyIn(input) === STRATEGY.external,
    reads: readsNodes,
    then: marked,
  },
  {
    name: 'EvacuationTriggered',
    asks: 'the VMI can migrate: it is marked, and the evacuation controller migrates it',
    source: `${ADMITTER}:185-217`,
    when: () => true,
    reads: readsNodes,
    then: marked,
  },
];

function isMarkedIn(input: LauncherInput): boolean {
  const vmi = foundIn(input.vmi);
  return vmi !== undefined && isMarked(vmi);
}

/** Two absent node names count as the same. */
function isElsewhere({ vmi, pod }: LauncherInput): boolean {
  return (foundIn(vmi)?.status?.nodeName ?? '') !== (pod.spec?.nodeName ?? '');
}

function keyIn({ vmi }: LauncherInput): string {
  const found = foundIn(vmi);
  return found ? keyOf(found) : '';
}

function marked(input: LauncherInput): EvictionVerdict {
  return { allowed: false, message: evacuationStarted(keyIn(input)), mark: true };
}

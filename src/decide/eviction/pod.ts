import { LABEL } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { isHotplugPod, isLauncherPod, isPodFinished } from '../../kubevirt/predicates.ts';
import { podField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { failureIn, foundIn, type Lookup, lookupEvidence } from './lookup.ts';
import { ADMITTER } from './verdict.ts';

interface DispatchInput {
  readonly namespace: string;
  readonly name: string;
  readonly pod: Lookup<Pod>;
}

/** `allow`: the webhook has nothing to say about the pod; else the table that decides. */
export type PodDispatch = 'allow' | 'hotplug' | 'launcher';

/** Which pods the webhook guards at all. The pod's name plays no part here: the API server has matched it before. */
export const podDispatchTable: Table<DispatchInput, PodDispatch> = [
  {
    name: 'PodNotReadable',
    asks: 'the pod cannot be read, for whatever reason',
    source: `${ADMITTER}:86-240`,
    when: ({ pod }) => failureIn(pod) !== undefined,
    reads: ({ namespace, name, pod }) => [lookupEvidence(`Pod ${namespace}/${name}`, pod)],
    then: () => 'allow',
  },
  {
    name: 'HotplugPod',
    asks: 'the pod is labelled as an attachment pod and has exactly one owner',
    source: `${ADMITTER}:86-240`,
    when: ({ pod }) => is(pod, (p) => isHotplugPod(p) && p.metadata.ownerReferences?.length === 1),
    reads: ({ pod }) => podEvidence(pod, ownersEvidence),
    then: () => 'hotplug',
  },
  {
    name: 'ActiveLauncher',
    asks: 'the pod is labelled as a launcher and has not ended',
    source: `${ADMITTER}:86-240`,
    when: ({ pod }) => is(pod, isActiveLauncher),
    reads: ({ pod }) => podEvidence(pod, phaseEvidence),
    then: () => 'launcher',
  },
  {
    name: 'CompletedLauncher',
    asks: 'the pod is a launcher that has ended',
    source: `${ADMITTER}:86-240`,
    when: ({ pod }) => is(pod, isLauncherPod),
    reads: ({ pod }) => podEvidence(pod, phaseEvidence),
    then: () => 'allow',
  },
  {
    name: 'OtherPod',
    asks: 'the pod belongs to no virtual machine',
    source: `${ADMITTER}:86-240`,
    when: () => true,
    reads: ({ pod }) => podEvidence(pod, ownersEvidence),
    then: () => 'allow',
  },
];

/** A launcher that has not ended: its eviction concerns a VM. */
export function isActiveLauncher(pod: Pod | undefined): boolean {
  return pod !== undefined && isLauncherPod(pod) && !isPodFinished(pod);
}

function is(pod: Lookup<Pod>, question: (pod: Pod) => boolean): boolean {
  const found = foundIn(pod);
  return found !== undefined && question(found);
}

function podEvidence(lookup: Lookup<Pod>, more: (pod: Pod) => Evidence): Evidence[] {
  const pod = foundIn(lookup);
  if (!pod) return [];
  return [podField(pod, `metadata.labels[${LABEL.app}]`, pod.metadata.labels?.[LABEL.app]), more(pod)];
}

function ownersEvidence(pod: Pod): Evidence {
  const owners = pod.metadata.ownerReferences?.map((owner) => `${owner.kind ?? ''} ${owner.name}`);
  return podField(pod, 'metadata.ownerReferences', owners);
}

function phaseEvidence(pod: Pod): Evidence {
  return podField(pod, 'status.phase', pod.status?.phase);
}

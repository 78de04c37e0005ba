import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import { podField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { failureIn, foundIn, isMissing, type Lookup, lookupEvidence } from './lookup.ts';
import { isActiveLauncher } from './pod.ts';
import { ADMITTER, ALLOWED, denied, type EvictionVerdict, versionEvidence } from './verdict.ts';

export interface HotplugPodInput {
  /** An attachment pod with exactly one owner. */
  readonly pod: Pod;
  readonly settings: Pick<Settings, 'rules' | 'version'>;
}

export interface HotplugOwnerInput extends HotplugPodInput {
  /** The pod that the only owner reference names. */
  readonly owner: Lookup<Pod>;
}

export interface HotplugInput extends HotplugOwnerInput {
  /** The VMI that the owner's annotation `kubevirt.io/domain` names. */
  readonly vmi: Lookup<Vmi>;
}

/** Rules that need the attachment pod alone. */
export const hotplugPodRules: Table<HotplugPodInput, EvictionVerdict> = [
  {
    name: 'HotplugPodsNotGuarded',
    asks: 'the KubeVirt version is before 1.6, which does not guard attachment pods',
    source: 'kubevirt before v1.6: no webhook for attachment pods',
    when: ({ settings }) => !settings.rules.hotplugPodsRefused,
    reads: ({ settings }) => [versionEvidence(settings)],
    then: () => ALLOWED,
  },
];

/** Rules that need the owner too. */
export const hotplugOwnerRules: Table<HotplugOwnerInput, EvictionVerdict> = [
  {
    name: 'OwnerGone',
    asks: 'the launcher that owns the pod is gone',
    source: `${ADMITTER}:86-240`,
    when: ({ owner }) => isMissing(owner),
    reads: ownerEvidence,
    then: () => ALLOWED,
  },
  {
    name: 'OwnerNotReadable',
    asks: 'the launcher that owns the pod cannot be read',
    source: `${ADMITTER}:86-240`,
    when: ({ owner }) => failureIn(owner) !== undefined,
    reads: ownerEvidence,
    then: ({ owner }) => denied(`failed getting owner for hotplug pod: ${failureIn(owner)}`),
  },
  {
    name: 'OwnerNotActiveLauncher',
    asks: 'the owner is no launcher, or a launcher that has ended',
    source: `${ADMITTER}:86-240`,
    when: ({ owner }) => !isActiveLauncher(foundIn(owner)),
    reads: ownerEvidence,
    then: () => ALLOWED,
  },
  {
    name: 'OwnerWithoutDomain',
    asks: 'the launcher does not say which VMI it runs',
    source: `${ADMITTER}:86-240`,
    when: ({ owner }) => domainOf(foundIn(owner)) === undefined,
    reads: ownerEvidence,
    then: () => ALLOWED,
  },
];

/**
 * Whether an attachment pod (`hp-volume-*`) may be evicted. With a running VM it may not, whatever the strategy: the
 * refusal ends when the launcher that owns the pod has ended. Eviction-webhook §2.1 of the spec.
 */
export const hotplugEvictionTable: Table<HotplugInput, EvictionVerdict> = [
  ...hotplugPodRules,
  ...hotplugOwnerRules,
  {
    name: 'VmiGone',
    asks: 'the VMI is gone',
    source: `${ADMITTER}:86-240`,
    when: ({ vmi }) => isMissing(vmi),
    reads: vmiEvidence,
    then: () => ALLOWED,
  },
  {
    name: 'VmiNotReadable',
    asks: 'the VMI cannot be read',
    source: `${ADMITTER}:86-240`,
    when: ({ vmi }) => failureIn(vmi) !== undefined,
    reads: vmiEvidence,
    then: ({ vmi }) => denied(`kubevirt failed getting the vmi: ${failureIn(vmi)}`),
  },
  {
    name: 'HotplugPodOfVmi',
    asks: 'the pod holds a volume of a VMI whose launcher is active',
    source: `${ADMITTER}:86-240`,
    when: () => true,
    reads: (input) => [...ownerEvidence(input), ...vmiEvidence(input)],
    then: ({ pod, owner }) => {
      const { name, namespace } = pod.metadata;
      const vmi = domainOf(foundIn(owner));
      return denied(
        `cannot evict hotplug pod: ${name} associated with running vmi: ${vmi} in namespace ${namespace}`,
      );
    },
  },
];

/** The VMI's name as a launcher tells it. */
export function domainOf(pod: Pod | undefined): string | undefined {
  return pod && annotationOf(pod, ANNOTATION.domain);
}

function ownerEvidence({ pod, owner }: HotplugOwnerInput): Evidence[] {
  const found = foundIn(owner);
  const name = pod.metadata.ownerReferences?.[0]?.name;
  if (!found) return [lookupEvidence(`Pod ${pod.metadata.namespace}/${name}`, owner)];
  return [
    podField(found, 'status.phase', found.status?.phase),
    podField(found, `metadata.annotations[${ANNOTATION.domain}]`, domainOf(found)),
  ];
}

function vmiEvidence({ pod, owner, vmi }: HotplugInput): Evidence[] {
  const name = domainOf(foundIn(owner));
  return [lookupEvidence(`VirtualMachineInstance ${pod.metadata.namespace}/${name}`, vmi)];
}

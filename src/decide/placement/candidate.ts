import { LABEL } from '../../kubevirt/names.ts';
import type { PersistentVolume, Pod, PodAffinityTerm, Vmi } from '../../kubevirt/objects.ts';
import { podField, refOf, vmiRef } from '../evidence.ts';
import { changedLauncher } from '../launcher/changed-launcher.ts';
import { pluggedVolumes } from '../vmi/attachments.ts';
import {
  type LauncherQuestion,
  type Selector,
  templateSelectors,
  withMigration,
} from './launcher-selectors.ts';
import { isPodOfVmi, NOBODY } from './placed.ts';
import type { NamedView } from './world.ts';

export type Purpose = 'migration-target' | 'restart';

export interface CandidateQuestion extends LauncherQuestion {
  /** The launcher pod of today. */
  readonly pod: Pod | undefined;
  readonly purpose: Purpose;
  readonly world: NamedView;
}

/** The pod to be placed. */
export interface Candidate {
  /** As it would be created; it carries the name of today's pod, for evidence. */
  readonly pod: Pod;
  readonly selectors: readonly Selector[];
  /** The node that a migration leaves. */
  readonly leaves?: string | undefined;
  /**
   * Volumes that are plugged into the guest, where they bind a migration: the scheduler does not know of them, but its target waits for
   * ever on a node from which they cannot be reached.
   */
  readonly plugged?: readonly PersistentVolume[] | undefined;
  /** Pods in the world that are gone by the time it is placed. */
  readonly gone: ReadonlySet<Pod>;
}

/** Either a candidate, or the names of the inputs that one cannot be worked out without. */
export type CandidateOrMissing =
  | { readonly candidate: Candidate; readonly missing: readonly [] }
  | { readonly candidate?: undefined; readonly missing: readonly string[] };

/**
 * The pod to be placed, worked out from the launcher pod of today: the target of a migration, or the launcher of the VM
 * after a restart. It is taken to ask for as much as today's does, and for what its guest is about to be given.
 * kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go:938-1045.
 */
export function candidateOf(question: CandidateQuestion): CandidateOrMissing {
  const { pod, vmi, purpose } = question;
  if (!pod) return { missing: [`launcher pod of ${vmiRef(vmi)}`] };
  const { spec } = pod;
  if (!spec?.containers?.length) {
    return { missing: [`${spec ? 'spec.containers' : 'spec'} of ${refOf(pod, 'Pod')}`] };
  }
  const next = changedLauncher(pod, vmi);
  return purpose === 'restart' ? restarted(question, next) : migrated(question, next);
}

/** A pod that waits for a node, as it is. */
export function pendingCandidate(pod: Pod): Candidate {
  const selectors = Object.entries(pod.spec?.nodeSelector ?? {}).map(([key, value]) => {
    return { key, value, from: podField(pod, `spec.nodeSelector[${key}]`, value) };
  });
  return { pod, selectors, gone: NOBODY };
}

function restarted(question: CandidateQuestion, pod: Pod): CandidateOrMissing {
  const uid = uidOf(question.vmi, pod);
  const selectors = templateSelectors(question, pod);
  const gone = podsWith(question.world, uid, pod);
  return { candidate: render(pod, selectors, termsWithout(pod, uid), gone), missing: [] };
}

/** The launchers of the VMI with this UID, and what is attached to this one. */
function podsWith(world: NamedView, uid: string, launcher: Pod): ReadonlySet<Pod> {
  const launchers = world.podsOf(uid).filter((pod) => isPodOfVmi(pod, uid));
  const attached = world.podsOf(launcher.metadata.uid ?? '').filter((pod) => isOwnedBy(pod, launcher));
  return new Set([...launchers, ...attached]);
}

/** Attachment pods (`hp-volume-*`) go with the launcher that owns them. */
function isOwnedBy(pod: Pod, owner: Pod): boolean {
  const uid = owner.metadata.uid;
  return uid !== undefined && (pod.metadata.ownerReferences ?? []).some((reference) => reference.uid === uid);
}

function migrated(question: CandidateQuestion, pod: Pod): CandidateOrMissing {
  const { vmi, world } = question;
  const leaves = vmi.status?.nodeName ?? pod.spec?.nodeName;
  const { selectors, missing } = withMigration(question, pod, world.node(leaves ?? ''), leaves);
  if (missing !== undefined) return { missing: [missing] };
  const uid = uidOf(vmi, pod);
  const apart = { labelSelector: { matchLabels: { [LABEL.createdBy]: uid } }, topologyKey: LABEL.hostname };
  const candidate = render(pod, selectors, [...termsWithout(pod, uid), apart], NOBODY);
  const plugged = pluggedVolumes(vmi).length > 0 ? world.volumesOf(withPluggedVolumes(pod, vmi)) : undefined;
  return { candidate: { ...candidate, leaves, plugged }, missing: [] };
}

/** Of a pod with these volumes alone. */
function withPluggedVolumes(pod: Pod, vmi: Vmi): Pod {
  const volumes = pluggedVolumes(vmi).map(({ name, claimName }) => ({
    name,
    persistentVolumeClaim: { claimName },
  }));
  return { ...pod, spec: { volumes } };
}

function uidOf(vmi: Vmi, pod: Pod): string {
  return vmi.metadata.uid ?? pod.metadata.labels?.[LABEL.createdBy] ?? '';
}

/** The required anti-affinity without what an earlier migration added to keep the pod off its own source. */
function termsWithout(pod: Pod, uid: string): PodAffinityTerm[] {
  const terms = pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.filter((term) => term.labelSelector?.matchLabels?.[LABEL.createdBy] !== uid);
}

function render(
  pod: Pod,
  selectors: readonly Selector[],
  terms: PodAffinityTerm[],
  gone: ReadonlySet<Pod>,
): Candidate {
  const nodeSelector = Object.fromEntries(selectors.map(({ key, value }) => [key, value]));
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: terms };
  const affinity = { ...pod.spec?.affinity, podAntiAffinity };
  return {
    pod: { ...pod, spec: { ...pod.spec, nodeName: undefined, nodeSelector, affinity } },
    selectors,
    gone,
  };
}

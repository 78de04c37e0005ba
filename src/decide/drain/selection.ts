import type { DaemonSet, Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { controllerOf } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { selectsPod } from '../budget/controller.ts';
import { podField } from '../evidence.ts';
import type { Evidence, Rule } from '../rules.ts';
import type { DrainClient } from './clients.ts';

/** What a client does with a pod that it finds on the node. */
export interface Selection {
  /** It will evict (or delete) the pod. */
  readonly selected: boolean;
  /** What it says of the pod; empty where it says nothing. */
  readonly message: string;
  /** `error`: it touches no pod of the node. */
  readonly severity: 'none' | 'warning' | 'error';
  /** It leaves the pod alone, but is not done before the pod has ended. */
  readonly waits?: boolean | undefined;
}

/** What clients look up besides the pod. */
export interface DrainFacts {
  readonly now: Instant;
  /** The DaemonSet of this name, if the input has it. */
  readonly daemonSet?: ((namespace: string, name: string) => DaemonSet | undefined) | undefined;
  /** Whether the input tells DaemonSets at all; if not, every pod's DaemonSet counts as there. */
  readonly knowsDaemonSets?: boolean | undefined;
  /** Budgets of the pod's namespace. */
  readonly budgets?: readonly PodDisruptionBudget[] | undefined;
  /** Whether the pod's node has stopped answering. */
  readonly isNodeUnreachable?: boolean | undefined;
  /** Whether the pod would fit on another node. */
  readonly fitsElsewhere?: boolean | undefined;
}

export interface SelectionInput {
  readonly client: DrainClient;
  readonly pod: Pod;
  readonly facts: DrainFacts;
}

export type SelectionRule = Rule<SelectionInput, Selection>;

/** The client evicts the pod. */
export function evicted(message = ''): Selection {
  return { selected: true, message, severity: message === '' ? 'none' : 'warning' };
}

/** The client leaves the pod where it is. */
export function left(message = ''): Selection {
  return { selected: false, message, severity: message === '' ? 'none' : 'warning' };
}

/** The client leaves the whole node alone because of the pod. */
export function refused(message: string): Selection {
  return { selected: false, message, severity: 'error' };
}

export function phaseField(pod: Pod): Evidence {
  return podField(pod, 'status.phase', pod.status?.phase);
}

export function controllerField(pod: Pod): Evidence {
  const owner = controllerOf(pod.metadata);
  const value = owner && `${owner.kind ?? ''} ${owner.name}`;
  return podField(pod, 'metadata.ownerReferences[controller=true]', value);
}

export function annotationField(pod: Pod, name: string): Evidence {
  return podField(pod, `metadata.annotations[${name}]`, pod.metadata.annotations?.[name]);
}

/** A DaemonSet controls it, whether that is still there or not. */
export function isDaemonSetPod(pod: Pod): boolean {
  return controllerOf(pod.metadata)?.kind === 'DaemonSet';
}

/** Its controller is a DaemonSet that the input, which lists DaemonSets, does not have. */
export function isOrphanOfDaemonSet({ pod, facts }: SelectionInput): boolean {
  if (!isDaemonSetPod(pod) || !facts.knowsDaemonSets) return false;
  const { namespace = '' } = pod.metadata;
  return facts.daemonSet?.(namespace, controllerOf(pod.metadata)?.name ?? '') === undefined;
}

/** The budgets that are about the pod, as far as they are known. */
export function budgetsOf({ pod, facts }: SelectionInput): PodDisruptionBudget[] {
  return (facts.budgets ?? []).filter((budget) => selectsPod(budget, pod));
}

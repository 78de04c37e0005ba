/** How long a target pod may stay Pending. evacuation-and-migration §4.4 of the spec. */

import { ANNOTATION, CONDITION, MIGRATION_EVENT } from '../../../kubevirt/names.ts';
import type { Condition, Migration, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { annotationOf, keyOf } from '../../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../../kubevirt/time.ts';
import { type EventDraft, eventOnMigration } from '../../events.ts';
import { podField } from '../../evidence.ts';
import type { Evidence, Table } from '../../rules.ts';
import { CONTROLLER } from '../subject.ts';

export const UNSCHEDULABLE_TIMEOUT_SECONDS = 300;
export const PENDING_TIMEOUT_SECONDS = 900;

export interface TargetTimeoutInput {
  readonly migration: Migration;
  readonly vmi: Vmi;
  readonly pod: Pod;
  readonly now: Instant;
}

export interface TargetTimeoutDecision {
  readonly deletePod: boolean;
  /** When to look again; undefined: no need. */
  readonly requeueAfterSeconds?: number;
  /** Recorded at every look. */
  readonly events: readonly EventDraft[];
  /** Recorded once the pod is deleted. */
  readonly afterDeletion?: EventDraft;
}

/** The scheduler has said that no node fits. Any PodScheduled condition counts. */
export function isUnschedulable(pod: Pod): boolean {
  return pod.status?.conditions?.some(saysUnschedulable) ?? false;
}

function saysUnschedulable({ type, status, reason }: Condition): boolean {
  return type === CONDITION.podScheduled && status === 'False' && reason === 'Unschedulable';
}

/** Seconds that an annotation sets; one that is no whole number is passed over. */
function overridden(migration: Migration, annotation: string, otherwise: number): number {
  const text = annotationOf(migration, annotation) ?? '';
  return /^[+-]?\d+$/.test(text) ? Number(text) : otherwise;
}

function unschedulableTimeout({ migration }: TargetTimeoutInput): number {
  return overridden(migration, ANNOTATION.unschedulableTimeout, UNSCHEDULABLE_TIMEOUT_SECONDS);
}

function pendingTimeout({ migration }: TargetTimeoutInput): number {
  return overridden(migration, ANNOTATION.pendingTimeout, PENDING_TIMEOUT_SECONDS);
}

/** Whole seconds since the pod's creation, counted on the clock's second hand as KubeVirt does. */
function secondsPending({ pod, now }: TargetTimeoutInput): number {
  const createdAt = parseInstant(pod.metadata.creationTimestamp) ?? now;
  return Math.max(0, Math.floor(now / 1000) - Math.floor(createdAt / 1000));
}

function isWatched({ pod }: TargetTimeoutInput): boolean {
  const { creationTimestamp, deletionTimestamp } = pod.metadata;
  return (
    pod.status?.phase === 'Pending' && deletionTimestamp === undefined && creationTimestamp !== undefined
  );
}

/** Is a pending target pod given up? Its deletion then fails the migration. */
export const targetTimeoutTable: Table<TargetTimeoutInput, TargetTimeoutDecision> = [
  {
    name: 'NotPending',
    asks: 'the target pod is not Pending, or is being deleted',
    source: `${CONTROLLER}:1717-1724`,
    when: (input) => !isWatched(input),
    reads: ({ pod }) => [
      podField(pod, 'status.phase', pod.status?.phase),
      podField(pod, 'metadata.deletionTimestamp', pod.metadata.deletionTimestamp),
    ],
    then: () => ({ deletePod: false, events: [] }),
  },
  {
    name: 'UnschedulableTooLong',
    asks: 'no node fits, and the pod has been pending for the time given to that',
    source: `${CONTROLLER}:1733-1748`,
    when: (input) => isUnschedulable(input.pod) && secondsPending(input) >= unschedulableTimeout(input),
    reads: evidence,
    then: (input) => giveUp(input, 'unschedulable'),
  },
  {
    name: 'PendingTooLong',
    asks: 'the pod has been pending for the time given to any reason',
    source: `${CONTROLLER}:1749-1759`,
    when: (input) => secondsPending(input) >= pendingTimeout(input),
    reads: evidence,
    then: (input) => giveUp(input, 'pending'),
  },
  {
    name: 'Unschedulable',
    asks: 'no node fits, and there is still time',
    source: `${CONTROLLER}:1733-1759`,
    when: ({ pod }) => isUnschedulable(pod),
    reads: evidence,
    then: (input) => lookAgain(input, Math.min(unschedulableTimeout(input), pendingTimeout(input))),
  },
  {
    name: 'Pending',
    asks: 'the pod has not started yet, and there is still time',
    source: `${CONTROLLER}:1749-1759`,
    when: () => true,
    reads: evidence,
    then: (input) => lookAgain(input, pendingTimeout(input)),
  },
];

function giveUp(input: TargetTimeoutInput, kind: 'unschedulable' | 'pending'): TargetTimeoutDecision {
  const message = `${kind} pod ${keyOf(input.pod)} timeout period exceeded`;
  return {
    deletePod: true,
    events: warnings(input),
    afterDeletion: eventOnMigration(input.migration, 'Normal', MIGRATION_EVENT.successfulDelete, message),
  };
}

function lookAgain(input: TargetTimeoutInput, timeoutSeconds: number): TargetTimeoutDecision {
  return {
    deletePod: false,
    events: warnings(input),
    requeueAfterSeconds: timeoutSeconds - secondsPending(input),
  };
}

function warnings({ migration, vmi, pod }: TargetTimeoutInput): EventDraft[] {
  if (!isUnschedulable(pod)) return [];
  const message = `Migration target pod for VMI [${keyOf(vmi)}] is currently unschedulable.`;
  return [eventOnMigration(migration, 'Warning', MIGRATION_EVENT.targetUnschedulable, message)];
}

function evidence({ pod }: TargetTimeoutInput): Evidence[] {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === CONDITION.podScheduled);
  return [
    podField(pod, 'status.phase', pod.status?.phase),
    podField(pod, 'metadata.creationTimestamp', pod.metadata.creationTimestamp),
    podField(pod, `status.conditions[type=${CONDITION.podScheduled}]`, scheduled?.reason),
  ];
}

/** How a migration progresses once it has a target pod. evacuation-and-migration §3.1 of the spec. */
import {
  ANNOTATION,
  CONDITION,
  MIGRATION_CONDITION,
  MIGRATION_EVENT,
  MIGRATION_PHASE,
} from '../../kubevirt/names.ts';
import { annotationOf, findCondition, isConditionTrue } from '../../kubevirt/predicates.ts';
import { extended } from '../../kubevirt/shapes.ts';
import { formatInstant, parseInstant } from '../../kubevirt/time.ts';
import { eventOnMigration } from '../events.ts';
import { conditionField } from '../evidence.ts';
import type { Evidence, Rule } from '../rules.ts';
import { NO_CHANGE, type StatusChange } from './status-change.ts';
import {
  CONTROLLER,
  inPhase,
  isAttachmentReady,
  isOurs,
  isTargetReady,
  type MigrationSubject,
  phaseEvidence,
  podEvidence,
  stateEvidence,
  stateOf,
} from './subject.ts';

const VMI = 'VirtualMachineInstance';

/** Changes of the VMI that the migration was to bring about and that are still open; HotVCPUChange counts whatever its status. */
function openChanges({ vmi }: MigrationSubject): string[] {
  const conditions = vmi?.status?.conditions;
  const open = [CONDITION.hotMemoryChange, CONDITION.migrationRequired].filter((type) =>
    isConditionTrue(conditions, type),
  );
  return findCondition(conditions, CONDITION.hotVcpuChange) ? [CONDITION.hotVcpuChange, ...open] : open;
}

/**
 * When the guest was ready on the target, in the form in which Go prints a time; undefined where the target pod already
 * has the annotation or there is nothing to tell.
 */
function targetReadyAnnotation(subject: MigrationSubject): string | undefined {
  const readyAt = parseInstant(stateOf(subject)?.targetNodeDomainReadyTimestamp);
  const pod = subject.targetPod;
  if (readyAt === undefined || !pod) return undefined;
  if (annotationOf(pod, ANNOTATION.migrationTargetReady) !== undefined) return undefined;
  return formatInstant(readyAt).replace('T', ' ').replace('Z', ' +0000 UTC');
}

/** What every pass over a running migration does besides. */
function whileRunning(subject: MigrationSubject, change: StatusChange): StatusChange {
  const annotation = targetReadyAnnotation(subject);
  return annotation === undefined ? change : extended(change, { targetReadyAnnotation: annotation });
}

function isRunningPhase(subject: MigrationSubject): boolean {
  return inPhase(subject, MIGRATION_PHASE.running);
}

/** The quota that refused the target pod has let it in. */
const ADMITTED = [MIGRATION_CONDITION.rejectedByResourceQuota];

export const startedRules: readonly Rule<MigrationSubject, StatusChange>[] = [
  {
    name: 'TargetPodReady',
    asks: 'the target pod is ready, with all its plugged volumes',
    source: `${CONTROLLER}:806-822`,
    when: (subject) =>
      inPhase(subject, MIGRATION_PHASE.scheduling) &&
      isTargetReady(subject.targetPod) &&
      isAttachmentReady(subject),
    reads: (subject) => [podEvidence(subject, 'targetPod'), podEvidence(subject, 'attachmentPod')],
    then: () => ({ phase: MIGRATION_PHASE.scheduled, removeConditions: ADMITTED, events: [] }),
  },
  {
    name: 'WaitsForTargetPod',
    asks: 'the target pod is not ready yet',
    source: `${CONTROLLER}:806-822`,
    when: (subject) => inPhase(subject, MIGRATION_PHASE.scheduling),
    reads: (subject) => [podEvidence(subject, 'targetPod'), podEvidence(subject, 'attachmentPod')],
    then: () => ({ removeConditions: ADMITTED, events: [] }),
  },
  {
    name: 'HandedOff',
    asks: 'the VMI tells of this migration and of its target node',
    source: `${CONTROLLER}:823-826`,
    when: (subject) =>
      inPhase(subject, MIGRATION_PHASE.scheduled) && isOurs(subject) && Boolean(stateOf(subject)?.targetNode),
    reads: (subject) => [...stateEvidence(subject, 'migrationUid'), ...stateEvidence(subject, 'targetNode')],
    then: () => ({ phase: MIGRATION_PHASE.preparingTarget, events: [] }),
  },
  {
    name: 'TargetPrepared',
    asks: 'the target node has told where it listens',
    source: `${CONTROLLER}:827-831`,
    when: (subject) =>
      inPhase(subject, MIGRATION_PHASE.preparingTarget) &&
      Boolean(stateOf(subject)?.targetNode && stateOf(subject)?.targetNodeAddress),
    reads: (subject) => [
      ...stateEvidence(subject, 'targetNode'),
      ...stateEvidence(subject, 'targetNodeAddress'),
    ],
    then: () => ({ phase: MIGRATION_PHASE.targetReady, events: [] }),
  },
  {
    name: 'Started',
    asks: 'the source node has started to copy',
    source: `${CONTROLLER}:832-835`,
    when: (subject) =>
      inPhase(subject, MIGRATION_PHASE.targetReady) && stateOf(subject)?.startTimestamp !== undefined,
    reads: (subject) => stateEvidence(subject, 'startTimestamp'),
    then: () => ({ phase: MIGRATION_PHASE.running, events: [] }),
  },
  {
    name: 'Completed',
    asks: 'the VMI has moved, and what was to change with the move has changed',
    source: `${CONTROLLER}:836-856`,
    when: (subject) =>
      isRunningPhase(subject) && stateOf(subject)?.completed === true && openChanges(subject).length === 0,
    reads: (subject) => stateEvidence(subject, 'completed'),
    then: (subject) => whileRunning(subject, succeeded(subject)),
  },
  {
    name: 'WaitsForChanges',
    asks: 'the VMI has moved, and something that was to change with the move has not',
    source: `${CONTROLLER}:836-856`,
    when: (subject) => isRunningPhase(subject) && stateOf(subject)?.completed === true,
    reads: (subject) => [...stateEvidence(subject, 'completed'), ...changeEvidence(subject)],
    then: (subject) => whileRunning(subject, NO_CHANGE),
  },
  {
    name: 'Copying',
    asks: 'the VMI is on its way',
    source: `${CONTROLLER}:836-856`,
    when: isRunningPhase,
    reads: (subject) => stateEvidence(subject, 'completed'),
    then: (subject) => whileRunning(subject, NO_CHANGE),
  },
  {
    name: 'NothingNew',
    asks: 'what the migration waits for has not happened',
    source: `${CONTROLLER}:716-856`,
    when: () => true,
    reads: (subject) => [phaseEvidence(subject)],
    then: () => NO_CHANGE,
  },
];

function succeeded({ migration }: MigrationSubject): StatusChange {
  const message = 'Source node reported migration succeeded';
  const event = eventOnMigration(migration, 'Normal', MIGRATION_EVENT.successfulMigration, message);
  return { phase: MIGRATION_PHASE.succeeded, events: [event] };
}

function changeEvidence({ vmi, ...rest }: MigrationSubject): Evidence[] {
  return vmi ? openChanges({ vmi, ...rest }).map((type) => conditionField(vmi, type, VMI)) : [];
}

/** How a migration fails, asked before how it progresses. evacuation-and-migration §3.2 of the spec. */
import { MIGRATION_CONDITION, MIGRATION_PHASE } from '../../kubevirt/names.ts';
import { isFinal, isMigrationFinal, isPodFinished } from '../../kubevirt/predicates.ts';
import { vmiField } from '../evidence.ts';
import type { Rule } from '../rules.ts';
import { failure, type StatusChange, withCondition } from './status-change.ts';
import {
  CONTROLLER,
  deletionEvidence,
  hasCondition,
  inPhase,
  isCanceled,
  isDecentralized,
  isHandedOff,
  isOurs,
  type MigrationSubject,
  phaseEvidence,
  podEvidence,
  stateEvidence,
  stateOf,
} from './subject.ts';

/** Phases in which the target node's virt-handler has the migration. */
const HANDED_OFF = [
  MIGRATION_PHASE.preparingTarget,
  MIGRATION_PHASE.targetReady,
  MIGRATION_PHASE.running,
] as const;
const PAST_PENDING = [MIGRATION_PHASE.scheduling, MIGRATION_PHASE.scheduled, ...HANDED_OFF] as const;

function isDecentralizedSource({ migration }: MigrationSubject): boolean {
  return migration.spec?.sendTo !== undefined;
}

/** In this order; where none holds, the migration is asked how it progresses. */
export const failureRules: readonly Rule<MigrationSubject, StatusChange>[] = [
  {
    name: 'AlreadyFinal',
    asks: 'the migration is over',
    source: `${CONTROLLER}:553-565`,
    when: ({ migration }) => isMigrationFinal(migration),
    reads: (subject) => [phaseEvidence(subject), ...stateEvidence(subject, 'migrationUid')],
    then: (subject) => {
      const state = isOurs(subject) ? stateOf(subject) : undefined;
      return { removeFinalizer: true, events: [], ...(state && { migrationState: state }) };
    },
  },
  {
    name: 'VmiGone',
    asks: 'the VMI does not exist (any more)',
    source: `${CONTROLLER}:566-572`,
    when: ({ vmi }) => vmi === undefined,
    reads: (subject) => [phaseEvidence(subject)],
    then: (subject) => failure(subject, 'Migration failed because vmi does not exist.'),
  },
  {
    name: 'VmiFinal',
    asks: 'the VMI has ended',
    source: `${CONTROLLER}:573-580`,
    when: (subject) => subject.vmi !== undefined && isFinal(subject.vmi) && !isDecentralizedSource(subject),
    reads: ({ vmi }) => (vmi ? [vmiField(vmi, 'status.phase', vmi.status?.phase)] : []),
    then: (subject) => failure(subject, 'Migration failed vmi shutdown during migration.'),
  },
  {
    name: 'CanceledBeforeHandOff',
    asks: 'the migration was deleted before it was handed off',
    source: `${CONTROLLER}:581-595`,
    when: (subject) => isCanceled(subject) && !isHandedOff(subject),
    reads: (subject) => [deletionEvidence(subject), ...stateEvidence(subject, 'migrationUid')],
    then: (subject) => ({
      ...withCondition(subject, MIGRATION_CONDITION.abortRequested),
      ...failure(subject, 'Migration failed due to being canceled'),
    }),
  },
  {
    name: 'TargetPodDown',
    asks: 'the target pod has ended',
    source: `${CONTROLLER}:596-607`,
    when: ({ targetPod }) => targetPod !== undefined && isPodFinished(targetPod),
    reads: (subject) => [podEvidence(subject, 'targetPod')],
    then: (subject) => failure(subject, 'Migration failed because target pod shutdown during migration'),
  },
  {
    name: 'TargetPodGone',
    asks: 'the migration has had a target pod, and it is gone',
    source: `${CONTROLLER}:608-614`,
    when: (subject) =>
      inPhase(subject, ...PAST_PENDING) && subject.targetPod === undefined && !isDecentralized(subject),
    reads: (subject) => [phaseEvidence(subject), podEvidence(subject, 'targetPod')],
    then: (subject) => failure(subject, 'Migration target pod was removed during active migration.'),
  },
  {
    name: 'StateCleared',
    asks: 'the migration is handed off, and the VMI tells of no migration',
    source: `${CONTROLLER}:615-621`,
    when: (subject) => inPhase(subject, ...HANDED_OFF) && stateOf(subject) === undefined,
    reads: (subject) => [phaseEvidence(subject), ...stateEvidence(subject, 'migrationUid')],
    then: (subject) => failure(subject, "VMI's migration state was cleared during the active migration."),
  },
  {
    name: 'StateTakenOver',
    asks: 'the migration is handed off, and the VMI tells of another',
    source: `${CONTROLLER}:622-630`,
    when: (subject) => inPhase(subject, ...HANDED_OFF) && !isOurs(subject),
    reads: (subject) => [phaseEvidence(subject), ...stateEvidence(subject, 'migrationUid')],
    then: (subject) =>
      failure(
        subject,
        "VMI's migration state was taken over by another migration job during active migration.",
      ),
  },
  {
    name: 'FailedOnNode',
    asks: 'the VMI tells that this migration has failed',
    source: `${CONTROLLER}:631-638`,
    when: (subject) => isOurs(subject) && stateOf(subject)?.failed === true,
    reads: (subject) => [...stateEvidence(subject, 'failed'), ...stateEvidence(subject, 'failureReason')],
    then: (subject) => failure(subject, 'source node reported migration failed'),
  },
  {
    name: 'AbortNoted',
    asks: 'the migration was deleted, and that is not noted yet',
    source: `${CONTROLLER}:639-646`,
    when: (subject) => isCanceled(subject) && !hasCondition(subject, MIGRATION_CONDITION.abortRequested),
    reads: (subject) => [deletionEvidence(subject)],
    then: (subject) => withCondition(subject, MIGRATION_CONDITION.abortRequested),
  },
  {
    name: 'AttachmentPodDown',
    asks: "the target's attachment pod has ended",
    source: `${CONTROLLER}:647-652`,
    when: ({ attachmentPod }) => attachmentPod !== undefined && isPodFinished(attachmentPod),
    reads: (subject) => [podEvidence(subject, 'attachmentPod')],
    then: (subject) =>
      failure(subject, 'Migration failed because target attachment pod shutdown during migration'),
  },
];

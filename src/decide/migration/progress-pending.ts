/** How a migration progresses until it has a target pod. evacuation-and-migration §3.1 of the spec. */
import { MIGRATION_CONDITION, MIGRATION_PHASE } from '../../kubevirt/names.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { migrationField, vmiField } from '../evidence.ts';
import type { Evidence, Rule } from '../rules.ts';
import { failure, type StatusChange, withCondition } from './status-change.ts';
import {
  CONTROLLER,
  hasUtilityVolumes,
  inPhase,
  isAttachmentReady,
  isHeldByBackup,
  isPending,
  type MigrationSubject,
  mayMigrate,
  phaseEvidence,
  podEvidence,
  stateEvidence,
} from './subject.ts';

/** The wait for utility volumes counts from the creation of the migration. */
function hasWaitedForVolumes({ migration, settings, now }: MigrationSubject): boolean {
  const createdAt = parseInstant(migration.metadata.creationTimestamp);
  if (createdAt === undefined) return false;
  return now - createdAt >= settings.migrations.utilityVolumesTimeoutSeconds * 1000;
}

function isOverQuota({ creationError }: MigrationSubject): boolean {
  return creationError?.includes('exceeded quota') ?? false;
}

function backupEvidence({ migration, vmi }: MigrationSubject): Evidence[] {
  const path = 'status.changedBlockTracking.backupStatus';
  return [
    ...(vmi ? [vmiField(vmi, path, vmi.status?.changedBlockTracking?.backupStatus)] : []),
    migrationField(migration, 'spec.priority', migration.spec?.priority),
  ];
}

function volumeEvidence({ migration, vmi }: MigrationSubject): Evidence[] {
  return [
    ...(vmi ? [vmiField(vmi, 'spec.utilityVolumes', vmi.spec?.utilityVolumes)] : []),
    migrationField(migration, 'metadata.creationTimestamp', migration.metadata.creationTimestamp),
  ];
}

/** What held it no longer does. */
const UNBLOCKED = [MIGRATION_CONDITION.blockedByBackup, MIGRATION_CONDITION.blockedByUtilityVolumes];

export const pendingRules: readonly Rule<MigrationSubject, StatusChange>[] = [
  {
    name: 'Queued',
    asks: 'the migration is new, and no other has the VMI',
    source: `${CONTROLLER}:716-735`,
    when: (subject) => inPhase(subject, MIGRATION_PHASE.unset) && mayMigrate(subject),
    reads: ownershipEvidence,
    then: () => ({ phase: MIGRATION_PHASE.pending, events: [] }),
  },
  {
    name: 'AnotherMigrationHasVmi',
    asks: 'the migration is new, and another one that is not over has the VMI',
    source: `${CONTROLLER}:736-746`,
    when: (subject) => inPhase(subject, MIGRATION_PHASE.unset),
    reads: ownershipEvidence,
    then: (subject) =>
      failure(subject, 'VMI is not eligible for migration because another migration job is in progress.'),
  },
  {
    name: 'HeldByBackup',
    asks: 'a backup of the VMI runs, and the migration is not urgent enough to end it',
    source: `${CONTROLLER}:747-765`,
    when: (subject) => isPending(subject) && isHeldByBackup(subject),
    reads: backupEvidence,
    then: (subject) => withCondition(subject, MIGRATION_CONDITION.blockedByBackup, 'BackupInProgress'),
  },
  {
    name: 'UtilityVolumesStayedTooLong',
    asks: 'utility volumes are attached, and the time for them to go is over',
    source: `${CONTROLLER}:766-785`,
    when: (subject) => isPending(subject) && hasUtilityVolumes(subject) && hasWaitedForVolumes(subject),
    reads: volumeEvidence,
    then: (subject) => failure(subject),
  },
  {
    name: 'HeldByUtilityVolumes',
    asks: 'utility volumes are attached',
    source: `${CONTROLLER}:766-785`,
    when: (subject) => isPending(subject) && hasUtilityVolumes(subject),
    reads: volumeEvidence,
    then: (subject) => withCondition(subject, MIGRATION_CONDITION.blockedByUtilityVolumes),
  },
  {
    name: 'TargetPodExists',
    asks: 'there is a target pod, with all its plugged volumes ready',
    source: `${CONTROLLER}:786-796`,
    when: (subject) => isPending(subject) && subject.targetPod !== undefined && isAttachmentReady(subject),
    reads: (subject) => [podEvidence(subject, 'targetPod'), podEvidence(subject, 'attachmentPod')],
    then: () => ({ phase: MIGRATION_PHASE.scheduling, removeConditions: UNBLOCKED, events: [] }),
  },
  {
    name: 'RejectedByQuota',
    asks: 'the target pod would exceed a resource quota',
    source: `${CONTROLLER}:797-805`,
    when: (subject) => isPending(subject) && subject.targetPod === undefined && isOverQuota(subject),
    reads: ({ migration, creationError }) => [migrationField(migration, 'targetPod', creationError)],
    then: (subject) => ({
      ...withCondition(subject, MIGRATION_CONDITION.rejectedByResourceQuota),
      removeConditions: UNBLOCKED,
    }),
  },
  {
    name: 'WaitsForTarget',
    asks: 'the migration waits for its turn or for its target pod',
    source: `${CONTROLLER}:786-805`,
    when: isPending,
    reads: (subject) => [phaseEvidence(subject), podEvidence(subject, 'targetPod')],
    then: () => ({ removeConditions: UNBLOCKED, events: [] }),
  },
];

function ownershipEvidence(subject: MigrationSubject): Evidence[] {
  const owner = subject.stateOwner;
  return [
    ...stateEvidence(subject, 'migrationUid'),
    ...(owner ? [migrationField(owner, 'status.phase', owner.status?.phase)] : []),
  ];
}

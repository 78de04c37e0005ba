/**
 * What a pass over a migration does in the cluster, before its status is looked at; canceling is among it.
 * evacuation-and-migration §3, §3.2 (VMI side) and §3.3 of the spec.
 */
import { MIGRATION_PHASE } from '../../kubevirt/names.ts';
import { isPodFinished } from '../../kubevirt/predicates.ts';
import type { EventDraft } from '../events.ts';
import { vmiField } from '../evidence.ts';
import type { Table } from '../rules.ts';
import { abortRequest, cancelEvent, failedBeforeStart, type StatePatch } from './cancel.ts';
import {
  CONTROLLER,
  deletionEvidence,
  hasHotplugVolumes,
  hasUtilityVolumes,
  inPhase,
  isBackupRunning,
  isCanceled,
  isHandedOff,
  isHeldByBackup,
  isOurs,
  isPending,
  isTargetReady,
  type MigrationSubject,
  mayMigrate,
  phaseEvidence,
  podEvidence,
  stateEvidence,
  stateOf,
} from './subject.ts';

export type MigrationAction =
  | { readonly action: 'Nothing' }
  /** A migration whose VMI is gone is deleted. */
  | { readonly action: 'DeleteMigration' }
  | { readonly action: 'DeleteTargetPod'; readonly afterDeletion: EventDraft }
  | { readonly action: 'AbortBackup' }
  /** Ask `backoffTable`, then `targetPodTable`, and create the target pod if both let it. */
  | { readonly action: 'CreateTargetPod' }
  | { readonly action: 'CreateAttachmentPod' }
  /** Ask `targetTimeoutTable`. */
  | { readonly action: 'WatchTargetPod' }
  /** Write what `handOff` says into the VMI. */
  | { readonly action: 'HandOff' }
  /** Replace the VMI's `status.migrationState`, then record the event. */
  | ({ readonly action: 'PatchState' } & StatePatch);

const NOTHING: MigrationAction = { action: 'Nothing' };

function isBeforeHandOff(subject: MigrationSubject): boolean {
  if (inPhase(subject, MIGRATION_PHASE.scheduled)) return !isHandedOff(subject);
  return inPhase(subject, MIGRATION_PHASE.pending, MIGRATION_PHASE.scheduling);
}

/** The target is gone before virt-handler had anything to do with it, so nobody else will say that the move failed. */
function isStrandedOnVmi(subject: MigrationSubject): boolean {
  const { preparingTarget, targetReady, failed } = MIGRATION_PHASE;
  const state = stateOf(subject);
  const targetIsDown = subject.targetPod === undefined || isPodFinished(subject.targetPod);
  if (!inPhase(subject, preparingTarget, targetReady, failed) || !state || !targetIsDown) return false;
  const isListening = Object.keys(state.targetDirectMigrationNodePorts ?? {}).length > 0;
  return !isListening && !state.startTimestamp && !state.failed && !state.completed;
}

/** In this order. Between two passes nothing of this happens while pods or claims that were asked for are not seen yet. */
export const migrationActionTable: Table<MigrationSubject, MigrationAction> = [
  {
    name: 'VmiGone',
    asks: 'the VMI does not exist (any more)',
    source: `${CONTROLLER}:369-450`,
    when: ({ vmi }) => vmi === undefined,
    reads: (subject) => [phaseEvidence(subject)],
    then: () => ({ action: 'DeleteMigration' }),
  },
  {
    name: 'VmiBeingDeleted',
    asks: 'the VMI is being deleted',
    source: `${CONTROLLER}:1760-1775`,
    when: ({ vmi }) => vmi?.metadata.deletionTimestamp !== undefined,
    reads: ({ vmi }) =>
      vmi ? [vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp)] : [],
    then: () => NOTHING,
  },
  {
    name: 'FinishedOnVmi',
    asks: 'the VMI tells that this migration is completed',
    source: `${CONTROLLER}:1760-1775`,
    when: (subject) => isOurs(subject) && stateOf(subject)?.completed === true,
    reads: (subject) => stateEvidence(subject, 'completed'),
    then: () => NOTHING,
  },
  {
    name: 'AnotherMigrationHasVmi',
    asks: 'another migration that is not over has the VMI',
    source: `${CONTROLLER}:1776-1785`,
    when: (subject) => !mayMigrate(subject),
    reads: (subject) => stateEvidence(subject, 'migrationUid'),
    then: () => NOTHING,
  },
  {
    name: 'CanceledWithTargetPod',
    asks: 'the migration was deleted before it was handed off, and has a target pod',
    source: `${CONTROLLER}:1156-1190`,
    when: (subject) => isBeforeHandOff(subject) && isCanceled(subject) && subject.targetPod !== undefined,
    reads: (subject) => [deletionEvidence(subject), podEvidence(subject, 'targetPod')],
    then: (subject) => ({ action: 'DeleteTargetPod', afterDeletion: cancelEvent(subject) }),
  },
  {
    name: 'CanceledWithoutTargetPod',
    asks: 'the migration was deleted before it was handed off, and has no target pod',
    source: `${CONTROLLER}:1156-1190`,
    when: (subject) => isBeforeHandOff(subject) && isCanceled(subject),
    reads: (subject) => [deletionEvidence(subject), podEvidence(subject, 'targetPod')],
    then: () => NOTHING,
  },
  {
    name: 'TargetNeedsAttachmentPod',
    asks: 'the target pod is ready, and the plugged volumes are not attached to it',
    source: `${CONTROLLER}:1786-1860`,
    when: (subject) =>
      isPending(subject) &&
      isTargetReady(subject.targetPod) &&
      hasHotplugVolumes(subject.vmi) &&
      subject.attachmentPod === undefined,
    reads: (subject) => [podEvidence(subject, 'targetPod'), podEvidence(subject, 'attachmentPod')],
    then: () => ({ action: 'CreateAttachmentPod' }),
  },
  {
    name: 'TargetPodWatched',
    asks: 'there is a target pod, which may be slow to start',
    source: `${CONTROLLER}:1786-1860`,
    when: (subject) =>
      inPhase(subject, MIGRATION_PHASE.pending, MIGRATION_PHASE.scheduling) &&
      subject.targetPod !== undefined,
    reads: (subject) => [podEvidence(subject, 'targetPod')],
    then: () => ({ action: 'WatchTargetPod' }),
  },
  {
    name: 'Held',
    asks: 'a backup or utility volumes hold the migration',
    source: `${CONTROLLER}:747-785`,
    when: (subject) => isPending(subject) && (isHeldByBackup(subject) || isHeldByVolumes(subject)),
    reads: holdEvidence,
    then: () => NOTHING,
  },
  {
    name: 'BackupAborted',
    asks: 'a backup runs that the migration overrides',
    source: `${CONTROLLER}:747-765`,
    when: (subject) => isPending(subject) && isBackupRunning(subject),
    reads: holdEvidence,
    then: () => ({ action: 'AbortBackup' }),
  },
  {
    name: 'SourcePodGone',
    asks: 'the VMI has no pod to leave',
    source: `${CONTROLLER}:1786-1860`,
    when: (subject) => isPending(subject) && subject.sourcePod === undefined,
    reads: (subject) => [phaseEvidence(subject)],
    then: () => NOTHING,
  },
  {
    name: 'TargetPodWanted',
    asks: 'the migration has no target pod yet',
    source: `${CONTROLLER}:1786-1860`,
    when: isPending,
    reads: (subject) => [phaseEvidence(subject), podEvidence(subject, 'targetPod')],
    then: () => ({ action: 'CreateTargetPod' }),
  },
  {
    name: 'HandOff',
    asks: 'the target pod is ready, and the migration is not handed off yet',
    source: `${CONTROLLER}:1199-1293`,
    when: (subject) =>
      inPhase(subject, MIGRATION_PHASE.scheduled) &&
      isTargetReady(subject.targetPod) &&
      !isHandedOff(subject),
    reads: (subject) => [podEvidence(subject, 'targetPod'), ...stateEvidence(subject, 'migrationUid')],
    then: () => ({ action: 'HandOff' }),
  },
  {
    name: 'FailedBeforeStart',
    asks: 'the target is gone before the copy started, and the VMI does not tell that it failed',
    source: `${CONTROLLER}:1114-1154`,
    when: isStrandedOnVmi,
    reads: (subject) => [
      phaseEvidence(subject),
      podEvidence(subject, 'targetPod'),
      ...stateEvidence(subject, 'startTimestamp'),
    ],
    then: (subject) => ({ action: 'PatchState', ...failedBeforeStart(subject) }),
  },
  {
    name: 'CanceledWhileRunning',
    asks: 'the migration was deleted while it runs, and the source node does not know yet',
    source: `${CONTROLLER}:1295-1344`,
    when: (subject) =>
      inPhase(subject, MIGRATION_PHASE.running) &&
      isCanceled(subject) &&
      stateOf(subject) !== undefined &&
      stateOf(subject)?.abortRequested !== true,
    reads: (subject) => [deletionEvidence(subject), ...stateEvidence(subject, 'abortRequested')],
    then: (subject) => ({ action: 'PatchState', ...abortRequest(subject) }),
  },
  {
    name: 'NothingToDo',
    asks: 'others are at work, or nobody',
    source: `${CONTROLLER}:1760-1860`,
    when: () => true,
    reads: (subject) => [phaseEvidence(subject)],
    then: () => NOTHING,
  },
];

function isHeldByVolumes(subject: MigrationSubject): boolean {
  return hasUtilityVolumes(subject) && !isBackupRunning(subject);
}

function holdEvidence({ vmi }: MigrationSubject) {
  if (!vmi) return [];
  return [
    vmiField(vmi, 'status.changedBlockTracking.backupStatus', vmi.status?.changedBlockTracking?.backupStatus),
    vmiField(vmi, 'spec.utilityVolumes', vmi.spec?.utilityVolumes),
  ];
}

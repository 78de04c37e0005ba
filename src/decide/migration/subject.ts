/** What one pass of the migration controller looks at, and the small questions that its tables share. */

import { CONDITION, MIGRATION_PHASE, PRIORITY } from '../../kubevirt/names.ts';
import type { Migration, MigrationState, Pod, Vmi } from '../../kubevirt/objects.ts';
import { isConditionTrue, isMigrationFinal } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { migrationField, podField, vmiField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { isHotpluggable } from '../vmi/attachments.ts';
import { isPodDownOrGoingDown } from '../vmi/pod-state.ts';

/** Where the rows of the tables come from. */
export const CONTROLLER = 'kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go';

export interface MigrationSubject {
  readonly migration: Migration;
  /** The VMI that it names; undefined: gone. */
  readonly vmi: Vmi | undefined;
  /** The launcher that the VMI is in now. */
  readonly sourcePod: Pod | undefined;
  /** The launcher labelled with the migration's UID; undefined: none. */
  readonly targetPod: Pod | undefined;
  /** The attachment pod (`hp-volume-*`) of the target pod; undefined: none. */
  readonly attachmentPod: Pod | undefined;
  /** The migration that the VMI's `migrationState` names by UID, if it still exists. */
  readonly stateOwner: Migration | undefined;
  /** The controller remembers having handed the migration off, even where its copy of the VMI does not show it yet. */
  readonly handedOff: boolean;
  /** Why the target pod could not be created in this pass. */
  readonly creationError?: string | undefined;
  readonly settings: Pick<Settings, 'migrations' | 'rules'>;
  readonly now: Instant;
}

/** The phase; that of a new migration is empty. */
export function phaseOf(migration: Migration): string {
  return migration.status?.phase ?? MIGRATION_PHASE.unset;
}

/** It is in one of the phases. */
export function inPhase({ migration }: MigrationSubject, ...phases: readonly string[]): boolean {
  return phases.includes(phaseOf(migration));
}

/** The VMI's account of a migration, ours or another's. */
export function stateOf({ vmi }: MigrationSubject): MigrationState | undefined {
  return vmi?.status?.migrationState;
}

/** The VMI's account is of this migration. */
export function isOurs(subject: MigrationSubject): boolean {
  const uid = stateOf(subject)?.migrationUid;
  return uid !== undefined && uid === subject.migration.metadata.uid;
}

/** virt-handler has it: the VMI's account is of it, or was written and is not seen yet. */
export function isHandedOff(subject: MigrationSubject): boolean {
  return isOurs(subject) || subject.handedOff;
}

/** It has no target pod yet. */
export function isPending(subject: MigrationSubject): boolean {
  return inPhase(subject, MIGRATION_PHASE.pending);
}

/** Somebody deleted the migration; its finalizer keeps it until its end is noted. */
export function isCanceled({ migration }: MigrationSubject): boolean {
  return migration.metadata.deletionTimestamp !== undefined;
}

/** To or from another cluster or namespace: its own rules apply, which Drover does not know. */
export function isDecentralized({ migration }: Pick<MigrationSubject, 'migration'>): boolean {
  return migration.spec?.sendTo !== undefined || migration.spec?.receive !== undefined;
}

/** No other migration has the VMI: no account, an account of ours or of nobody, or of one that is over or gone. */
export function mayMigrate(subject: MigrationSubject): boolean {
  if (!stateOf(subject)?.migrationUid || isOurs(subject)) return true;
  return subject.stateOwner === undefined || isMigrationFinal(subject.stateOwner);
}

/** It has a condition of the type, whatever its status. */
export function hasCondition({ migration }: MigrationSubject, type: string): boolean {
  return migration.status?.conditions?.some((condition) => condition.type === type) ?? false;
}

/** The pod runs, is Ready, and is to stay. */
export function isTargetReady(pod: Pod | undefined): boolean {
  if (!pod || isPodDownOrGoingDown(pod)) return false;
  return isConditionTrue(pod.status?.conditions, CONDITION.ready);
}

/** A volume was plugged into the running VMI, so its target needs an attachment pod. */
export function hasHotplugVolumes(vmi: Vmi | undefined): boolean {
  const plugged = vmi?.status?.volumeStatus?.some(({ hotplugVolume }) => hotplugVolume !== undefined);
  return Boolean(plugged || vmi?.spec?.volumes?.some(isHotpluggable));
}

/** Whether nothing is missing on the target side: the attachment pod is ready, or none is needed. */
export function isAttachmentReady({ vmi, attachmentPod }: MigrationSubject): boolean {
  return !hasHotplugVolumes(vmi) || isTargetReady(attachmentPod);
}

/** A backup of the VMI has begun and not ended. */
export function isBackupRunning({ vmi }: MigrationSubject): boolean {
  const backup = vmi?.status?.changedBlockTracking?.backupStatus;
  return backup !== undefined && backup.completed !== true;
}

/** A system-critical migration does not wait for a backup but ends it. */
function overridesBackup({ migration, settings }: MigrationSubject): boolean {
  return settings.rules.criticalMigrationAbortsBackup && migration.spec?.priority === PRIORITY.systemCritical;
}

/** It waits for the end of a backup. */
export function isHeldByBackup(subject: MigrationSubject): boolean {
  return isBackupRunning(subject) && !overridesBackup(subject);
}

/** The VMI has volumes for a while only; its migrations wait until they are gone. */
export function hasUtilityVolumes({ vmi }: MigrationSubject): boolean {
  return (vmi?.spec?.utilityVolumes?.length ?? 0) > 0;
}

export function phaseEvidence({ migration }: MigrationSubject): Evidence {
  return migrationField(migration, 'status.phase', migration.status?.phase);
}

export function deletionEvidence({ migration }: MigrationSubject): Evidence {
  return migrationField(migration, 'metadata.deletionTimestamp', migration.metadata.deletionTimestamp);
}

/** Evidence of a field of the VMI's account; nothing where there is no VMI. */
export function stateEvidence(subject: MigrationSubject, name: keyof MigrationState): Evidence[] {
  return subject.vmi
    ? [vmiField(subject.vmi, `status.migrationState.${name}`, stateOf(subject)?.[name])]
    : [];
}

/** Evidence of a pod's phase; of a pod that is not there, that it is not. */
export function podEvidence(subject: MigrationSubject, which: 'targetPod' | 'attachmentPod'): Evidence {
  const pod = subject[which];
  return pod
    ? podField(pod, 'status.phase', pod.status?.phase)
    : migrationField(subject.migration, which, undefined);
}

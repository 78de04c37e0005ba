/** What the rules about one VMI looked at, by field path. */
import { ANNOTATION, CONDITION } from '../../kubevirt/names.ts';
import type { Migration } from '../../kubevirt/objects.ts';
import { annotationOf, findCondition } from '../../kubevirt/predicates.ts';
import { conditionField, migrationField, vmiField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import type { CategoryInput } from './categorise.ts';
import { CHANGES, outdated, ownMigrations as ownOf } from './staleness.ts';

const VMI = 'VirtualMachineInstance';

export function phase({ vmi }: CategoryInput): Evidence[] {
  return [vmiField(vmi, 'status.phase', vmi.status?.phase)];
}

export function deletion({ vmi }: CategoryInput): Evidence[] {
  return [vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp)];
}

/** The two images that are compared. */
export function images({ vmi, launcherImage }: CategoryInput): Evidence[] {
  return [
    vmiField(vmi, 'status.launcherContainerImageVersion', vmi.status?.launcherContainerImageVersion),
    { object: 'Deployment virt-controller', path: 'args[--launcher-image]', value: launcherImage },
  ];
}

/** The pending changes that are there; what is absent is not told. */
function changes({ vmi }: CategoryInput): Evidence[] {
  const conditions = vmi.status?.conditions;
  return CHANGES.filter((type) => findCondition(conditions, type)).map((type) =>
    conditionField(vmi, type, VMI),
  );
}

/** Why a VMI counts: the images where they differ, else the pending changes. */
export function staleness(input: CategoryInput): Evidence[] {
  return outdated(input.vmi, input.launcherImage) ? images(input) : changes(input);
}

export function migrationState({ vmi }: CategoryInput): Evidence[] {
  const state = vmi.status?.migrationState;
  return [
    vmiField(vmi, 'status.migrationState.startTimestamp', state?.startTimestamp),
    vmiField(vmi, 'status.migrationState.endTimestamp', state?.endTimestamp),
  ];
}

export function migrations({ unfinishedMigrations }: CategoryInput): Evidence[] {
  return unfinishedMigrations.map(phaseOf);
}

export function ownMigrations({ unfinishedMigrations }: CategoryInput): Evidence[] {
  return ownOf(unfinishedMigrations).map(phaseOf);
}

function phaseOf(migration: Migration): Evidence {
  return migrationField(migration, 'status.phase', migration.status?.phase);
}

/** Why a migration of the updater is or is not wanted any more. */
export function purpose(input: CategoryInput): Evidence[] {
  const { vmi } = input;
  const abort = ANNOTATION.abortWorkloadUpdate;
  const readyAt = vmi.status?.migrationState?.targetNodeDomainReadyTimestamp;
  return [
    vmiField(vmi, `metadata.annotations[${abort}]`, annotationOf(vmi, abort)),
    ...changes(input),
    vmiField(vmi, 'status.migrationState.targetNodeDomainReadyTimestamp', readyAt),
  ];
}

export function methods(input: CategoryInput): Evidence[] {
  const path = 'spec.workloadUpdateStrategy.workloadUpdateMethods';
  return [{ object: 'KubeVirt', path, value: input.methods }];
}

/** One that is True where there is one, since it decides; else the first. */
export function migratability({ vmi }: CategoryInput): Evidence[] {
  const conditions = vmi.status?.conditions;
  const affirmed = conditions?.filter((c) => c.type === CONDITION.liveMigratable && c.status === 'True');
  const shown = affirmed?.length ? affirmed : conditions;
  return [conditionField({ ...vmi, status: { conditions: shown } }, CONDITION.liveMigratable, VMI)];
}

export function volumes({ vmi }: CategoryInput): Evidence[] {
  const names = vmi.status?.migratedVolumes?.map((volume) => volume.volumeName);
  return [vmiField(vmi, 'status.migratedVolumes', names)];
}

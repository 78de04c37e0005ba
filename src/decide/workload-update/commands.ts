import { ANNOTATION, LABEL, MIGRATION_NAME_PREFIX, PRIORITY } from '../../kubevirt/names.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import type { MigrationDraft } from '../migration/draft.ts';
import type { Behavior } from '../rules.ts';
import { isChangePending, isVolumeUpdateInProgress } from './staleness.ts';

/** An eviction as it is sent to the pod's `eviction` subresource. Empty options: the pod's own grace period. */
export interface EvictionBody {
  readonly apiVersion: 'policy/v1beta1';
  readonly kind: 'Eviction';
  readonly metadata: { readonly name: string; readonly namespace: string | undefined };
  readonly deleteOptions: Readonly<Record<string, never>>;
}

export interface CreateMigration {
  readonly kind: 'createMigration';
  readonly vmi: Vmi;
  readonly migration: MigrationDraft;
}

export interface EvictPod {
  readonly kind: 'evictPod';
  readonly vmi: Vmi;
  readonly eviction: EvictionBody;
}

export interface DeleteMigration {
  readonly kind: 'deleteMigration';
  readonly vmi: Vmi;
  readonly migration: Migration;
}

/** Something to be asked of the API server on behalf of one VMI. All commands of a pass may run at once. */
export type Command = CreateMigration | EvictPod | DeleteMigration;

/** Kubernetes refuses label values that are longer. */
const LABEL_VALUE_MAX = 63;

/** The migration that a VMI gets: workload-update §7.1 of the spec. Without `sendsPriority` it has no priority. */
export function createMigration(vmi: Vmi, behavior: Behavior, sendsPriority: boolean): CreateMigration {
  const { name: vmiName, namespace } = vmi.metadata;
  const migration: MigrationDraft = {
    generateName: MIGRATION_NAME_PREFIX.workloadUpdate,
    namespace,
    annotations: { [ANNOTATION.workloadUpdateMigration]: '' },
    ...(isVolumeUpdateInProgress(vmi) && { labels: { [LABEL.volumeUpdateMigration]: labelValueFor(vmi) } }),
    spec: sendsPriority ? { vmiName, priority: priorityFor(vmi, behavior) } : { vmiName },
  };
  return { kind: 'createMigration', vmi, migration };
}

/** The VMI's name, or its UID where the name is no legal label value. */
function labelValueFor(vmi: Vmi): string {
  const { name, uid } = vmi.metadata;
  return name.length > LABEL_VALUE_MAX ? (uid ?? '') : name;
}

/** A change that a user asked for comes before the upgrade, which is the system's own wish. */
function priorityFor(vmi: Vmi, behavior: Behavior): string {
  return isChangePending(vmi, behavior) ? PRIORITY.userTriggered : PRIORITY.systemCritical;
}

/** The eviction of a VMI's current pod: workload-update §7.2 of the spec. */
export function evictPod(vmi: Vmi, pod: Pod): EvictPod {
  const { name, namespace } = pod.metadata;
  const eviction: EvictionBody = {
    apiVersion: 'policy/v1beta1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: {},
  };
  return { kind: 'evictPod', vmi, eviction };
}

/** The end of a migration that has lost its purpose: workload-update §7.3 of the spec. */
export function deleteMigration(vmi: Vmi, migration: Migration): DeleteMigration {
  return { kind: 'deleteMigration', vmi, migration };
}

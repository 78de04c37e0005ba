import type { ApiResult } from '../decide/api-result.ts';
import type { MigrationDraft } from '../decide/migration/draft.ts';
import { migrationName } from '../decide/migration/migration-name.ts';
import type { Behavior } from '../decide/rules.ts';
import type { DeleteMigration, EvictPod } from '../decide/workload-update/commands.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { extended } from '../kubevirt/shapes.ts';
import type { Cluster } from './ports.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';

/** A migration that is about to be created. */
export interface NamedCreation {
  readonly vmi: Vmi;
  readonly migration: MigrationDraft;
  /** Absent: the API server makes it up. */
  readonly name?: string | undefined;
}

/** Gives a migration the name that it has in this picture; none in `exact`, where the API server makes it up. */
export function named(
  { fleet }: Pick<Cluster, 'fleet'>,
  { vmi, migration }: NamedCreation,
  behavior: Behavior,
): NamedCreation {
  if (behavior === 'exact') return { vmi, migration };
  return { vmi, migration, name: migrationName(migration.generateName, vmi, fleet.migrationsOf(vmi)) };
}

/** Creates a migration. One that is there already under the very name is as good as created: it was, by an earlier try. */
export async function createMigration(
  cluster: Cluster,
  { migration: { generateName, namespace, annotations, labels, spec }, name }: NamedCreation,
): Promise<ApiResult> {
  const identity = name === undefined ? { generateName } : { name };
  const metadata = extended(identity, { namespace, annotations, ...(labels && { labels }) });
  const result = await cluster.create(MIGRATION, namespace, { metadata, spec });
  const isDone = name !== undefined && !result.ok && result.reason === 'AlreadyExists';
  return isDone ? { ok: true, name } : result;
}

/** Asks for the eviction of a pod, once; what a refusal means is for the caller to say. */
export function evict(cluster: Cluster, { eviction }: EvictPod): Promise<ApiResult> {
  const { namespace = '', name } = eviction.metadata;
  return cluster.evict({ namespace, pod: name, body: eviction });
}

/** Asks for the deletion of a migration, which cancels it; one that is gone is a failure with 404. */
export function deleteMigration(cluster: Cluster, { migration }: DeleteMigration): Promise<ApiResult> {
  return cluster.delete(MIGRATION, keyOf(migration));
}

import {
  ANNOTATION,
  CONDITION,
  DESCHEDULER,
  MIGRATION_EVENT,
  MIGRATION_NAME_PREFIX,
  PRIORITY,
} from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { annotationOf, findCondition, keyOf } from '../../kubevirt/predicates.ts';
import { type EventDraft, eventOnVmi } from '../events.ts';
import type { MigrationDraft } from '../migration/draft.ts';
import type { VersionRules } from '../versions.ts';

/**
 * The migration that takes the VMI off the node. An eviction that the descheduler asked for can wait behind others;
 * versions without priorities set none. kubevirt v1.9.0 pkg/virt-controller/watch/drain/evacuation/evacuation.go:336-356.
 */
export function evacuationMigration(
  vmi: Vmi,
  node: string,
  rules: Pick<VersionRules, 'migrationPriorities'>,
): MigrationDraft {
  const vmiName = vmi.metadata.name;
  return {
    generateName: MIGRATION_NAME_PREFIX.evacuation,
    namespace: vmi.metadata.namespace,
    annotations: { [ANNOTATION.evacuationMigration]: node },
    spec: rules.migrationPriorities ? { vmiName, priority: evacuationPriority(vmi) } : { vmiName },
  };
}

function evacuationPriority(vmi: Vmi): string {
  const byDescheduler = annotationOf(vmi, ANNOTATION.evictionSource) === DESCHEDULER.source;
  return byDescheduler ? PRIORITY.systemMaintenance : PRIORITY.systemCritical;
}

/** What the API server answered to a creation. */
export type CreationResult = { readonly created: string } | { readonly error: string };

/** The event that tells the outcome on the VMI. */
export function creationEvent(vmi: Vmi, result: CreationResult): EventDraft {
  if ('created' in result) {
    return eventOnVmi(vmi, 'Normal', MIGRATION_EVENT.successfulCreate, `Created Migration ${result.created}`);
  }
  const message = `Error creating a Migration: ${result.error}`;
  return eventOnVmi(vmi, 'Warning', MIGRATION_EVENT.failedCreate, message);
}

/** Drover's own: says on a VMI that should go why it does not. KubeVirt stays silent here. */
export function cannotMigrateEvent(vmi: Vmi): EventDraft {
  const condition = findCondition(vmi.status?.conditions, CONDITION.liveMigratable);
  const told = [condition?.reason, condition?.message].filter(Boolean).join(': ');
  const why = told === '' ? `LiveMigratable is ${condition?.status ?? 'absent'}` : told;
  const message = `VMI ${keyOf(vmi)} should leave node ${vmi.status?.nodeName} but cannot live-migrate: ${why}`;
  return eventOnVmi(vmi, 'Warning', MIGRATION_EVENT.failedCreate, message);
}

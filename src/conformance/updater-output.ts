/** The updater's plan and doings, written as the vectors write them. */
import { currentPod } from '../decide/current-pod.ts';
import type { EventDraft } from '../decide/events.ts';
import type { MigrationDraft } from '../decide/migration/draft.ts';
import { createMigration } from '../decide/workload-update/commands.ts';
import { ownMigrations } from '../decide/workload-update/staleness.ts';
import type { StatusPatch } from '../decide/workload-update/status-patch.ts';
import type { Survey } from '../decide/workload-update/survey.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { compareText } from '../kubevirt/order.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { type Answered, commandsOf, type Execution } from './updater.ts';

export function writtenPlan(survey: Survey, pods: readonly Pod[]) {
  const { outdated, migratable, evictable, abortable, unfinishedByVmi } = survey;
  const deletes = (vmi: Vmi) => ownMigrations(unfinishedByVmi.get(keyOf(vmi)) ?? []);
  return {
    allOutdated: keysOf(outdated),
    migratable: keysOf(migratable),
    evict: keysOf(evictable),
    abort: keysOf(abortable),
    numActiveMigrations: survey.activeMigrations,
    evictionPod: perVmi(evictable, (vmi) => podKey(currentPod(vmi, pods))),
    abortDeletes: perVmi(abortable, (vmi) => keysOf(deletes(vmi))),
  };
}

/** The migration of every VMI that could migrate, were there places for all; absent where none could. */
export function writtenMigrations({ migratable }: Survey) {
  if (migratable.length === 0) return undefined;
  return perVmi(migratable, (vmi) => writtenMigration(createMigration(vmi, 'exact', true).migration));
}

/** Everything that an execution did, save what it left in memory. */
export function writtenDoings(execution: Execution, key: string) {
  const created = commandsOf(execution, 'createMigration');
  const evictions = commandsOf(execution, 'evictPod');
  const accepted = created.filter(({ result }) => result.ok);
  return {
    addAfter: writtenRequeue(execution, key),
    apiErrorsHit: [...new Set(execution.failures)].sort(compareText),
    events: execution.answered.flatMap(writtenEvent),
    evictions: evictions.map(writtenEviction),
    evictionsCount: evictions.length,
    kubevirtStatusPatches: execution.statusPatch ? [writtenPatch(execution.statusPatch)] : [],
    metricOutdated: execution.pass?.outdatedCount ?? null,
    migrationsAttempted: keysOf(created.map(({ command }) => command.vmi)),
    migrationsAttemptedCount: created.length,
    migrationsCreated: accepted.map(({ command }) => writtenMigration(command.migration)),
    migrationsCreatedCount: accepted.length,
    migrationsDeleted: keysOf(
      commandsOf(execution, 'deleteMigration').flatMap(({ command, result }) =>
        result.ok ? command.migration : [],
      ),
    ),
  };
}

function writtenRequeue({ pass, acted }: Execution, key: string) {
  const seconds = acted ? pass?.requeueAfterSeconds : undefined;
  return seconds === undefined ? [] : [{ key, nanoseconds: Math.round(seconds * 1e9) }];
}

function writtenEvent({ followUp: { event } }: Answered) {
  return event === undefined ? [] : [writeEvent(event)];
}

/** An event as the vectors write it down. */
export function writeEvent({ kind, namespace, name, type, reason, message }: EventDraft) {
  return { object: `${kind} ${keyOf({ metadata: { namespace, name } })}`, type, reason, message };
}

function writtenEviction({ command, result }: ReturnType<typeof commandsOf<'evictPod'>>[number]) {
  const { metadata, deleteOptions } = command.eviction;
  const { name, namespace } = metadata;
  return {
    body: { metadata: { name, namespace }, deleteOptions },
    namespace,
    pod: name,
    ...(!result.ok && { error: result.message }),
  };
}

function writtenMigration({ annotations, generateName, labels, namespace, spec }: MigrationDraft) {
  const { priority = '', vmiName } = spec;
  return { annotations, generateName, labels: labels ?? null, namespace, priority, spec, vmiName };
}

function writtenPatch({ name, namespace, patch, patchType, subresource }: StatusPatch) {
  return { name, namespace, patch, patchType, subresource };
}

function podKey(pod: Pod | undefined): string | null {
  return pod ? keyOf(pod) : null;
}

function perVmi<T>(vmis: readonly Vmi[], write: (vmi: Vmi) => T): Record<string, T> {
  return Object.fromEntries(vmis.map((vmi) => [keyOf(vmi), write(vmi)]));
}

function keysOf(objects: readonly Parameters<typeof keyOf>[0][]): string[] {
  return objects.map(keyOf).sort(compareText);
}

/** Texts of the fields of an object whose keys may come in any order. */
export function fingerprint(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const fields = Object.entries(value).map(([key, inner]) => `${key}:${fingerprint(inner)}`);
  return `{${fields.sort(compareText).join()}}`;
}

/** The same with its lists of events, evictions and migrations in one order, for comparing two of them. */
export function withListsSorted<T extends object>(doings: T): T {
  const sorted = Object.entries(doings).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.toSorted((a, b) => compareText(fingerprint(a), fingerprint(b))) : value,
  ]);
  return Object.fromEntries(sorted) as T;
}

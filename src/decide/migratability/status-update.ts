import { STRATEGY } from '../../kubevirt/names.ts';
import type { Condition, Vmi } from '../../kubevirt/objects.ts';
import { findCondition } from '../../kubevirt/predicates.ts';
import { type EventDraft, eventOnVmi } from '../events.ts';
import { isMigratableOnEviction } from '../eviction-strategy.ts';
import { saysTheSame, withCondition } from '../vmi/conditions.ts';
import type { MigratabilityInput } from './input.ts';
import { liveMigratableCondition, storageLiveMigratableCondition } from './live-migratable.ts';
import { judgeVolumes } from './volumes.ts';

/** What one status sync of virt-handler makes of a VMI's migratability. */
export interface MigratabilityUpdate {
  /** The whole list of conditions afterwards. */
  readonly conditions: readonly Condition[];
  readonly migrationMethod: 'BlockMigration' | 'LiveMigration';
  readonly events: readonly EventDraft[];
}

/**
 * The status of a VMI that is not final and not being migrated, as its virt-handler updates it (migratability §1, §5, §7 of
 * the spec; VH:747-771).
 *
 * Promise: a LiveMigratable that changed in anything, its times included, goes to the end of the list;
 * StorageLiveMigratable keeps its place.
 */
export function updateMigratability(input: MigratabilityInput): MigratabilityUpdate {
  const { vmi } = input;
  const condition = liveMigratableCondition(input);
  const moved = replaceAtEnd(vmi.status?.conditions ?? [], condition);
  const conditions = withCondition(moved, storageLiveMigratableCondition(input));
  return {
    conditions,
    migrationMethod: judgeVolumes(vmi).isBlockMigration ? 'BlockMigration' : 'LiveMigration',
    events: warnings(input, condition, conditions),
  };
}

function replaceAtEnd(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  const held = findCondition(conditions, condition.type);
  if (held && saysTheSame(held, condition) && held.lastTransitionTime === undefined) return conditions;
  return [...conditions.filter(({ type }) => type !== condition.type), condition];
}

/** Warns of a VMI whose strategy demands a migration that cannot be. */
function warnings(
  { vmi, configuration }: MigratabilityInput,
  condition: Condition,
  conditions: readonly Condition[],
): readonly EventDraft[] {
  const settings = { evictionStrategy: configuration?.evictionStrategy ?? STRATEGY.none };
  const updated: Vmi = { ...vmi, status: { ...vmi.status, conditions: [...conditions] } };
  if (!isMigratableOnEviction(updated, settings) || condition.status !== 'False') return [];
  const told = `EvictionStrategy is set but vmi is not migratable; ${condition.message ?? ''}`;
  return [eventOnVmi(vmi, 'Warning', 'Migrated', told)];
}

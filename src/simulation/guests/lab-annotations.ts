import type { Vmi } from '../../kubevirt/objects.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import {
  type GuestBehavior,
  INJECTED_FAILURE,
  type MigrationBehavior,
  RECORDED_BEHAVIOR,
  type ShutdownBehavior,
  type TaughtMigratability,
} from './behavior.ts';

/** The knobs of the recorded histories' stand-in. */
const SHUTDOWN = 'lab/shutdown';
const MIGRATION = 'lab/migration';
const MIGRATABLE = 'lab/migratable';

/** Whether an annotation tells a guest how to behave; whoever reads them has to keep them in the fleet. */
export function isLabAnnotation(name: string): boolean {
  return name.startsWith('lab/');
}

/**
 * Behaviour by annotations of the VMI: `lab/shutdown` = `clean:N` or `ignore`, `lab/migration` = `ok:N` or `fail:N`,
 * `lab/migratable` = `true` or the reason that LiveMigratable=False is to carry. What is absent or makes no sense is as in `base`.
 */
export function behaviorByAnnotations(vmi: Vmi, base: GuestBehavior = RECORDED_BEHAVIOR): GuestBehavior {
  const shutdown = shutdownOf(annotationOf(vmi, SHUTDOWN));
  const migration = migrationOf(annotationOf(vmi, MIGRATION));
  const migratability = migratabilityOf(annotationOf(vmi, MIGRATABLE));
  if (!shutdown && !migration && !migratability) return base;
  return {
    ...base,
    shutdown: shutdown ?? base.shutdown,
    migration: migration ?? base.migration,
    migratability: migratability ?? base.migratability,
  };
}

function shutdownOf(told: string | undefined): ShutdownBehavior | undefined {
  if (told === 'ignore') return { kind: 'ignores', seconds: 0 };
  const seconds = secondsAfter('clean:', told);
  return seconds === undefined ? undefined : { kind: 'clean', seconds };
}

function migrationOf(told: string | undefined): MigrationBehavior | undefined {
  const taken = secondsAfter('ok:', told);
  if (taken !== undefined) return { kind: 'takes', seconds: taken };
  const failed = secondsAfter('fail:', told);
  return failed === undefined ? undefined : { kind: 'fails', seconds: failed, reason: INJECTED_FAILURE };
}

function secondsAfter(prefix: string, told: string | undefined): number | undefined {
  if (!told?.startsWith(prefix)) return undefined;
  const digits = told.slice(prefix.length);
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}

function migratabilityOf(told: string | undefined): TaughtMigratability | undefined {
  if (!told) return undefined;
  return told === 'true' ? {} : { reason: told, message: 'lab: cannot migrate' };
}

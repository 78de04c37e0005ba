import { describe, expect, it } from 'vitest';
import { aVmi } from './builders.ts';
import type { MigrationState } from './objects.ts';
import {
  findCondition,
  isConditionTrue,
  isMigratable,
  isMigrating,
  migratingChangesAt,
} from './predicates.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const BEFORE = '2026-03-01T11:59:59Z';
const AT = '2026-03-01T12:00:00Z';
const AFTER = '2026-03-01T12:00:01Z';

describe('a migration of a VMI is under way', () => {
  it.each<[string, MigrationState | undefined, boolean]>([
    ['without a state', undefined, false],
    ['in an empty state', {}, false],
    ['started', { startTimestamp: BEFORE }, true],
    ['started at this instant', { startTimestamp: AT }, true],
    ['that starts later', { startTimestamp: AFTER }, false],
    ['of a start that is no timestamp', { startTimestamp: 'soon' }, false],
    ['started and ended', { startTimestamp: BEFORE, endTimestamp: BEFORE }, false],
    ['ended at this instant', { startTimestamp: BEFORE, endTimestamp: AT }, false],
    ['that ends later', { startTimestamp: BEFORE, endTimestamp: AFTER }, true],
    ['of an end that is no timestamp', { startTimestamp: BEFORE, endTimestamp: 'soon' }, true],
    ['that starts after its end', { startTimestamp: AFTER, endTimestamp: BEFORE }, false],
    ['that starts and ends later', { startTimestamp: AFTER, endTimestamp: AFTER }, false],
    ['ended, start unknown', { endTimestamp: BEFORE }, false],
    ['that ends later, start unknown', { endTimestamp: AFTER }, false],
  ])('%s', (_, migrationState, expected) => {
    expect(isMigrating(aVmi().status({ migrationState }).build(), NOW)).toBe(expected);
  });
});

describe('whether a migration is under way may change', () => {
  const SECOND = 1000;
  const LATER = '2026-03-01T12:00:02Z';
  it.each<[string, MigrationState | undefined, number | undefined]>([
    ['never without a state', undefined, undefined],
    ['never in an empty state', {}, undefined],
    ['never after its end', { startTimestamp: BEFORE, endTimestamp: BEFORE }, undefined],
    ['never for what is at this instant', { startTimestamp: AT, endTimestamp: AT }, undefined],
    ['when it starts', { startTimestamp: AFTER }, NOW + SECOND],
    ['when it ends', { startTimestamp: BEFORE, endTimestamp: AFTER }, NOW + SECOND],
    ['when it starts, before its end', { startTimestamp: AFTER, endTimestamp: LATER }, NOW + SECOND],
    ['at the first of both', { startTimestamp: LATER, endTimestamp: AFTER }, NOW + SECOND],
  ])('%s', (_, migrationState, expected) => {
    expect(migratingChangesAt(aVmi().status({ migrationState }).build(), NOW)).toBe(expected);
  });

  it('never without a status', () => {
    const bare = { ...aVmi().build(), status: undefined };
    expect([isMigrating(bare, NOW), migratingChangesAt(bare, NOW)]).toEqual([false, undefined]);
  });
});

describe('conditions', () => {
  const twice = aVmi().migratable('False').migratable('True').build();

  it('are found by type, the first of several', () => {
    expect(findCondition(twice.status?.conditions, 'LiveMigratable')?.status).toBe('False');
    expect(isConditionTrue(twice.status?.conditions, 'LiveMigratable')).toBe(false);
    expect(findCondition(twice.status?.conditions, 'Ready')).toBeUndefined();
    expect(findCondition(undefined, 'Ready')).toBeUndefined();
  });

  it('let a VMI migrate by any that says so', () => {
    expect(isMigratable(twice)).toBe(true);
    expect(isMigratable(aVmi().migratable('False').condition('Ready', 'True').build())).toBe(false);
    expect(isMigratable({ ...twice, status: undefined })).toBe(false);
  });
});

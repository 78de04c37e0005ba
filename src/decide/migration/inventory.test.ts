import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import {
  hasMigrationFailed,
  hasRunningMigration,
  isMigrationOf,
  runningMigrations,
  unfinishedMigrations,
  workloadUpdateMigrationsOf,
} from './inventory.ts';

const vmi = aVmi('db').build();
const at = (phase: string, name = phase) => aMigration(`m-${name}`).phase(phase).build();
const names = (migrations: readonly { metadata: { name: string } }[]) =>
  migrations.map((m) => m.metadata.name);

describe('migrations by phase', () => {
  const all = [
    '',
    'Pending',
    'Scheduling',
    'Running',
    'WaitingForSync',
    'Synchronizing',
    'Succeeded',
    'Failed',
    'Odd',
  ].map((phase) => at(phase));

  it('unfinished are all but Succeeded and Failed', () => {
    expect(names(unfinishedMigrations(all))).toEqual([
      'm-',
      'm-Pending',
      'm-Scheduling',
      'm-Running',
      'm-WaitingForSync',
      'm-Synchronizing',
      'm-Odd',
    ]);
  });

  it('running are those past Pending that do not wait for another cluster, unknown phases among them', () => {
    expect(names(runningMigrations(all))).toEqual(['m-Scheduling', 'm-Running', 'm-Odd']);
  });

  it('a decentralized source takes no place while Scheduling', () => {
    const source = aMigration().spec({ sendTo: {} });
    expect(runningMigrations([source.phase('Scheduling').build()])).toEqual([]);
    expect(runningMigrations([source.phase('Scheduled').build()])).toHaveLength(1);
  });
});

describe('migrations of one VMI', () => {
  it.each([
    ['same name and namespace', aMigration('m', 'db', 'shop'), true],
    ['another VMI', aMigration('m', 'web', 'shop'), false],
    ['another namespace', aMigration('m', 'db', 'lab'), false],
  ])('%s: %s', (_, migration, expected) => {
    expect(isMigrationOf(migration.build(), vmi)).toBe(expected);
  });

  it('workload updates are the unfinished annotated ones of the VMI', () => {
    const migrations = [
      aMigration('new').workloadUpdate(),
      aMigration('going').workloadUpdate().phase('Running'),
      aMigration('done').workloadUpdate().phase('Succeeded'),
      aMigration('by-hand').phase('Running'),
      aMigration('evacuation').evacuation().phase('Running'),
      aMigration('other', 'web').workloadUpdate(),
      aMigration('elsewhere', 'db', 'lab').workloadUpdate(),
    ].map((m) => m.build());
    expect(names(workloadUpdateMigrationsOf(vmi, migrations))).toEqual(['new', 'going']);
  });

  it.each([
    ['none', [], false],
    ['pending only', [at('Pending')], false],
    ['under way', [at('Pending'), at('TargetReady')], true],
    ['another VMI under way', [aMigration('x', 'web').phase('Running').build()], false],
    ['finished', [at('Failed')], false],
  ])('%s: running = %s', (_, migrations, expected) => {
    expect(hasRunningMigration(vmi, migrations)).toBe(expected);
  });

  it.each([
    ['no state', aVmi(), false],
    ['under way', aVmi().migrationState({ startTimestamp: '2026-03-01T11:00:00Z' }), false],
    ['failed', aVmi().migrationState({ failed: true }), true],
    ['completed', aVmi().migrationState({ completed: true }), false],
  ])('%s: failed = %s', (_, builder, expected) => {
    expect(hasMigrationFailed(builder.build())).toBe(expected);
  });
});

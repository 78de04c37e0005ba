import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import { migrationName } from './migration-name.ts';

const PREFIX = 'kubevirt-workload-update-';
const vmi = aVmi('db').build();
const named = (...migrations: Parameters<typeof migrationName>[2]) => migrationName(PREFIX, vmi, migrations);
const ended = (name: string, phase = 'Failed') => aMigration(name).phase(phase);

describe('the name of a migration', () => {
  it('has the prefix and sixteen digits', () => {
    expect(named()).toMatch(/^kubevirt-workload-update-[0-9a-f]{16}$/);
  });

  it('is the same for the same picture', () => {
    expect(named(ended('a').build(), ended('b').build())).toBe(named(ended('b').build(), ended('a').build()));
  });

  it.each([
    ['another VMI', migrationName(PREFIX, aVmi('web').build(), [])],
    ['a VMI made anew', migrationName(PREFIX, aVmi('db').meta({ uid: 'new' }).build(), [])],
    ['after one that failed', named(ended('a').build())],
    ['after one that succeeded', named(ended('a', 'Succeeded').build())],
  ])('is another for %s', (_, other) => {
    expect(other).not.toBe(named());
  });

  it.each(['', 'Pending', 'Running'])('is still the same while there is one in phase "%s"', (phase) => {
    expect(named(ended('a').build(), aMigration('b').phase(phase).build())).toBe(named(ended('a').build()));
  });

  it('goes by the latest that ended', () => {
    const old = ended('old').createdAt('2026-03-01T10:00:00Z').build();
    const young = ended('young').createdAt('2026-03-01T11:00:00Z').build();
    expect(named(old, young)).toBe(named(young));
    expect(named(old, young)).not.toBe(named(old));
  });

  it('is never that of one that ended, though they are equally old', () => {
    const first = named(ended('z').build());
    const migrations = [ended('z').build(), ended(first).meta({ uid: 'x' }).build()];
    const made = migrationName(PREFIX, vmi, [...migrations, ended('a').meta({ uid: 'uid-z' }).build()]);
    expect(migrations.map(({ metadata }) => metadata.name)).not.toContain(made);
    expect(made).not.toBe(first);
  });
});

import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Behavior } from '../rules.ts';
import { surveyVmis } from './survey.ts';

const survey = (vmis: Vmi[], migrations: Migration[] = [], behavior: Behavior = 'exact') =>
  surveyVmis({ vmis, migrations, launcherImage: 'v2', methods: ['LiveMigrate', 'Evict'], now: 0, behavior });
const keys = (vmis: readonly Vmi[]) => vmis.map(keyOf);
const stale = (name: string, namespace?: string) => aVmi(name, namespace).launcher('v1');

describe('the survey of all VMIs', () => {
  it('puts each in its lists, in the given order', () => {
    const own = aMigration('own', 'abort').workloadUpdate().build();
    const taken = survey(
      [
        stale('evict-2').build(),
        stale('migrate-2').migratable().build(),
        aVmi('ignored').launcher('v2').build(),
        aVmi('abort').launcher('v2').build(),
        stale('waits').build(),
        stale('evict-1').build(),
        stale('migrate-1').migratable().build(),
      ],
      [own, aMigration('other', 'waits').build()],
    );
    expect(keys(taken.outdated)).toEqual([
      'shop/evict-2',
      'shop/migrate-2',
      'shop/waits',
      'shop/evict-1',
      'shop/migrate-1',
    ]);
    expect(keys(taken.migratable)).toEqual(['shop/migrate-2', 'shop/migrate-1']);
    expect(keys(taken.evictable)).toEqual(['shop/evict-2', 'shop/evict-1']);
    expect(keys(taken.abortable)).toEqual(['shop/abort']);
    expect(taken.unfinishedByVmi.get('shop/abort')).toEqual([own]);
  });

  it('knows a migration by namespace and name of its VMI', () => {
    const migrations = [aMigration('m', 'db', 'ci').build()];
    const taken = survey([stale('db', 'shop').build(), stale('db', 'ci').build()], migrations);
    expect(keys(taken.evictable)).toEqual(['shop/db']);
    expect(keys(taken.outdated)).toEqual(['shop/db', 'ci/db']);
  });

  it('passes over finished migrations, and does not read the label with the VMI', () => {
    const migrations = [
      aMigration('a').phase('Succeeded').build(),
      aMigration('b').phase('Failed').build(),
      aMigration('c').spec({ vmiName: 'other' }).build(),
      { ...aMigration('d').build(), spec: undefined },
    ];
    const taken = survey([stale('db').build()], migrations);
    expect(keys(taken.evictable)).toEqual(['shop/db']);
    expect([...taken.unfinishedByVmi.keys()]).toEqual(['shop/other', 'shop/']);
  });

  it('keeps all unfinished migrations of one VMI', () => {
    const migrations = [aMigration('a').build(), aMigration('b').build()];
    expect(survey([], migrations).unfinishedByVmi.get('shop/db')).toEqual(migrations);
  });

  it('counts active and pending migrations of the whole cluster', () => {
    const phases = [
      '',
      'Pending',
      'Scheduling',
      'Running',
      'TargetReady',
      'Succeeded',
      'Failed',
      'Synchronizing',
    ];
    const migrations = phases.map((phase, i) => aMigration(`m${i}`, 'gone').phase(phase).build());
    expect(survey([], migrations)).toMatchObject({ activeMigrations: 3, pendingMigrations: 3 });
    expect(survey([])).toMatchObject({ activeMigrations: 0, pendingMigrations: 0 });
  });

  it('counts pending migrations that a quota refuses', () => {
    const refused = (phase: string) =>
      aMigration(phase, 'gone').phase(phase).condition('migrationRejectedByResourceQuota').build();
    const migrations = ['Pending', 'Running', 'Failed'].map(refused);
    expect(survey([], migrations)).toMatchObject({ pendingMigrations: 1, refusedByQuota: 1 });
  });

  it('hands behaviour and time on', () => {
    const vmi = aVmi('db').launcher('v2').condition('HotVCPUChange', 'False').build();
    expect(survey([vmi], [], 'exact').outdated).toHaveLength(1);
    expect(survey([vmi], [], 'intended').outdated).toHaveLength(0);
    const started = stale('db').migrationState({ startTimestamp: '1970-01-01T00:00:01Z' }).build();
    expect(survey([started]).evictable).toHaveLength(1);
  });
});

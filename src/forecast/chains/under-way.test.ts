import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioNode, ScenarioVm } from '../../scenario/schema.ts';
import { planDrain } from '../plans/drain.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';

const db = aVmi('db', 'default').meta({ uid: 'vmi-db' }).build();
const moving = aMigration('move', 'db', 'default').phase('Running');
const target = () =>
  aPod('virt-launcher-db-2', 'default').targetOf(db, moving.build()).on('n2').phase('Running');

/** What a drain of its node does to a VM that a migration moves away, with nowhere else to go. */
function drainBesides(pod: ReturnType<typeof target>) {
  return drainDuring([{ ...moving.build() }, { ...pod.build() }]);
}

function drainDuring(more: readonly object[], change: Partial<ScenarioVm> = {}, nodes: ScenarioNode[] = TWO) {
  const vm: ScenarioVm = { name: 'db', node: 'n1', migratable: true, strategy: 'LiveMigrate', ...change };
  const busy: ScenarioVm = { name: 'busy', node: 'n2', cpu: 3 };
  const objects = clusterObjects({ nodes, vms: [vm, busy] });
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
  return planDrain(fleetOf([...objects, ...(more as RawObject[])]), question, { now: 0 }).status.vms.find(
    ({ name }) => name === 'db',
  );
}

const TWO: ScenarioNode[] = ['n1', 'n2'];

describe('a VM whose migration is under way', () => {
  it('goes where its target is, which is in nobody’s way', () => {
    expect(drainBesides(target())).toMatchObject({ outcome: 'LiveMigrates', reason: 'MigrationUnderWay' });
  });

  it('finds no room beside a target that is on its way out', () => {
    const leaving = target().meta({ deletionTimestamp: '2026-03-01T12:00:00Z' });
    expect(drainBesides(leaving)).toMatchObject({ outcome: 'NeverCompletes', reason: 'NoRoom' });
  });

  it('may be taken back by the updater before it is done', () => {
    const annotations = { 'kubevirt.io/workloadUpdateMigration': '' };
    const pending = { ...aMigration('move', 'db', 'default').meta({ annotations }).phase('Pending').build() };
    const verdict = drainDuring([pending], { strategy: 'External' });
    expect(verdict).toMatchObject({
      outcome: 'HandedOver',
      message: expect.stringMatching(
        /; should the migration that is under way be done before the updater takes it back, it moves$/,
      ),
    });
    expect(
      drainDuring([{ ...pending, metadata: { ...pending.metadata, annotations: {} } }], {
        strategy: 'External',
      }),
    ).toMatchObject({ outcome: 'LiveMigrates', reason: 'MigrationUnderWay' });
  });

  it.each<[string, Partial<ScenarioVm>, ScenarioNode[], RegExp]>([
    [
      'finds no node',
      { nodeSelector: { tier: 'none' } },
      TWO,
      /; the migration that is under way finds no node$/,
    ],
    [
      'finds no room',
      { cpu: 6 },
      ['n1', { name: 'n2', cpu: 8 }],
      /; should others leave room in time for the migration that is under way, it moves$/,
    ],
  ])('refuses eviction all the while where that %s', (_, change, nodes, told) => {
    const pending = aMigration('move', 'db', 'default').phase('Pending').build();
    const verdict = drainDuring([pending], { strategy: 'External', ...change }, nodes);
    expect(verdict).toMatchObject({ outcome: 'HandedOver', message: expect.stringMatching(told) });
  });
});

import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../kubevirt/builders.ts';
import { clusterObjects, type RawObject } from '../scenario/cluster.ts';
import { planDrain } from './drain.ts';
import { DRAIN_DEFAULTS } from './questions.ts';
import { fleetOf } from './test-clusters.ts';

const db = aVmi('db', 'default').meta({ uid: 'vmi-db' }).build();
const moving = aMigration('move', 'db', 'default').phase('Running');
const target = () =>
  aPod('virt-launcher-db-2', 'default').targetOf(db, moving.build()).on('n2').phase('Running');

/** What a drain of its node does to a VM that a migration moves away, with nowhere else to go. */
function drainBesides(pod: ReturnType<typeof target>) {
  const more = [moving.build(), pod.build()].map((object) => ({ ...object }) as RawObject);
  const objects = clusterObjects({
    nodes: ['n1', 'n2'],
    vms: [{ name: 'db', node: 'n1', migratable: true, strategy: 'LiveMigrate' }],
  });
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
  return planDrain(fleetOf([...objects, ...more]), question, { now: 0 }).status.vms[0];
}

describe('a VM whose migration is under way', () => {
  it('goes where its target is, which is in nobody’s way', () => {
    expect(drainBesides(target())).toMatchObject({ outcome: 'LiveMigrates', reason: 'MigrationUnderWay' });
  });

  it('finds no room beside a target that is on its way out', () => {
    const leaving = target().meta({ deletionTimestamp: '2026-03-01T12:00:00Z' });
    expect(drainBesides(leaving)).toMatchObject({ outcome: 'NeverCompletes', reason: 'NoRoom' });
  });
});

import { expect, it } from 'vitest';
import { anOldVmi, aWorld } from '../simulation/test-world.ts';
import { CONTROLLER_METRIC_FACTS } from './metric-facts.ts';

it('tells of every metric that the controllers set, and of no other', async () => {
  const marked = anOldVmi('db').migratable().marked().build();
  const stuck = anOldVmi('web').migratable('False').build();
  const world = aWorld(['LiveMigrate', 'Evict'], marked, stuck);
  const refusal = { ok: false, code: 429, message: 'not now' } as const;
  const cluster = world.connect({
    faultOf: ({ verb }) => (verb === 'evict' ? { answer: refusal } : undefined),
  });
  world.updater(cluster).start();
  world.evacuator(cluster).start();
  await world.clock.advance(60);
  expect(world.records.names().sort()).toEqual(Object.keys(CONTROLLER_METRIC_FACTS).sort());
});

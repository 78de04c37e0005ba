import { expect, it } from 'vitest';
import { anOldVmi, aWorld, launcherOf, startUpdater } from '../simulation/test-world.ts';

const movable = (name: string) => anOldVmi(name).migratable().build();
const LIVE = ['LiveMigrate'];

it('what is there at the start is looked at, also when nothing happens', async () => {
  const world = aWorld(LIVE, movable('db'));
  const cluster = world.connect();
  await world.clock.advance(100);
  world.updater(cluster).start();
  await world.clock.advance(6);
  expect(world.migrations()).toHaveLength(1);
});

it('stop waits for the pass, and after it nothing is done', async () => {
  const world = aWorld(LIVE, movable('db'));
  const { controller } = startUpdater(world, {}, { latencySeconds: () => 2 });
  await world.clock.advance(6);
  let stopped = false;
  const stopping = controller.stop().then(() => {
    stopped = true;
  });
  await world.clock.advance(0.5);
  expect(stopped).toBe(false);
  await world.clock.advance(10);
  await stopping;
  const before = world.writes.length;
  world.put(anOldVmi('web').migratable().build(), launcherOf(movable('web')));
  await world.clock.advance(100);
  expect(world.writes).toHaveLength(before);
});

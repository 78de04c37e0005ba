import { expect, it } from 'vitest';
import { aKubeVirt } from '../kubevirt/builders.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { anOldVmi, aWorld, launcherOf, movable, startUpdater } from '../simulation/test-world.ts';

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

it.each(['intended', 'exact'] as const)(
  'stop leaves no timer that would hold up the end of the process: %s',
  async (behavior) => {
    const [web, db] = ['web', 'db'].map((name) => anOldVmi(name).migratable('False').build()) as [Vmi, Vmi];
    const world = aWorld([], web, db);
    world.put(aKubeVirt().methods('Evict').batches(1, '60s').build());
    const { controller } = startUpdater(world, { behavior });
    await world.clock.advance(20);
    await controller.stop();
    expect(world.clock.nextAt()).toBeUndefined();
  },
);

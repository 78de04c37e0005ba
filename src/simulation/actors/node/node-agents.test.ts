import { expect, it } from 'vitest';
import { aScheduledVmi, launcher, NodesWorld } from './test-nodes.ts';

it('smoke', async () => {
  const vmi = aScheduledVmi('db').build();
  const world = new NodesWorld([vmi, launcher(vmi, 'n1')]);
  world.agents.start();
  await world.run(5);
  await world.handOff('db', 'n2');
  await world.run(12);
  world.api.delete('Pod', 'shop/virt-launcher-db-2', {});
  await world.run(12);
  console.log(
    world.course('db'),
    world.course('virt-launcher-db-1'),
    world.course('virt-launcher-db-2'),
    world.told(),
    world.log.entries,
  );
  console.log(JSON.stringify(world.vmi(), null, 1));
  expect(1).toBe(1);
});

import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import {
  anOldVmi,
  aWorld,
  launcherOf,
  MIGRATION,
  NEW_IMAGE,
  startUpdater,
  type World,
} from '../../simulation/test-world.ts';

const VMI = 'VirtualMachineInstance';
const LIVE = ['LiveMigrate'];
const at = (world: World, seconds: number) => formatInstant(world.clock.now() + seconds * 1000);
const current = () => aVmi('db').on('n1').launcher(NEW_IMAGE).migratable();

/** A VMI that moves for a change of its CPUs. */
function changing(): World {
  const world = aWorld(LIVE);
  const vmi = current()
    .status({ migrationState: { startTimestamp: at(world, -5) } })
    .condition('HotVCPUChange', 'True')
    .build();
  world.put(vmi, launcherOf(vmi), aMigration('move-1', 'db').workloadUpdate().phase('Running').build());
  startUpdater(world);
  return world;
}

describe('the updater hears', () => {
  it('that the change was withdrawn for which a VMI moves', async () => {
    const world = changing();
    await world.clock.advance(60);
    expect(world.wrote('delete')).toEqual([]);
    world.patch(VMI, 'shop/db', '/status/conditions', current().build().status?.conditions);
    await world.clock.advance(6);
    expect(world.wrote('delete')).toEqual(['shop/move-1@65']);
  });

  it('that somebody asks to abort the migration of a VMI', async () => {
    const world = changing();
    await world.clock.advance(60);
    const annotations = { 'kubevirt.io/testWorkloadUpdateMigrationAbortion': '' };
    world.patch(VMI, 'shop/db', '/metadata/annotations', annotations);
    await world.clock.advance(6);
    expect(world.wrote('delete')).toEqual(['shop/move-1@65']);
  });

  it('that a VMI moves no more, though its migration was seen to end long before', async () => {
    const world = aWorld(LIVE);
    const vmi = anOldVmi('db')
      .migratable()
      .status({ migrationState: { startTimestamp: at(world, -5) } })
      .build();
    world.put(vmi, launcherOf(vmi), aMigration('move-1', 'db').phase('Failed').build());
    startUpdater(world);
    await world.clock.advance(60);
    world.patch(VMI, 'shop/db', '/status/migrationState/endTimestamp', at(world, 0));
    await world.clock.advance(6);
    expect(world.wrote('create', MIGRATION)).toEqual(['shop@65']);
  });
});

it('the updater looks when a migration has ended by the clock of its node, which is ahead', async () => {
  const world = aWorld(LIVE);
  const migrationState = { startTimestamp: at(world, -60), endTimestamp: at(world, 40) };
  const vmi = anOldVmi('db').migratable().status({ migrationState }).build();
  world.put(vmi, launcherOf(vmi));
  startUpdater(world);
  await world.clock.advance(100);
  expect(world.wrote('create', MIGRATION)).toEqual(['shop@40']);
});

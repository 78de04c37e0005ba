import { describe, expect, it } from 'vitest';
import { aMigration } from '../../kubevirt/builders.ts';
import {
  anOldVmi,
  aRoomyNode,
  aWorld,
  movable,
  names,
  startUpdater,
  told,
} from '../../simulation/test-world.ts';

const LIVE = ['LiveMigrate'];

describe('VMIs that no node can take', () => {
  const picky = (name: string) =>
    anOldVmi(name)
      .migratable()
      .spec({ nodeSelector: { gpu: 'yes' } })
      .build();

  it('get no migration, hear why once, and take no place from others', async () => {
    const world = aWorld(LIVE, ...names(10).map(picky), movable('db'));
    const { cluster } = startUpdater(world);
    await world.clock.advance(600);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
    const failed = cluster.events.filter(({ reason }) => reason === 'FailedCreate');
    expect(failed).toHaveLength(10);
    expect(failed[0]).toMatchObject({
      type: 'Warning',
      component: 'workload-update-controller',
      message: expect.stringMatching(
        /^Error creating a Migration for automated workload update: no other node can take it: NodeSelectorMismatch/,
      ),
    });
    expect(
      world.records.metric('drover_held_vmis', 'controller=workload-update,reason=NoNodeFits'),
    ).toBeDefined();
  });

  it('move soon after a node comes that can', async () => {
    const world = aWorld(LIVE, picky('db'));
    startUpdater(world);
    await world.clock.advance(400);
    expect(world.migrations()).toEqual([]);
    world.put(aRoomyNode('n3').labelled('gpu', 'yes').build());
    await world.clock.advance(6);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('do not keep others from moving for whose migrations a quota has no room', async () => {
    const refused = (name: string) =>
      aMigration(`before-${name}`, name)
        .phase('Pending')
        .condition('migrationRejectedByResourceQuota')
        .build();
    const world = aWorld(LIVE, ...names(5).map(movable), movable('db'));
    for (const name of names(5)) world.put(refused(name));
    startUpdater(world);
    await world.clock.advance(60);
    expect(world.migrations().filter(({ vmi }) => vmi === 'db')).toHaveLength(1);
  });

  it('get their migrations, exactly as KubeVirt makes them', async () => {
    const world = aWorld(LIVE, picky('db'));
    const { cluster } = startUpdater(world, { behavior: 'exact' });
    await world.clock.advance(10);
    expect(world.migrations()).toEqual([
      { name: expect.stringMatching(/^kubevirt-workload-update-[a-z0-9]{5}$/), vmi: 'db' },
    ]);
    expect(told(cluster)).toHaveLength(1);
  });
});

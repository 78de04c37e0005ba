import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration } from '../../kubevirt/builders.ts';
import {
  anOldVmi,
  aRoomyNode,
  aWorld,
  evacuationPasses,
  MIGRATION,
  marked,
  names,
  startEvacuator,
  told,
} from '../../simulation/test-world.ts';

describe('those who cannot go', () => {
  const stuck = anOldVmi('db').migratable('False', 'DisksNotLiveMigratable').marked().build();

  it('hear so once, until there is something else to say', async () => {
    const world = aWorld([], stuck);
    const { cluster } = startEvacuator(world);
    await world.clock.settle();
    world.patch('VirtualMachineInstance', 'shop/db', '/metadata/labels/a', 'b');
    await world.clock.settle();
    const message = 'VMI shop/db should leave node n1 but cannot live-migrate: DisksNotLiveMigratable';
    expect(told(cluster)).toEqual([`FailedCreate db: ${message}`]);
    world.patch(
      'VirtualMachineInstance',
      'shop/db',
      '/status/conditions/0/reason',
      'HostDeviceNotLiveMigratable',
    );
    await world.clock.settle();
    expect(told(cluster)).toHaveLength(2);
    world.patch('VirtualMachineInstance', 'shop/db', '/status/evacuationNodeName', '');
    await world.clock.settle();
    world.patch('VirtualMachineInstance', 'shop/db', '/status/evacuationNodeName', 'n1');
    await world.clock.settle();
    expect(told(cluster)).toHaveLength(3);
  });

  it('hear nothing, exactly as from KubeVirt', async () => {
    const world = aWorld([], stuck);
    const { cluster } = startEvacuator(world, { behavior: 'exact' });
    await world.clock.advance(60);
    expect(told(cluster)).toEqual([]);
  });

  it('for want of a node hear why once and take no place, until a node comes', async () => {
    const picky = (name: string) =>
      anOldVmi(name)
        .migratable()
        .marked()
        .spec({ nodeSelector: { gpu: 'yes' } })
        .build();
    const world = aWorld([], ...names(5).map(picky), marked('db'));
    const { cluster } = startEvacuator(world);
    await world.clock.advance(600);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
    const failed = cluster.events.filter(({ reason }) => reason === 'FailedCreate');
    expect(failed).toHaveLength(5);
    expect(failed[0]?.message).toMatch(
      /^Error creating a Migration: no other node can take it: NodeSelectorMismatch/,
    );
    const before = evacuationPasses(world);
    await world.clock.advance(600);
    expect(evacuationPasses(world) - before).toBeLessThanOrEqual(4);
    world.put(aRoomyNode('n3').labelled('gpu', 'yes').build());
    await world.clock.settle();
    expect(world.migrations()).toHaveLength(2);
  });
});

it('a migration that a quota refuses keeps nobody from leaving the node', async () => {
  const refused = (name: string) =>
    aMigration(`before-${name}`, name).phase('Pending').condition('migrationRejectedByResourceQuota').build();
  const world = aWorld([], ...names(2).map((name) => marked(name)), marked('db'));
  for (const name of names(2)) world.put(refused(name));
  startEvacuator(world);
  await world.clock.advance(60);
  expect(world.migrations().filter(({ vmi }) => vmi === 'db')).toHaveLength(1);
});

describe('refused creations', () => {
  const answer = { ok: false, code: 403, message: 'forbidden' } as const;

  it('are tried again later and later, and told', async () => {
    const world = aWorld([], marked('db'));
    const { cluster } = startEvacuator(world, {}, { faultOf: () => ({ answer }) });
    await world.clock.advance(100);
    expect(world.wrote('create')).toEqual(['shop@0', 'shop@5', 'shop@15', 'shop@35', 'shop@75']);
    expect(told(cluster)[0]).toBe('FailedCreate db: Error creating a Migration: forbidden');
  });

  it('end the pass in an error, exactly as with KubeVirt', async () => {
    const world = aWorld([], marked('db'));
    startEvacuator(world, { behavior: 'exact' }, { faultOf: () => ({ answer }) });
    await world.clock.advance(0.1);
    expect(world.wrote('create')).toEqual(['shop@0', 'shop@0.005', 'shop@0.015', 'shop@0.035', 'shop@0.075']);
    expect(world.log.entries[0]?.fields).toMatchObject({
      controller: 'evacuation',
      key: 'n1',
      problem: 'forbidden',
    });
  });

  it('without an answer meet the migration that was made all the same', async () => {
    const world = aWorld([], marked('db'));
    let lost = true;
    const { cluster } = startEvacuator(
      world,
      {},
      {
        faultOf: () => {
          const fault = lost
            ? { answer: { ok: false as const, message: 'cut' }, carriedOut: true }
            : undefined;
          lost = false;
          return fault;
        },
      },
    );
    cluster.hold();
    await world.clock.advance(400);
    expect(world.migrations()).toHaveLength(1);
    expect(told(cluster).at(-1)).toMatch(/^SuccessfulCreate db: Created Migration kubevirt-evacuation-/);
  });
});

describe('creations that are not seen', () => {
  it('keep the node waiting, for five minutes at most, and are not made twice', async () => {
    const world = aWorld([], marked('db'), marked('web'), marked('ci'));
    const { cluster } = startEvacuator(world);
    cluster.hold();
    await world.clock.advance(290);
    expect(world.migrations()).toHaveLength(2);
    cluster.release();
    const [first] = world.migrations();
    world.patch(MIGRATION, `shop/${first?.name}`, '/status', { phase: 'Failed' });
    world.api.delete('VirtualMachineInstance', `shop/${first?.vmi}`);
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(3);
  });

  it('take a place of other nodes already', async () => {
    const world = aWorld(
      [],
      ...names(2).map((name) => marked(name, 'n1')),
      ...['a', 'b'].map((name) => marked(name, 'n2')),
    );
    world.put(
      aKubeVirt()
        .spec({ configuration: { migrations: { parallelMigrationsPerCluster: 3 } } })
        .build(),
    );
    const { cluster } = startEvacuator(world);
    cluster.hold();
    await world.clock.advance(60);
    expect(world.migrations()).toHaveLength(3);
  });
});

import { describe, expect, it } from 'vitest';
import { aMigration, aPod } from '../kubevirt/builders.ts';
import {
  anOldVmi,
  aRoomyNode,
  aWorld,
  evacuationPasses,
  launcherOf,
  MIGRATION,
  marked,
  names,
  startEvacuator,
} from '../simulation/test-world.ts';
import { DeedsInHand } from './in-hand.ts';

describe('an evacuation', () => {
  it('gives a marked VMI its migration at once, and tells', async () => {
    const world = aWorld([], marked('db'));
    const { cluster } = startEvacuator(world);
    await world.clock.settle();
    const [made] = world.migrations();
    expect(made).toEqual({ name: expect.stringMatching(/^kubevirt-evacuation-[0-9a-f]{16}$/), vmi: 'db' });
    expect(world.api.get(MIGRATION, `shop/${made?.name}`)).toMatchObject({
      metadata: { annotations: { 'kubevirt.io/evacuationMigration': 'n1' } },
      spec: { vmiName: 'db' },
    });
    expect(world.api.get(MIGRATION, `shop/${made?.name}`)).not.toHaveProperty('spec.priority');
    expect(cluster.events).toEqual([
      {
        kind: 'VirtualMachineInstance',
        namespace: 'shop',
        name: 'db',
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Created Migration ${made?.name}`,
        component: 'evacuation-controller',
      },
    ]);
    expect(world.journal.map(({ decision, reason }) => `${decision} ${reason}`)).toEqual([
      'evacuate Evacuate',
      'migrate MigrationCreated',
      'evacuate MigrationUnfinished',
    ]);
  });

  it('sends priorities where it may', async () => {
    const world = aWorld([], marked('db'));
    startEvacuator(world, { sendsPriority: true });
    await world.clock.settle();
    expect([...world.api.list(MIGRATION)]).toMatchObject([{ spec: { priority: 'system-critical' } }]);
  });

  it('begins when a VMI is marked, and leaves others alone', async () => {
    const world = aWorld([], anOldVmi('db').migratable().build(), anOldVmi('web').migratable().build());
    startEvacuator(world);
    await world.clock.settle();
    expect(world.migrations()).toEqual([]);
    world.patch('VirtualMachineInstance', 'shop/db', '/status/evacuationNodeName', 'n1');
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('begins when a node gets the drain taint', async () => {
    const world = aWorld([], anOldVmi('db').migratable().build());
    startEvacuator(world);
    await world.clock.settle();
    world.put(aRoomyNode('n1').tainted('kubevirt.io/drain').build());
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('has no more migrations at once than cluster and node allow, and goes on as they end', async () => {
    const world = aWorld([], ...names(4).map((name) => marked(name)));
    startEvacuator(world);
    await world.clock.advance(60);
    expect(world.migrations()).toHaveLength(2);
    const [first] = world.migrations();
    world.patch('VirtualMachineInstance', `shop/${first?.vmi}`, '/status/nodeName', 'n2');
    world.patch(MIGRATION, `shop/${first?.name}`, '/status', { phase: 'Succeeded' });
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(3);
  });

  it('has all at once, exactly as KubeVirt', async () => {
    const world = aWorld([], ...names(4).map((name) => marked(name)));
    startEvacuator(world, { behavior: 'exact' });
    await world.clock.settle();
    expect(world.migrations()).toHaveLength(4);
    expect(world.migrations()[0]?.name).toMatch(/^kubevirt-evacuation-[a-z0-9]{5}$/);
  });

  it('tries again under another name after a failure', async () => {
    const world = aWorld([], marked('db'));
    startEvacuator(world);
    await world.clock.settle();
    world.patch(MIGRATION, `shop/${world.migrations()[0]?.name}`, '/status', { phase: 'Failed' });
    await world.clock.settle();
    expect(new Set(world.migrations().map(({ name }) => name)).size).toBe(2);
  });

  it('waits for pods that are left over, and goes on when they end', async () => {
    const world = aWorld([], marked('db'));
    const left = aPod('virt-launcher-db-0').on('n2').launcherOf(marked('db'));
    world.put(left.build());
    startEvacuator(world);
    await world.clock.advance(60);
    expect(world.migrations()).toEqual([]);
    world.put(left.phase('Succeeded').build());
    await world.clock.settle();
    expect(world.migrations()).toHaveLength(1);
  });

  it('is no matter of a VMI whose pod was evicted by somebody', async () => {
    const world = aWorld([], marked('db'));
    world.api.delete('Pod', 'shop/virt-launcher-db-1');
    startEvacuator(world);
    await world.clock.advance(60);
    expect(world.migrations()).toEqual([]);
  });
});

describe('an updater beside it', () => {
  it.each([
    ['moves no VMI that is being evacuated, though neither sees it, as they share what is in hand', true, 1],
    ['moves it a second time where they do not', false, 2],
  ])('%s', async (_, isShared, count) => {
    const world = aWorld(['LiveMigrate'], marked('db'));
    const cluster = world.connect();
    const shared = isShared ? { inHand: new DeedsInHand(world.clock) } : {};
    cluster.hold();
    world.evacuator(cluster, shared).start();
    world.updater(cluster, shared).start();
    await world.clock.advance(30);
    expect(world.migrations()).toHaveLength(count);
  });
});

describe('idle', () => {
  it('is the controller while nothing is marked, whatever else happens to VMIs', async () => {
    const world = aWorld([], ...names(50).map((name) => anOldVmi(name).migratable().build()));
    startEvacuator(world);
    await world.clock.settle();
    const before = evacuationPasses(world);
    for (const name of names(50))
      world.patch('VirtualMachineInstance', `shop/${name}`, '/metadata/labels/a', 'b');
    world.put(aMigration('m', 'vm-1').build());
    await world.clock.advance(3600);
    expect(evacuationPasses(world)).toBe(before);
    expect(world.clock.nextAt()).toBeUndefined();
  });
});

it('stops', async () => {
  const world = aWorld([]);
  const { controller } = startEvacuator(world);
  await world.clock.settle();
  await controller.stop();
  world.put(marked('db'), launcherOf(marked('db')));
  await world.clock.advance(60);
  expect(world.migrations()).toEqual([]);
});

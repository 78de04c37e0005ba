import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aPod } from '../kubevirt/builders.ts';
import { anOldVmi, aRoomyNode, aWorld, launcherOf, MIGRATION, type World } from '../simulation/test-world.ts';
import { DeedsInHand } from './in-hand.ts';

const marked = (name: string, node = 'n1') => anOldVmi(name, node).migratable().marked().build();
const names = (count: number) => Array.from({ length: count }, (_, i) => `vm-${i}`);

function begin(world: World, options: Parameters<World['evacuator']>[1] = {}, faults = {}) {
  const cluster = world.connect(faults);
  const controller = world.evacuator(cluster, options);
  controller.start();
  return { cluster, controller };
}

const told = (cluster: ReturnType<World['connect']>) =>
  cluster.events.map(({ reason, name, message }) => `${reason} ${name}: ${message}`);
const passes = (world: World) =>
  world.records.metric('drover_reconciles_total', 'controller=evacuation,result=success') ?? 0;

describe('an evacuation', () => {
  it('gives a marked VMI its migration at once, and tells', async () => {
    const world = aWorld([], marked('db'));
    const { cluster } = begin(world);
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
    begin(world, { sendsPriority: true });
    await world.clock.settle();
    expect([...world.api.list(MIGRATION)]).toMatchObject([{ spec: { priority: 'system-critical' } }]);
  });

  it('begins when a VMI is marked, and leaves others alone', async () => {
    const world = aWorld([], anOldVmi('db').migratable().build(), anOldVmi('web').migratable().build());
    begin(world);
    await world.clock.settle();
    expect(world.migrations()).toEqual([]);
    world.patch('VirtualMachineInstance', 'shop/db', '/status/evacuationNodeName', 'n1');
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('begins when a node gets the drain taint', async () => {
    const world = aWorld([], anOldVmi('db').migratable().build());
    begin(world);
    await world.clock.settle();
    world.put(aRoomyNode('n1').tainted('kubevirt.io/drain').build());
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('has no more migrations at once than cluster and node allow, and goes on as they end', async () => {
    const world = aWorld([], ...names(4).map((name) => marked(name)));
    begin(world);
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
    begin(world, { behavior: 'exact' });
    await world.clock.settle();
    expect(world.migrations()).toHaveLength(4);
    expect(world.migrations()[0]?.name).toMatch(/^kubevirt-evacuation-[a-z0-9]{5}$/);
  });

  it('tries again under another name after a failure', async () => {
    const world = aWorld([], marked('db'));
    begin(world);
    await world.clock.settle();
    world.patch(MIGRATION, `shop/${world.migrations()[0]?.name}`, '/status', { phase: 'Failed' });
    await world.clock.settle();
    expect(new Set(world.migrations().map(({ name }) => name)).size).toBe(2);
  });

  it('waits for pods that are left over, and goes on when they end', async () => {
    const world = aWorld([], marked('db'));
    const left = aPod('virt-launcher-db-0').on('n2').launcherOf(marked('db'));
    world.put(left.build());
    begin(world);
    await world.clock.advance(60);
    expect(world.migrations()).toEqual([]);
    world.put(left.phase('Succeeded').build());
    await world.clock.settle();
    expect(world.migrations()).toHaveLength(1);
  });

  it('is no matter of a VMI whose pod was evicted by somebody', async () => {
    const world = aWorld([], marked('db'));
    world.api.delete('Pod', 'shop/virt-launcher-db-1');
    begin(world);
    await world.clock.advance(60);
    expect(world.migrations()).toEqual([]);
  });
});

describe('those who cannot go', () => {
  const stuck = anOldVmi('db').migratable('False', 'DisksNotLiveMigratable').marked().build();

  it('hear so once, until there is something else to say', async () => {
    const world = aWorld([], stuck);
    const { cluster } = begin(world);
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
    const { cluster } = begin(world, { behavior: 'exact' });
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
    const { cluster } = begin(world);
    await world.clock.advance(600);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
    const failed = cluster.events.filter(({ reason }) => reason === 'FailedCreate');
    expect(failed).toHaveLength(5);
    expect(failed[0]?.message).toMatch(
      /^Error creating a Migration: no other node can take it: NodeSelectorMismatch/,
    );
    const before = passes(world);
    await world.clock.advance(600);
    expect(passes(world) - before).toBeLessThanOrEqual(4);
    world.put(aRoomyNode('n3').labelled('gpu', 'yes').build());
    await world.clock.settle();
    expect(world.migrations()).toHaveLength(2);
  });
});

describe('refused creations', () => {
  const answer = { ok: false, code: 403, message: 'forbidden' } as const;

  it('are tried again later and later, and told', async () => {
    const world = aWorld([], marked('db'));
    const { cluster } = begin(world, {}, { faultOf: () => ({ answer }) });
    await world.clock.advance(100);
    expect(world.wrote('create')).toEqual(['shop@0', 'shop@5', 'shop@15', 'shop@35', 'shop@75']);
    expect(told(cluster)[0]).toBe('FailedCreate db: Error creating a Migration: forbidden');
  });

  it('end the pass in an error, exactly as with KubeVirt', async () => {
    const world = aWorld([], marked('db'));
    begin(world, { behavior: 'exact' }, { faultOf: () => ({ answer }) });
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
    const { cluster } = begin(
      world,
      {},
      {
        faultOf: () => {
          const fault = lost ? { answer: { ok: false, message: 'cut' }, carriedOut: true } : undefined;
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
    const { cluster } = begin(world);
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
    const { cluster } = begin(world);
    cluster.hold();
    await world.clock.advance(60);
    expect(world.migrations()).toHaveLength(3);
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
    begin(world);
    await world.clock.settle();
    const before = passes(world);
    for (const name of names(50))
      world.patch('VirtualMachineInstance', `shop/${name}`, '/metadata/labels/a', 'b');
    world.put(aMigration('m', 'vm-1').build());
    await world.clock.advance(3600);
    expect(passes(world)).toBe(before);
    expect(world.clock.nextAt()).toBeUndefined();
  });
});

it('stops', async () => {
  const world = aWorld([]);
  const { controller } = begin(world);
  await world.clock.settle();
  await controller.stop();
  world.put(marked('db'), launcherOf(marked('db')));
  await world.clock.advance(60);
  expect(world.migrations()).toEqual([]);
});

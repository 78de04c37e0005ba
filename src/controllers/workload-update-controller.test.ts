import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../kubevirt/builders.ts';
import { anOldVmi, aRoomyNode, aWorld, launcherOf, MIGRATION, type World } from '../simulation/test-world.ts';
import type { StrategySource } from './strategy.ts';

const movable = (name: string) => anOldVmi(name).migratable().build();
const stuck = (name: string) => anOldVmi(name).migratable('False').build();
const names = (count: number) => Array.from({ length: count }, (_, i) => `vm-${i}`);
const LIVE = ['LiveMigrate'];
const BOTH = ['LiveMigrate', 'Evict'];

function begin(world: World, options: Parameters<World['updater']>[1] = {}, faults = {}) {
  const cluster = world.connect(faults);
  const controller = world.updater(cluster, options);
  controller.start();
  return { cluster, controller };
}

/** Events as `reason name: message`. */
const told = (cluster: ReturnType<World['connect']>) =>
  cluster.events.map(({ reason, name, message }) => `${reason} ${name}: ${message}`);

describe('a pass', () => {
  it('waits for the throttle, then counts, migrates and tells', async () => {
    const world = aWorld(LIVE, movable('db'));
    const { cluster } = begin(world);
    await world.clock.advance(4.9);
    expect(world.writes).toEqual([]);
    await world.clock.advance(0.2);
    expect(world.wrote('patch')).toEqual(['kubevirt/kubevirt@5']);
    expect(world.api.get('KubeVirt', 'kubevirt/kubevirt')).toHaveProperty(
      'status.outdatedVirtualMachineInstanceWorkloads',
      1,
    );
    const [made] = world.migrations();
    expect(made).toEqual({
      name: expect.stringMatching(/^kubevirt-workload-update-[0-9a-f]{16}$/),
      vmi: 'db',
    });
    expect(world.api.get(MIGRATION, `shop/${made?.name}`)).toMatchObject({
      metadata: { annotations: { 'kubevirt.io/workloadUpdateMigration': '' } },
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
        message: `Created Migration ${made?.name} for automated workload update`,
        component: 'workload-update-controller',
      },
    ]);
  });

  it('sends priorities where it may', async () => {
    const world = aWorld(LIVE, movable('db'));
    begin(world, { sendsPriority: true });
    await world.clock.advance(10);
    expect([...world.api.list(MIGRATION)]).toMatchObject([{ spec: { priority: 'system-critical' } }]);
  });

  it('makes no more migrations than the cluster allows, waiting ones included', async () => {
    const world = aWorld(LIVE, ...names(8).map(movable));
    begin(world);
    await world.clock.advance(120);
    expect(world.migrations()).toHaveLength(5);
  });

  it('goes on with the next when one has ended', async () => {
    const world = aWorld(LIVE, ...names(6).map(movable));
    begin(world);
    await world.clock.advance(10);
    const [first] = world.migrations();
    world.patch(
      'VirtualMachineInstance',
      `shop/${first?.vmi}`,
      '/status/launcherContainerImageVersion',
      'launcher:v2',
    );
    world.patch(MIGRATION, `shop/${first?.name}`, '/status', { phase: 'Succeeded' });
    await world.clock.advance(6);
    expect(new Set(world.migrations().map(({ vmi }) => vmi)).size).toBe(6);
  });

  it('tries a VMI again under another name after its migration has failed', async () => {
    const world = aWorld(LIVE, movable('db'));
    begin(world);
    await world.clock.advance(10);
    const [first] = world.migrations();
    world.patch(MIGRATION, `shop/${first?.name}`, '/status', { phase: 'Failed' });
    await world.clock.advance(6);
    expect(world.migrations().map(({ vmi }) => vmi)).toEqual(['db', 'db']);
    expect(new Set(world.migrations().map(({ name }) => name)).size).toBe(2);
  });

  it('evicts those who cannot migrate, a batch at a time', async () => {
    const world = aWorld(BOTH, ...names(5).map(stuck));
    world.put(
      aKubeVirt()
        .methods(...BOTH)
        .batches(2, '15s')
        .build(),
    );
    begin(world);
    await world.clock.advance(60);
    const seconds = world.wrote('evict').map((key) => key.split('@')[1]);
    expect(seconds).toEqual(['5', '5', '20.001', '20.001', '35.002']);
  });

  it('evicts nobody twice whose pod is on its way out, and migrates nobody then', async () => {
    const world = aWorld(BOTH, stuck('db'));
    begin(world);
    await world.clock.advance(60);
    world.patch('VirtualMachineInstance', 'shop/db', '/status/conditions', [
      { type: 'LiveMigratable', status: 'True' },
    ]);
    await world.clock.advance(600);
    expect(world.wrote('evict')).toEqual(['shop/virt-launcher-db-1@5']);
    expect(world.migrations()).toEqual([]);
  });

  it('aborts migrations that have lost their purpose, once', async () => {
    const current = anOldVmi('db').launcher('launcher:v2').build();
    const world = aWorld(LIVE, current);
    world.put({
      kind: MIGRATION,
      metadata: {
        name: 'm',
        namespace: 'shop',
        annotations: { 'kubevirt.io/workloadUpdateMigration': '' },
        finalizers: ['kubevirt.io/migrationJobFinalize'],
      },
      spec: { vmiName: 'db' },
    });
    const { cluster } = begin(world);
    await world.clock.advance(120);
    expect(world.wrote('delete')).toEqual(['shop/m@5']);
    expect(told(cluster)).toEqual(['SuccessfulChangeAbortion db: Aborted change for vmi: db']);
  });

  it('does nothing about a CR that is gone, and begins anew with another', async () => {
    const world = aWorld(LIVE, movable('db'));
    begin(world);
    world.api.delete('KubeVirt', 'kubevirt/kubevirt');
    await world.clock.advance(60);
    expect(world.migrations()).toEqual([]);
    world.put(
      aKubeVirt()
        .methods(...LIVE)
        .build(),
    );
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
  });

  it('sets KubeVirt’s gauge and its own', async () => {
    const world = aWorld(LIVE, movable('db'), movable('web'));
    begin(world);
    await world.clock.advance(6);
    expect(world.records.metric('kubevirt_vmi_number_of_outdated')).toBe(2);
    expect(world.records.metric('drover_outdated_vmis')).toBe(2);
    expect(world.records.metric('drover_migrations_cap')).toBe(5);
    expect(
      world.records.metric(
        'drover_actions_total',
        'action=migrate,controller=workload-update,reason=MigrationCreated',
      ),
    ).toBe(2);
  });
});

describe('closed gates', () => {
  it.each([
    [
      'an upgrade is under way',
      { phase: 'Deployed', observedDeploymentID: 'a', targetDeploymentID: 'b' },
      'GateDeploymentInProgress',
    ],
    ['KubeVirt is not deployed', { phase: 'Deploying' }, 'GateNotDeployed'],
  ])('nothing is written while %s', async (_, status, reason) => {
    const world = aWorld(BOTH, movable('db'), stuck('web'));
    world.put({
      ...aKubeVirt()
        .methods(...BOTH)
        .build(),
      status,
    });
    begin(world);
    await world.clock.advance(300);
    expect(world.writes).toEqual([]);
    expect(world.journal).toMatchObject([{ decision: 'gate', object: 'KubeVirt kubevirt/kubevirt', reason }]);
    expect(world.records.metric('drover_gate_open', 'controller=workload-update')).toBe(0);
    world.put(
      aKubeVirt()
        .methods(...BOTH)
        .build(),
    );
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
    expect(world.records.metric('drover_gate_open', 'controller=workload-update')).toBe(1);
  });

  it('nothing is written while the launcher image is not known', async () => {
    const world = aWorld(BOTH, movable('db'));
    let image: string | undefined;
    const { controller } = begin(world, { launcherImage: () => image });
    await world.clock.advance(60);
    expect(world.writes).toEqual([]);
    image = 'launcher:v2';
    controller.wake();
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
  });

  it('a gate that closes while the count is written is closed for the rest of the pass', async () => {
    const world = aWorld(BOTH, movable('db'), stuck('web'));
    begin(
      world,
      {},
      {
        faultOf: ({ verb }: { verb: string }) => {
          if (verb === 'patch')
            world.patch('KubeVirt', 'kubevirt/kubevirt', '/status/targetDeploymentID', 'next');
          return undefined;
        },
      },
    );
    await world.clock.advance(60);
    expect(world.wrote('patch')).toHaveLength(1);
    expect([...world.wrote('create'), ...world.wrote('evict')]).toEqual([]);
  });

  it('a failed count ends the pass, which is tried again', async () => {
    const world = aWorld(LIVE, movable('db'));
    const answer = { ok: false, code: 500, message: 'no' } as const;
    let fails = true;
    begin(
      world,
      {},
      {
        faultOf: ({ verb }: { verb: string }) => (verb === 'patch' && fails ? { answer } : undefined),
      },
    );
    await world.clock.advance(6);
    expect(world.migrations()).toEqual([]);
    expect(world.log.entries[0]?.fields).toMatchObject({
      problem:
        'unable to patch kubevirt obj status to update the outdatedVirtualMachineInstanceWorkloads valued: no',
    });
    fails = false;
    await world.clock.advance(5);
    expect(world.migrations()).toHaveLength(1);
  });

  it('migrations that are not seen keep the gate closed, for five minutes at most', async () => {
    const world = aWorld(LIVE, ...names(7).map(movable));
    const { cluster } = begin(world);
    await world.clock.advance(4);
    cluster.hold();
    await world.clock.advance(2);
    expect(world.migrations()).toHaveLength(5);
    await world.clock.advance(290);
    expect(world.migrations()).toHaveLength(5);
    await world.clock.advance(60);
    // Nothing is seen still: the names are the same, so that nothing is made twice.
    expect(world.migrations().length).toBeLessThanOrEqual(7);
    expect(new Set(world.migrations().map(({ vmi }) => vmi)).size).toBe(world.migrations().length);
  });
});

describe('an own strategy', () => {
  const own = (methods: string[]): { strategy: () => StrategySource } => ({
    strategy: () => ({ kind: 'own', methods, batchEvictionSize: 1, batchEvictionIntervalSeconds: 60 }),
  });

  it('acts, leaves the count alone and sends no priority', async () => {
    const world = aWorld([], movable('db'), stuck('web'), stuck('ci'));
    begin(world, { ...own(BOTH), sendsPriority: true });
    await world.clock.advance(30);
    expect(world.wrote('patch')).toEqual([]);
    expect(world.wrote('evict')).toHaveLength(1);
    expect([...world.api.list(MIGRATION)]).toMatchObject([{ spec: { vmiName: 'db' } }]);
    expect([...world.api.list(MIGRATION)][0]).not.toHaveProperty('spec.priority');
    expect(world.records.metric('kubevirt_vmi_number_of_outdated')).toBeUndefined();
    expect(world.records.metric('drover_outdated_vmis')).toBe(3);
  });

  it('drives live updates of VMIs with a current launcher', async () => {
    const vmi = anOldVmi('db').launcher('launcher:v2').migratable().build();
    const world = aWorld([], vmi);
    begin(world, own(LIVE));
    await world.clock.advance(30);
    expect(world.migrations()).toEqual([]);
    world.patch('VirtualMachineInstance', 'shop/db', '/status/conditions/-', {
      type: 'HotVCPUChange',
      status: 'True',
    });
    await world.clock.advance(6);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('does not run beside methods in the CR, and says why', async () => {
    const world = aWorld(LIVE, movable('db'));
    begin(world, own(BOTH));
    await world.clock.advance(60);
    expect(world.writes).toEqual([]);
    expect(world.log.entries[0]).toMatchObject({ level: 'error', fields: { code: 'TwoUpdaters' } });
    world.put(aKubeVirt().build());
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
  });
});

describe('VMIs that no node can take', () => {
  const picky = (name: string) =>
    anOldVmi(name)
      .migratable()
      .spec({ nodeSelector: { gpu: 'yes' } })
      .build();

  it('get no migration, hear why once, and take no place from others', async () => {
    const world = aWorld(LIVE, ...names(10).map(picky), movable('db'));
    const { cluster } = begin(world);
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
    begin(world);
    await world.clock.advance(400);
    expect(world.migrations()).toEqual([]);
    world.put(aRoomyNode('n3').labelled('gpu', 'yes').build());
    await world.clock.advance(6);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('get their migrations, exactly as KubeVirt makes them', async () => {
    const world = aWorld(LIVE, picky('db'));
    const { cluster } = begin(world, { behavior: 'exact' });
    await world.clock.advance(10);
    expect(world.migrations()).toEqual([
      { name: expect.stringMatching(/^kubevirt-workload-update-[a-z0-9]{5}$/), vmi: 'db' },
    ]);
    expect(told(cluster)).toHaveLength(1);
  });
});

describe('refused evictions', () => {
  const refusal = { ok: false, code: 429, message: 'not now' } as const;
  const refusing = (...refused: string[]) => ({
    faultOf: ({ verb, key }: { verb: string; key: string }) =>
      verb === 'evict' && refused.some((name) => key.includes(`-${name}-`)) ? { answer: refusal } : undefined,
  });

  it('take no place in a batch: six others at two every 15 s need 30 s', async () => {
    const world = aWorld(['Evict'], ...['never', ...'abcdef'].map(stuck));
    world.put(aKubeVirt().methods('Evict').batches(2, '15s').build());
    begin(world, {}, refusing('never'));
    await world.clock.advance(120);
    const accepted = world.wrote('evict').filter((key) => !key.includes('never'));
    expect(accepted).toHaveLength(6);
    const seconds = accepted.map((key) => Number(key.split('@')[1]));
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeCloseTo(30, 1);
  });

  it('are tried again later and later, each VMI by itself, with the refusal as the reason', async () => {
    const world = aWorld(['Evict'], stuck('never'));
    const { cluster } = begin(world, {}, refusing('never'));
    await world.clock.advance(900);
    const seconds = world.wrote('evict').map((key) => Number(key.split('@')[1]));
    const pauses = seconds.slice(1).map((second, i) => Math.round(second - (seconds[i] ?? 0)));
    expect(pauses.slice(0, 3)).toEqual([5, 10, 20]);
    for (const [i, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(Math.min(300, 5 * 2 ** i));
      expect(pause).toBeLessThanOrEqual(Math.min(300, 5 * 2 ** i) + 30);
    }
    expect(told(cluster)[0]).toBe(
      'FailedEvict never: Error deleting VMI during automated workload update: not now',
    );
    expect(world.journal).toContainEqual(
      expect.objectContaining({ decision: 'evict', reason: 'EvictionRefused', message: 'not now' }),
    );
  });

  it('use the batch up and stay first in line, exactly as with KubeVirt', async () => {
    const world = aWorld(['Evict'], ...['never', ...'abcdef'].map(stuck));
    world.put(aKubeVirt().methods('Evict').batches(1, '15s').build());
    begin(world, { behavior: 'exact' }, refusing('never'));
    await world.clock.advance(60);
    const keys = world.wrote('evict').map((key) => key.split('@')[0]);
    expect(keys).toEqual(Array(4).fill('shop/virt-launcher-never-1'));
  });
});

describe('a crowd that nobody can move', () => {
  const crowd = names(1000);
  const refusal = { ok: false, code: 429, message: 'not now' } as const;

  it('is left in peace: few passes and few writes a minute', async () => {
    const world = aWorld(['Evict'], ...crowd.map(stuck));
    begin(
      world,
      {},
      { faultOf: ({ verb }: { verb: string }) => (verb === 'evict' ? { answer: refusal } : undefined) },
    );
    const passes = () =>
      world.records.metric('drover_reconciles_total', 'controller=workload-update,result=success') ?? 0;
    await world.clock.advance(900);
    const [passesBefore, writesBefore] = [passes(), world.writes.length];
    await world.clock.advance(600);
    const passesAMinute = (passes() - passesBefore) / 10;
    const writesAMinute = (world.writes.length - writesBefore) / 10;
    expect(passesAMinute).toBeLessThanOrEqual(12);
    expect(passesAMinute).toBeGreaterThan(0);
    expect(writesAMinute).toBeLessThanOrEqual(1000 / 5 + 1);
  });

  it('gets a pass a second where KubeVirt makes one every 30 ns, exactly', async () => {
    const world = aWorld(['Evict'], ...names(3).map(stuck));
    begin(
      world,
      { behavior: 'exact' },
      { faultOf: ({ verb }: { verb: string }) => (verb === 'evict' ? { answer: refusal } : undefined) },
    );
    await world.clock.advance(600);
    const passes = ['success', 'error'].map(
      (result) =>
        world.records.metric('drover_reconciles_total', `controller=workload-update,result=${result}`) ?? 0,
    );
    expect(passes.reduce((a, b) => a + b)).toBeLessThanOrEqual(600);
    expect(world.wrote('evict')).toHaveLength(30);
  });

  it('without a method is left alone altogether', async () => {
    const world = aWorld([], ...crowd.map(stuck));
    begin(world);
    await world.clock.advance(600);
    expect(world.wrote('patch')).toHaveLength(1);
    expect(world.clock.nextAt()).toBeUndefined();
  });
});

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
  const { controller } = begin(world, {}, { latencySeconds: () => 2 });
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

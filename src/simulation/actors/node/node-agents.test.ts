import { describe, expect, it } from 'vitest';
import type { GuestBehavior } from '../../guests/behavior.ts';
import { RECORDED_BEHAVIOR } from '../../guests/behavior.ts';
import { MemoryCluster } from '../../memory-cluster.ts';
import type { GuestFact, NodeAgentOptions } from './options.ts';
import { aScheduledVmi, launcher, NodesWorld, VMI } from './test-nodes.ts';

const EXACT = { heartbeatSeconds: 0, pollSeconds: 0, podExitSeconds: 0 };
const LAUNCHER = 'virt-launcher-db-1';

/** A VMI `db` on n1 whose guest runs since second 2; steps are noticed at once. */
async function aRunningWorld(
  behavior: Partial<GuestBehavior> = {},
  options: NodeAgentOptions = {},
  graceSeconds = 30,
) {
  const vmi = aScheduledVmi('db')
    .spec({ ...aScheduledVmi('db').build().spec, terminationGracePeriodSeconds: graceSeconds })
    .build();
  const behaviorOf = () => ({ ...RECORDED_BEHAVIOR, ...behavior });
  const world = new NodesWorld([vmi, launcher(vmi, 'n1')], { times: EXACT, behaviorOf, ...options });
  world.agents.start();
  await world.run(3);
  expect(world.course('db').at(-1)).toBe('2 Running n1');
  return world;
}

describe('the life of a guest', () => {
  it('begins a second after its pod, with all that virt-handler finds out', async () => {
    const world = await aRunningWorld({ guestAgent: true });
    expect(world.course(LAUNCHER)).toEqual(['1 Running ready=True']);
    expect(world.vmi().status).toMatchObject({
      phase: 'Running',
      migrationMethod: 'BlockMigration',
      selinuxContext: 'none',
      guestOSInfo: {},
      interfaces: [{ name: 'default', ipAddress: world.pod()?.status?.podIP, podInterfaceName: 'eth0' }],
      conditions: [
        { type: 'Ready', status: 'False', reason: 'GuestNotRunning' },
        { type: 'LiveMigratable', status: 'True' },
        { type: 'StorageLiveMigratable', status: 'True' },
        { type: 'AgentConnected', status: 'True' },
      ],
      phaseTransitionTimestamps: [
        { phase: 'Scheduled', phaseTransitionTimestamp: '2026-03-01T12:00:00Z' },
        { phase: 'Running', phaseTransitionTimestamp: '2026-03-01T12:00:02Z' },
      ],
    });
    expect(world.told()).toEqual(['Normal Started: VirtualMachineInstance started.']);
  });

  it('warns of one that must migrate and cannot', async () => {
    const vmi = aScheduledVmi('db').strategy('LiveMigrate').build();
    const spec = { ...vmi.spec, volumes: [{ name: 'd', hostDisk: { path: '/d' } }] };
    const world = new NodesWorld([{ ...vmi, spec }, launcher(vmi, 'n1')]);
    world.agents.start();
    await world.run(5);
    expect(world.told()).toEqual([
      'Normal Started: VirtualMachineInstance started.',
      'Warning Migrated: EvictionStrategy is set but vmi is not migratable; cannot migrate VMI with non-shared HostDisk',
    ]);
  });

  it.each([
    [
      'powersOff',
      '12 Succeeded n1',
      'Succeeded ready=False/PodCompleted',
      'Normal Stopped: The VirtualMachineInstance was shut down.',
    ],
    [
      'crashes',
      '12 Failed n1',
      'Failed ready=False/PodFailed',
      'Warning Stopped: The VirtualMachineInstance crashed.',
    ],
  ] as const)('may end of its own accord: %s', async (kind, end, podEnd, told) => {
    const world = await aRunningWorld({ ownEnd: { kind, seconds: 10 } });
    await world.run(20);
    expect(world.course('db').at(-1)).toBe(end);
    expect(world.course(LAUNCHER).at(-1)).toBe(`12 ${podEnd}`);
    expect(world.told().at(-1)).toBe(told);
  });
});

describe('the deletion of a launcher pod', () => {
  const SHUTTING_DOWN = 'Normal ShuttingDown: Signaled Graceful Shutdown';
  const SHUT_DOWN = 'Normal Stopped: The VirtualMachineInstance was shut down.';
  const CRASHED = 'Warning Stopped: The VirtualMachineInstance crashed.';
  const DESTROYING = 'Normal Deleted: VirtualMachineInstance stopping';

  it.each([
    ['a guest that obeys', { kind: 'clean', seconds: 4 }, 30, '7 Succeeded n1', [SHUTTING_DOWN, SHUT_DOWN]],
    [
      'a guest that needs three requests',
      { kind: 'clean', seconds: 4, ignoredRequests: 2 },
      30,
      '17 Succeeded n1',
      [SHUTTING_DOWN, SHUT_DOWN],
    ],
    [
      'a guest that ignores it',
      { kind: 'ignores', seconds: 0 },
      30,
      '33 Failed n1',
      [SHUTTING_DOWN, DESTROYING, CRASHED],
    ],
    ['a guest that crashes', { kind: 'crashes', seconds: 4 }, 30, '7 Failed n1', [SHUTTING_DOWN, CRASHED]],
    ['a guest without grace', { kind: 'ignores', seconds: 0 }, 0, '3 Succeeded n1', [DESTROYING, SHUT_DOWN]],
  ] as const)('ends %s', async (_, shutdown, grace, end, told) => {
    const world = await aRunningWorld({ shutdown }, {}, grace);
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(100);
    expect(world.course('db').at(-1)).toBe(end);
    expect(world.course(LAUNCHER).slice(-2)).toEqual([
      `3 Running ready=True deleting within ${grace + 30}`,
      `${end.split(' ')[0]} gone`,
    ]);
    expect(world.told().slice(1)).toEqual(told);
  });

  it('kills the guest with a pod that gets less time than it', async () => {
    const facts: GuestFact[] = [];
    const tell = (fact: GuestFact) => void facts.push(fact);
    const world = await aRunningWorld({ shutdown: { kind: 'ignores', seconds: 0 } }, { tell });
    world.api.delete('Pod', `shop/${LAUNCHER}`, { graceSeconds: 10 });
    await world.run(100);
    expect(world.course('db').at(-1)).toBe('13 Failed n1');
    expect(world.course(LAUNCHER).at(-1)).toBe('13 gone');
    expect(facts).toEqual([{ kind: 'Ended', vmi: 'shop/db', how: 'Killed' }]);
  });

  it('kills it sooner when the time is cut short', async () => {
    const world = await aRunningWorld({ shutdown: { kind: 'ignores', seconds: 0 } });
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(10);
    world.api.delete('Pod', `shop/${LAUNCHER}`, { graceSeconds: 5 });
    await world.run(100);
    expect(world.course('db').at(-1)).toBe('18 Failed n1');
  });

  it('ends a guest by the deletion of its VMI alike', async () => {
    const world = await aRunningWorld();
    world.change(VMI, 'shop/db', (vmi) => ({
      ...vmi,
      metadata: { ...(vmi.metadata as object), finalizers: ['x'] },
    }));
    world.api.delete(VMI, 'shop/db');
    await world.run(10);
    expect(world.course('db').at(-1)).toBe('5 Succeeded n1');
  });

  it('takes a pod without a guest away soon, and one that did not start at once', async () => {
    const world = await aRunningWorld();
    const vmi = aScheduledVmi('other', 'n2').phase('Scheduling').build();
    world.put(vmi, launcher(vmi, 'n2'), launcher(vmi, 'n3', 2));
    await world.run(0.5);
    world.api.delete('Pod', 'shop/virt-launcher-other-2');
    await world.run(1.5);
    world.api.delete('Pod', 'shop/virt-launcher-other-1');
    await world.run(1);
    expect(world.course('virt-launcher-other-2').at(-1)).toBe('3.5 gone');
    expect(world.course('virt-launcher-other-1').at(-1)).toBe('5.5 gone');
  });
});

describe('a migration', () => {
  it('goes step by step, the guest on the target from one write on', async () => {
    const facts: GuestFact[] = [];
    const world = await aRunningWorld({}, { tell: (fact) => void facts.push(fact) });
    world.change(VMI, 'shop/db', (vmi) => ({
      ...vmi,
      metadata: {
        ...(vmi.metadata as object),
        labels: { ...(vmi.metadata as { labels: object }).labels, 'kubevirt.io/outdatedLauncherImage': '' },
        annotations: { 'kubevirt.io/eviction-source': 'descheduler', kept: 'yes' },
      },
    }));
    world.status('db', { evacuationNodeName: 'n1' });
    await world.handOff('db', 'n2');
    await world.run(10);
    expect(world.course('db').slice(1)).toEqual([
      '4 Running n1 move-2 to n2',
      '4.5 Running n1 move-2 targetNodeAddress to n2',
      '5 Running n1 move-2 startTimestamp to n2',
      '5.5 Running n1 move-2 targetNodeDomainDetected to n2',
      '8.5 Running n1 move-2 targetNodeDomainReadyTimestamp to n2',
      '8.5 Running n2 move-2 endTimestamp to n2',
      '8.5 Running n2 move-2 completed to n2',
      '8.5 Running n2 move-2 completed',
    ]);
    expect(world.course(LAUNCHER).at(-1)).toBe('8.5 Succeeded ready=False/PodCompleted');
    const { metadata, status } = world.vmi();
    expect(metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'n2' });
    expect(metadata.annotations).toEqual({ kept: 'yes' });
    expect(status).not.toHaveProperty('evacuationNodeName');
    expect(status).not.toHaveProperty('launcherContainerImageVersion');
    expect(status?.migrationState).toMatchObject({
      targetNodeAddress: world.pod('virt-launcher-db-2')?.status?.podIP,
      targetDirectMigrationNodePorts: { '38001': 49152 },
      mode: 'PreCopy',
      startTimestamp: '2026-03-01T12:00:05Z',
      endTimestamp: '2026-03-01T12:00:08Z',
    });
    expect(world.told().slice(1)).toEqual([
      `Normal PreparingTarget: Migration Target is listening at ${status?.migrationState?.targetNodeAddress}, on ports: 49152`,
      'Normal Migrating: VirtualMachineInstance is migrating.',
      'Normal Migrated: The VirtualMachineInstance migrated to node n2.',
    ]);
    expect(facts).toEqual([{ kind: 'Moved', vmi: 'shop/db', migrationUid: 'move-2', downtimeSeconds: 0 }]);
  });

  it('fails as it was told to, and leaves the guest where it is', async () => {
    const world = await aRunningWorld({ migration: { kind: 'fails', seconds: 2, reason: 'no luck' } });
    await world.handOff('db', 'n2');
    await world.run(10);
    expect(world.course('db').slice(-3)).toEqual([
      '5 Running n1 move-2 startTimestamp to n2',
      '7 Running n1 move-2 failed no luck to n2',
      '7 Running n1 move-2 failed no luck',
    ]);
    expect(world.course('virt-launcher-db-2').at(-1)).toBe('7 Failed ready=False/PodFailed');
    expect(world.course(LAUNCHER)).toEqual(['1 Running ready=True']);
    expect(world.told().at(-1)).toBe(
      'Warning Migrated: VirtualMachineInstance migration uid move-2 failed. reason:no luck',
    );
  });

  it('is aborted where virt-controller asks for it', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 60 } });
    await world.handOff('db', 'n2');
    await world.run(10);
    const migrationState = { ...world.vmi().status?.migrationState, abortRequested: true };
    world.status('db', { migrationState });
    await world.run(100);
    expect(world.course('db').slice(-2)).toEqual([
      '14 Running n1 move-2 failed Live migration has been aborted to n2',
      '14 Running n1 move-2 failed Live migration has been aborted',
    ]);
    expect(world.vmi().status?.migrationState).toMatchObject({ abortStatus: 'Succeeded', completed: true });
  });

  it('fails with its target pod', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 60 } });
    await world.handOff('db', 'n2');
    await world.run(10);
    world.api.delete('Pod', 'shop/virt-launcher-db-2', { graceSeconds: 0 });
    await world.run(1);
    expect(world.course('db').slice(-2)).toEqual([
      '14 Running n1 move-2 failed Target pod is down to n2',
      '14 Running n1 move-2 failed Target pod is down',
    ]);
  });

  it('takes its guest along when it loses its target in post-copy', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 200 } });
    await world.handOff('db', 'n2', 2, { allowPostCopy: true, progressTimeout: 0 });
    await world.run(160);
    world.api.delete('Pod', 'shop/virt-launcher-db-2', { graceSeconds: 0 });
    await world.run(1);
    expect(world.course('db').at(-1)).toBe('164 Failed n1 move-2 failed PostCopy Target pod is down to n2');
  });

  it('ends with its guest', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 60 } });
    await world.handOff('db', 'n2');
    await world.run(10);
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(100);
    expect(world.course('db').at(-1)).toBe('16 Succeeded n1 move-2 targetNodeDomainDetected to n2');
    expect(world.course('virt-launcher-db-2').at(-1)).toBe('16 Failed ready=False/PodFailed');
  });

  it.each([
    [{}, '155 Running n1 move-2 failed Live migration has been aborted to n2', undefined],
    [{ allowPostCopy: true }, '205.5 Running n2 move-2 completed PostCopy', 'PostCopy'],
    [{ allowWorkloadDisruption: true }, '205.5 Running n2 move-2 completed Paused', 'Paused'],
    [{ completionTimeoutPerGiB: 0 }, '205.5 Running n2 move-2 completed', undefined],
  ])('that takes too long is dealt with by its settings: %j', async (set, end, mode) => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 200 } });
    await world.handOff('db', 'n2', 2, { progressTimeout: 0, ...set });
    await world.run(400);
    const ends = world.course('db').map((step) => step.replace(/^155\.\d+/, '155'));
    expect(ends).toContain(end);
    if (mode) expect(world.vmi().status?.migrationState?.mode).toBe(mode);
  });

  it('plugs in what waited for it', async () => {
    const world = await aRunningWorld();
    const conditions = ['HotVCPUChange', 'HotMemoryChange', 'MigrationRequired', 'VolumesChange'].map(
      (type) => ({ type, status: 'True' }),
    );
    world.status('db', { conditions, migratedVolumes: [{ volumeName: 'disk' }] });
    world.change(VMI, 'shop/db', (vmi) => {
      const spec = vmi.spec as { domain: { cpu: object; memory: object } };
      const domain = { ...spec.domain, cpu: { ...spec.domain.cpu, sockets: 4 }, memory: { guest: '2G' } };
      return { ...vmi, spec: { ...spec, domain } };
    });
    await world.handOff('db', 'n2');
    await world.run(10);
    const { status } = world.vmi();
    expect(status?.conditions?.map(({ type }) => type)).not.toContain('HotVCPUChange');
    expect(status?.conditions?.filter(({ type }) => conditions.some((each) => each.type === type))).toEqual(
      [],
    );
    expect(status).toMatchObject({
      currentCPUTopology: { sockets: 4, cores: 1, threads: 1 },
      memory: { guestCurrent: '2G', guestRequested: '2G' },
    });
    expect(status).not.toHaveProperty('migratedVolumes');
  });
});

describe('a copy over the network', () => {
  const idle = { kind: 'copies', hotSetMB: 0, hotSetSeconds: 0, coldDirtyMBps: 0 } as const;
  /** 93 MB of memory a second. */
  const network = { nicMbps: 800 };

  it('takes as long as its memory', async () => {
    const world = await aRunningWorld({ migration: { ...idle, memoryMB: 930 } }, { network });
    await world.handOff('db', 'n2');
    await world.run(30);
    expect(world.course('db')).toContain('15 Running n2 move-2 endTimestamp to n2');
  });

  it('is as large as the guest where nothing else is said, and no faster than it may', async () => {
    const world = await aRunningWorld({ migration: idle }, { network });
    await world.handOff('db', 'n2', 2, { bandwidthPerMigration: '50M' });
    await world.run(30);
    expect(world.course('db')).toContain('25 Running n2 move-2 endTimestamp to n2');
  });

  it('shares the way with others', async () => {
    const other = aScheduledVmi('other').build();
    const world = await aRunningWorld({ migration: { ...idle, memoryMB: 930 } }, { network });
    world.put(other, launcher(other, 'n1'));
    await world.run(3);
    world.put(launcher(world.vmi(), 'n2', 2), launcher(other, 'n3', 3));
    await world.run(1);
    await world.handOff('db', 'n2');
    await world.handOff('other', 'n3', 3);
    await world.run(40);
    expect(world.course('db')).toContain('28 Running n2 move-2 endTimestamp to n2');
    expect(world.course('other')).toContain('28 Running n3 move-3 endTimestamp to n3');
  });

  const busy = { ...idle, memoryMB: 930, hotSetMB: 93, hotSetSeconds: 1, coldDirtyMBps: 93 };

  it.each([
    [{}, /Running n1 move-2 failed Live migration has been aborted$/],
    [{ allowPostCopy: true }, /Running n2 move-2 completed PostCopy$/],
    [{ allowWorkloadDisruption: true }, /Running n2 move-2 completed Paused$/],
    [{ allowAutoConverge: true }, /Running n2 move-2 completed$/],
  ])('that does not converge ends by its settings: %j', async (set, end) => {
    const facts: GuestFact[] = [];
    const tell = (fact: GuestFact) => void facts.push(fact);
    const world = await aRunningWorld({ migration: busy }, { network, tell });
    await world.handOff('db', 'n2', 2, set);
    await world.run(600);
    expect(world.course('db').at(-1)).toMatch(end);
    const [moved] = facts;
    if (moved?.kind === 'Moved') expect(moved.downtimeSeconds > 0).toBe(!('allowPostCopy' in set));
  });

  it('goes on where the agents were restarted meanwhile', async () => {
    const world = await aRunningWorld({ migration: { ...idle, memoryMB: 930 } }, { network });
    await world.handOff('db', 'n2');
    await world.run(6);
    await world.agents.stop();
    world.agents.start();
    await world.run(30);
    expect(world.course('db').at(-1)).toBe('15 Running n2 move-2 completed');
  });
});

describe('agents that come and go', () => {
  it('take over what they find', async () => {
    const world = await aRunningWorld({ shutdown: { kind: 'clean', seconds: 8 } });
    await world.agents.stop();
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(5);
    world.agents.start();
    await world.run(20);
    expect(world.course('db').at(-1)).toBe('11 Succeeded n1');
    expect(world.course(LAUNCHER).at(-1)).toBe('11 gone');
  });

  it('do nothing after they were stopped', async () => {
    const world = await aRunningWorld();
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(1);
    await world.agents.stop();
    await world.run(100);
    expect(world.vmi().status?.phase).toBe('Running');
  });

  it('try again what is refused', async () => {
    let refusals = 3;
    const vmi = aScheduledVmi('db').build();
    const faultOf = () =>
      refusals-- > 0 ? { answer: { ok: false as const, message: 'not now', code: 500 } } : undefined;
    const world = new NodesWorld([vmi, launcher(vmi, 'n1')], { times: EXACT }, { faultOf });
    world.agents.start();
    await world.run(10);
    expect(world.course(LAUNCHER)).toEqual(['4.5 Running ready=True']);
    expect(world.log.entries[0]).toMatchObject({ level: 'warn', fields: { problem: 'not now' } });
  });

  it('write each step once, however late they see what they wrote', async () => {
    const vmi = aScheduledVmi('db').build();
    const written: string[] = [];
    const faultOf = ({ verb, kind }: { verb: string; kind: string }) => {
      if (kind !== 'Node') written.push(`${verb} ${kind}`);
      return undefined;
    };
    const world = new NodesWorld(
      [vmi, launcher(vmi, 'n1')],
      { times: EXACT },
      { faultOf, lagSeconds: () => 0.3 },
    );
    world.agents.start();
    await world.run(10);
    await world.handOff('db', 'n2');
    await world.run(20);
    expect(world.course('db').at(-1)).toMatch(/Running n2 move-2 completed$/);
    expect(written.filter((write) => write === `modify ${VMI}`)).toHaveLength(8);
  });

  it('write as whoever they are told to be, and leave nodes alone that are not theirs', async () => {
    const [one, other] = [aScheduledVmi('db').build(), aScheduledVmi('other', 'n2').build()];
    const wrote: string[] = [];
    const clusters: MemoryCluster[] = [];
    const world: NodesWorld = new NodesWorld([one, launcher(one, 'n1'), other, launcher(other, 'n2')], {
      plays: (node) => node !== 'n2',
      clusterFor: (node) => {
        const faultOf = ({ key }: { key: string }) => {
          wrote.push(`${node} ${key}`);
          return undefined;
        };
        const cluster = new MemoryCluster({ api: world.api, clock: world.clock, faultOf });
        clusters.push(cluster);
        return cluster;
      },
    });
    world.agents.start();
    await world.run(10);
    expect(clusters).toHaveLength(3);
    expect(wrote).toEqual(expect.arrayContaining([`n1 shop/${LAUNCHER}`, 'n1 shop/db']));
    expect(wrote.filter((key) => key.includes('other'))).toEqual([]);
    expect(world.vmi('other').status?.phase).toBe('Scheduled');
  });

  it('record no events where they shall not', async () => {
    const world = await aRunningWorld({}, { recordsEvents: false });
    expect(world.told()).toEqual([]);
  });
});

describe('nodes', () => {
  it('are brought up as far as they are not there, and play their part', async () => {
    const world = new NodesWorld([], {
      nodes: [
        { name: 'n1', cpu: '1' },
        { name: 'm1', cpu: '2', labels: { zone: 'a' } },
      ],
    });
    world.agents.start();
    await world.run(1);
    expect(world.api.get('Node', 'n1')?.metadata.labels).not.toHaveProperty('kubernetes.io/os');
    expect(world.api.get('Node', 'm1')).toMatchObject({
      metadata: { labels: { zone: 'a', 'kubevirt.io/schedulable': 'true' } },
      status: { allocatable: { cpu: '2', 'devices.kubevirt.io/kvm': '1k' } },
    });
    const vmi = aScheduledVmi('db', 'm1').build();
    world.put(vmi, launcher(vmi, 'm1'));
    await world.run(5);
    expect(world.vmi().status?.phase).toBe('Running');
  });

  it('beat their hearts while virt-handler runs', async () => {
    const world = new NodesWorld([], { times: { heartbeatSeconds: 60 } });
    const beat = () => world.api.get('Node', 'n1')?.metadata.annotations;
    world.agents.start();
    await world.run(61);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:01:00Z' });
    world.agents.pauseHandler('n1');
    await world.run(300);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:01:00Z' });
    world.agents.resumeHandler('n1');
    await world.run(1);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:06:01Z' });
    await world.agents.failNode('n1');
    await world.run(300);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:06:01Z' });
  });

  it('fail with their pods and guests', async () => {
    const world = await aRunningWorld({ ownEnd: { kind: 'powersOff', seconds: 5 } });
    await world.agents.failNode('n1');
    await world.run(60);
    expect(world.course(LAUNCHER).at(-1)).toBe('3 gone');
    expect(world.vmi().status?.phase).toBe('Running');
  });

  it('may leave their pods behind', async () => {
    const world = await aRunningWorld();
    await world.agents.failNode('n1', { podsVanish: false });
    await world.run(60);
    expect(world.course(LAUNCHER)).toEqual(['1 Running ready=True']);
  });

  it('take migrations from them down, and to them', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 60 } });
    await world.handOff('db', 'n2');
    await world.run(10);
    await world.agents.failNode('n2', { podsVanish: false });
    await world.run(60);
    expect(world.course('db').at(-1)).toBe('14 Running n1 move-2 failed Target pod is down to n2');
  });

  it('take the guests along that were on their way', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 60 } });
    await world.handOff('db', 'n2');
    await world.run(10);
    world.agents.rebootNode('n1', 100);
    await world.run(99);
    expect(world.course('db').at(-1)).toBe('5.5 Running n1 move-2 targetNodeDomainDetected to n2');
    await world.run(2);
    expect(world.vmi().status?.phase).toBe('Failed');
  });

  it('reboot, and find their guests gone', async () => {
    const world = await aRunningWorld();
    world.agents.rebootNode('n1', 90);
    await world.run(89);
    expect(world.vmi().status?.phase).toBe('Running');
    await world.run(2);
    expect(world.course(LAUNCHER).at(-1)).toBe('93 Failed ready=False/PodFailed');
    expect(world.course('db').at(-1)).toBe('93 Failed n1');
  });

  it('play again after a reboot', async () => {
    const world = await aRunningWorld();
    world.agents.rebootNode('n2', 10);
    await world.run(11);
    const vmi = aScheduledVmi('new', 'n2').build();
    world.put(vmi, launcher(vmi, 'n2'));
    await world.run(5);
    expect(world.vmi('new').status?.phase).toBe('Running');
  });

  it('of which there is none are no error', async () => {
    const world = await aRunningWorld();
    await world.agents.failNode('nowhere');
    await world.agents.recoverNode('nowhere');
    world.agents.pauseHandler('nowhere');
    world.agents.resumeHandler('nowhere');
    world.agents.rebootNode('nowhere', 1);
    await world.run(2);
    expect(world.log.entries).toEqual([]);
  });
});

describe('virt-handler that is down', () => {
  it('starts no guest, and makes up for it afterwards', async () => {
    const world = await aRunningWorld();
    world.agents.pauseHandler('n2');
    const vmi = aScheduledVmi('late', 'n2').build();
    world.put(vmi, launcher(vmi, 'n2'));
    await world.run(10);
    expect(world.vmi('late').status?.phase).toBe('Scheduled');
    world.agents.resumeHandler('n2');
    await world.run(2);
    expect(world.course('late').at(-1)).toBe('14 Running n2');
  });

  it('presses no button; the launcher ends the guest when its time is long over', async () => {
    const world = await aRunningWorld();
    world.agents.pauseHandler('n1');
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(100);
    expect(world.course(LAUNCHER).at(-1)).toBe('48 gone');
    expect(world.course('db').at(-1)).toBe('2 Running n1');
    expect(world.told().slice(1)).toEqual([]);
  });

  it('presses the button late', async () => {
    const world = await aRunningWorld();
    world.agents.pauseHandler('n1');
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(20);
    world.agents.resumeHandler('n1');
    await world.run(10);
    expect(world.course('db').at(-1)).toBe('25 Succeeded n1');
  });
});

describe('a volume that is plugged in', () => {
  const claim = { claimName: 'extra', accessModes: ['ReadWriteOnce'] };
  const attached = {
    name: 'extra',
    phase: 'AttachedToNode',
    hotplugVolume: { attachPodName: 'hp-1' },
    persistentVolumeClaimInfo: claim,
  };

  it('is mounted, ready, and no longer migratable where it is not shared', async () => {
    const world = await aRunningWorld();
    world.change(VMI, 'shop/db', (vmi) => ({
      ...vmi,
      spec: {
        ...(vmi.spec as object),
        volumes: [{ name: 'extra', persistentVolumeClaim: { claimName: 'extra' } }],
      },
    }));
    world.status('db', { volumeStatus: [attached] });
    await world.run(0.6);
    expect(world.vmi().status?.volumeStatus).toMatchObject([
      { phase: 'MountedToPod', reason: 'VolumeMountedToPod' },
    ]);
    await world.run(1);
    expect(world.vmi().status?.volumeStatus).toMatchObject([
      { phase: 'Ready', reason: 'VolumeReady', target: 'sda', persistentVolumeClaimInfo: claim },
    ]);
    expect(world.vmi().status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'LiveMigratable', status: 'False', reason: 'DisksNotLiveMigratable' }),
    );
  });

  it('changes nothing about a migratability that is told', async () => {
    const world = await aRunningWorld({ migratability: {} });
    world.status('db', { volumeStatus: [attached] });
    await world.run(3);
    expect(world.vmi().status?.conditions).toContainEqual({ type: 'LiveMigratable', status: 'True' });
  });

  it('is unmounted when it is taken out', async () => {
    const world = await aRunningWorld();
    world.status('db', { volumeStatus: [{ ...attached, phase: 'Detaching' }] });
    await world.run(1);
    expect(world.vmi().status?.volumeStatus).toMatchObject([{ phase: 'UnMountedFromPod' }]);
  });
});

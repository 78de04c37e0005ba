import { describe, expect, it } from 'vitest';
import type { GuestFact } from './options.ts';
import { aScheduledVmi, launcher, VMI } from './test-nodes.ts';
import { aRunningWorld, LAUNCHER } from './test-running.ts';

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
    expect(world.told().at(-1)).toBe('Warning Stopped: The VirtualMachineInstance crashed.');
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

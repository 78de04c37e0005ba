import { describe, expect, it } from 'vitest';
import { aVmi } from '../../../kubevirt/builders.ts';
import type { GuestFact } from './options.ts';
import { aScheduledVmi, launcher, NodesWorld, VMI } from './test-nodes.ts';
import { aRunningWorld, EXACT, LAUNCHER } from './test-running.ts';

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
    expect(world.told().at(-1)).toBe('Warning Stopped: The VirtualMachineInstance crashed.');
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

  it('is looked at soon by a virt-handler that comes to a node, where it is about to move along', async () => {
    const volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'root' } }];
    const held = {
      volumeStatus: [
        { name: 'root', persistentVolumeClaimInfo: { claimName: 'root', accessModes: ['ReadWriteOnce'] } },
      ],
      migratedVolumes: [{ volumeName: 'root' }],
    };
    const vmi = aVmi('db')
      .on('n1')
      .spec({ volumes })
      .condition('LiveMigratable', 'False', 'DisksNotLiveMigratable')
      .status(held)
      .build();
    const world = new NodesWorld([vmi, launcher(vmi, 'n1')], { times: EXACT });
    const isMigratable = () =>
      world.vmi().status?.conditions?.find(({ type }) => type === 'LiveMigratable')?.status;
    world.agents.start();
    await world.run(0.9);
    expect(isMigratable()).toBe('False');
    await world.run(0.2);
    expect(isMigratable()).toBe('True');
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

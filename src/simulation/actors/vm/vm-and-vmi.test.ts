import { describe, expect, it } from 'vitest';
import { aRawVm, IMAGE, VM, VMI, VmWorld } from './test-world-of-vms.ts';

const BOOTED = 'True LiveMigratable=True StorageLiveMigratable=True';

const LEAVING = 'PodTerminating LiveMigratable=True StorageLiveMigratable=True';

describe('a VM that always runs', () => {
  it('starts as the recorded ones do', async () => {
    const world = new VmWorld();
    await world.boot('db', 'Always');
    const { values } = world;
    expect(values.of(`${VM} printableStatus`)).toEqual(['–', 'Stopped', 'Starting', 'Running']);
    expect(values.of('VirtualMachine runStrategy')).toEqual(['–', 'Always']);
    expect(values.of('VirtualMachine ready')).toEqual(['–', 'true']);
    expect(values.of('VirtualMachine conditions')).toEqual([
      '–',
      'VMINotExists',
      'VMIConditionMissing',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
    ]);
    expect(values.of(`${VMI} phase`)).toEqual(['Pending', 'Scheduling', 'Scheduled', 'Running']);
    expect(values.of(`${VMI} conditions`)).toEqual([
      '–',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
    ]);
    expect(values.of(`${VMI} image`)).toEqual(['–', IMAGE]);
    expect(values.of(`${VMI} node`)).toEqual(['–', 'n1']);
    expect(values.of(`${VMI} label`)).toEqual(['–', 'n1']);
    expect(values.of(`${VMI} pods`)).toEqual(['0', '1']);
    expect(world.messages()).toEqual([
      'Started the virtual machine by creating the new virtual machine instance db',
      `Created virtual machine pod ${world.pods()[0]?.metadata.name}`,
    ]);
    expect(world.cluster.events.every(({ component }) => component === 'virtualmachine-controller')).toBe(
      true,
    );
    expect(world.pods()[0]?.metadata.labels).toMatchObject({ 'kubevirt.io/nodeName': 'n1' });
    expect(world.pods()[0]?.metadata.annotations).toMatchObject({ 'lab/shutdown': 'clean:2' });
  });

  it('comes back after an eviction', async () => {
    const world = new VmWorld();
    await world.boot('db', 'Always');
    await world.evict();
    await world.clock.advance(8);
    const { values } = world;
    expect(values.of(`${VM} printableStatus`)).toEqual([
      '–',
      'Stopped',
      'Starting',
      'Running',
      'Stopped',
      'Starting',
      'Running',
    ]);
    expect(values.of(`${VMI} phase`)).toEqual([
      'Pending',
      'Scheduling',
      'Scheduled',
      'Running',
      'Succeeded',
      'Pending',
      'Scheduling',
      'Scheduled',
      'Running',
    ]);
    expect(values.of(`${VMI} conditions`)).toEqual([
      '–',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
      LEAVING,
      '–',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
    ]);
    expect(values.of('VirtualMachine failure')).toEqual(['–']);
    expect(world.told()).toEqual([
      'VM SuccessfulCreate',
      'VMI SuccessfulCreate',
      'VM SuccessfulDelete',
      'VM SuccessfulCreate',
      'VMI SuccessfulCreate',
    ]);
    expect(world.pods()).toHaveLength(1);
  });

  it('is stopped and started by a request to restart', async () => {
    const world = new VmWorld();
    await world.boot('db', 'Always');
    const uid = world.api.get(VMI, 'shop/db')?.metadata.uid;
    world.request('db', { action: 'Stop', uid }, { action: 'Start' });
    await world.clock.advance(10);
    expect(world.values.of(`${VM} printableStatus`)).toEqual([
      '–',
      'Stopped',
      'Starting',
      'Running',
      'Stopping',
      'Stopped',
      'Starting',
      'Running',
    ]);
    expect(world.values.of('VirtualMachine requests')).toEqual(['–', '2', '1', '–']);
    expect(world.messages()).toContain(
      `Stopped the virtual machine by deleting the virtual machine instance ${uid}`,
    );
    expect(world.told().filter((event) => event === 'VMI SuccessfulDelete')).toHaveLength(1);
  });

  it('waits longer after each start that failed', async () => {
    const world = new VmWorld({ boots: false });
    world.create(aRawVm('db', 'Always'));
    await world.clock.advance(3);
    for (let round = 0; round < 2; round++) {
      const [pod] = world.pods();
      world.api.delete('Pod', `shop/${pod?.metadata.name}`, { graceSeconds: 0 });
      await world.clock.advance(2);
      expect(world.pods()).toHaveLength(0);
      await world.clock.advance(round === 0 ? 20 : 70);
      expect(world.pods()).toHaveLength(1);
    }
    expect(world.values.of(`${VM} printableStatus`)).toEqual([
      '–',
      'Stopped',
      'Starting',
      'CrashLoopBackOff',
      'Starting',
      'CrashLoopBackOff',
      'Starting',
    ]);
    expect(world.values.of('VirtualMachine failure')).toEqual(['–', '1', '2']);
  });

  it('goes with its VMI when it is deleted', async () => {
    const world = new VmWorld();
    await world.boot('db', 'Always');
    world.api.delete('VirtualMachine', 'shop/db');
    await world.clock.advance(10);
    expect([...world.api.list('VirtualMachine'), ...world.api.list(VMI), ...world.api.list('Pod')]).toEqual(
      [],
    );
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe('Terminating');
    expect(world.told()).toContain('VM SuccessfulDelete');
  });

  it('waits for its disks', async () => {
    const world = new VmWorld({}, { provisioningSecondsOf: () => 30 });
    world.create(aRawVm('db', 'Always'));
    await world.clock.advance(29);
    expect(world.values.of(`${VM} printableStatus`)).toEqual(['–', 'Stopped', 'Provisioning']);
    await world.clock.advance(6);
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe('Running');
  });
});

describe('a new launcher image', () => {
  it('makes VMIs outdated, and those that start anew are not', async () => {
    const world = new VmWorld();
    await world.boot('db', 'Always');
    world.image = 'launcher:v2';
    world.api.put('KubeVirt', { kind: 'KubeVirt', metadata: { name: 'kubevirt', namespace: 'kubevirt' } });
    await world.clock.settle();
    expect(world.values.of(`${VMI} outdated`)).toEqual(['false', 'true']);
    expect(world.pods()[0]?.metadata.labels).toHaveProperty(['kubevirt.io/outdatedLauncherImage'], '');
    await world.evict();
    await world.clock.advance(10);
    expect(world.values.of(`${VMI} outdated`)).toEqual(['false', 'true', 'false']);
    expect(world.values.of(`${VMI} image`)).toEqual(['–', IMAGE, '–', 'launcher:v2']);
  });
});

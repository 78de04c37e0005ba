import { describe, expect, it } from 'vitest';
import { objectAt } from '../../../kubevirt/json.ts';
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

describe('after an eviction', () => {
  it.each([
    ['Always', 'Succeeded', 'Running', 'Running'],
    ['RerunOnFailure', 'Succeeded', 'Stopped', undefined],
    ['RerunOnFailure', 'Failed', 'Running', 'Running'],
    ['Manual', 'Succeeded', 'Stopped', 'Succeeded'],
    ['Manual', 'Failed', 'Stopped', 'Failed'],
    ['Once', 'Succeeded', 'Stopped', 'Succeeded'],
  ] as const)('%s whose guest ended %s: %s', async (strategy, end, status, phase) => {
    const world = new VmWorld({ endOf: () => ({ phase: end, seconds: 2 }) });
    world.create(aRawVm('db', strategy));
    await world.clock.settle();
    if (strategy === 'Manual') {
      expect(world.values.of(`${VM} printableStatus`)).toEqual(['–', 'Stopped']);
      world.request('db', { action: 'Start' });
    }
    await world.clock.advance(5);
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe('Running');
    await world.evict();
    await world.clock.advance(10);
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe(status);
    const vmi = world.api.get(VMI, 'shop/db');
    expect(vmi && objectAt(vmi, 'status').phase).toBe(phase);
    if (phase === 'Succeeded' || phase === 'Failed') {
      expect(vmi?.metadata.finalizers ?? []).toEqual([]);
      expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(
        'PodNotExists LiveMigratable=True StorageLiveMigratable=True',
      );
      expect(world.values.of(`${VMI} image`).at(-1)).toBe('–');
      expect(world.values.of(`${VMI} pods`).at(-1)).toBe('0');
    }
  });

  it('a Halted VM is never started, until a start makes it Always', async () => {
    const world = new VmWorld();
    await world.boot('db', 'Halted');
    expect([...world.api.list(VMI)]).toEqual([]);
    world.request('db', { action: 'Start' });
    await world.clock.advance(5);
    const vm = world.api.get('VirtualMachine', 'shop/db');
    expect(vm && objectAt(vm, 'spec').runStrategy).toBe('Always');
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe('Running');
  });

  it('a VMI without VM stays for ever', async () => {
    const world = new VmWorld();
    world.api.create(VMI, 'shop', { metadata: { name: 'alone' }, spec: { domain: {} } });
    await world.clock.advance(5);
    await world.evict();
    await world.clock.advance(10);
    expect(world.values.of(`${VMI} phase`).at(-1)).toBe('Succeeded');
    expect(world.api.get(VMI, 'shop/alone')?.metadata.finalizers).toBeUndefined();
    expect(world.told()).toEqual(['VMI SuccessfulCreate']);
  });
});

describe('a launcher without a place', () => {
  it('shows on VMI and VM until it has one', async () => {
    const place = { found: false };
    const world = new VmWorld({ hasPlace: () => place.found });
    world.create(aRawVm('db', 'Always'));
    await world.clock.advance(2);
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe('ErrorUnschedulable');
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe('GuestNotRunning PodScheduled=False');
    const [pod] = world.pods();
    const condition = { type: 'PodScheduled', status: 'True' };
    world.api.modify(
      'Pod',
      `shop/${pod?.metadata.name}`,
      (held) => ({ ...held, status: { conditions: [condition] } }),
      { subresource: 'status' },
    );
    await world.clock.settle();
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe('Starting');
  });

  it('whose creation is refused is tried again, and said', async () => {
    const world = new VmWorld();
    const { api } = world;
    const createPod = api.create.bind(api);
    let refusals = 3;
    api.create = (kind, namespace, object) =>
      kind === 'Pod' && refusals-- > 0
        ? { ok: false, code: 403, reason: 'Forbidden', message: 'exceeded quota' }
        : createPod(kind, namespace, object);
    world.create(aRawVm('db', 'Always'));
    await world.clock.advance(5);
    expect(world.values.of(`${VMI} conditions`).slice(0, 3)).toEqual([
      '–',
      'PodNotExists Synchronized=False',
      'GuestNotRunning',
    ]);
    expect(world.cluster.events.filter(({ reason }) => reason === 'FailedCreate')).toHaveLength(3);
    expect(world.cluster.events[1]).toMatchObject({
      type: 'Warning',
      message: 'Error creating pod: exceeded quota',
    });
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

describe('an eviction that marks a VMI', () => {
  it('shows on pod and VMI as long as it lasts', async () => {
    const world = new VmWorld();
    world.api.put('KubeVirt', {
      kind: 'KubeVirt',
      metadata: { name: 'kubevirt', namespace: 'kubevirt' },
      spec: { configuration: { evictionStrategy: 'LiveMigrate' } },
    });
    world.create(aRawVm('db', 'Always'));
    await world.clock.advance(5);
    await world.evict();
    await world.clock.settle();
    const annotation = ['annotations', 'descheduler.alpha.kubernetes.io/eviction-in-progress'];
    expect(world.pods()[0]?.metadata).toHaveProperty(annotation, 'true');
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(`${BOOTED} EvictionRequested=True`);
    world.api.modify(VMI, 'shop/db', (held) => ({
      ...held,
      status: { ...objectAt(held, 'status'), evacuationNodeName: '' },
    }));
    await world.clock.settle();
    expect(world.pods()[0]?.metadata).not.toHaveProperty(annotation);
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(BOOTED);
    expect(world.values.of('VirtualMachine conditions').at(-1)).toBe(BOOTED);
  });
});

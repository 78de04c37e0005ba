import { describe, expect, it } from 'vitest';
import { objectAt } from '../../../kubevirt/json.ts';
import { aRawVm, VM, VMI, VmWorld } from './test-world-of-vms.ts';

const BOOTED = 'True LiveMigratable=True StorageLiveMigratable=True';

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

  it.each([
    ['goes as it was where the VM lets go of it first', undefined, false],
    ['is told to have no pod any more where the VM lets go of it last', () => true, true],
  ])('a VMI %s', async (_, isVmLast, isTold) => {
    const world = new VmWorld({}, { isVmLast });
    await world.boot('db', 'Always');
    await world.evict();
    await world.clock.advance(10);
    const conditions = world.values.of(`${VMI} conditions`);
    expect(conditions.some((text) => text.startsWith('PodNotExists'))).toBe(isTold);
    expect(world.values.of(`${VM} printableStatus`).slice(-3)).toEqual(['Stopped', 'Starting', 'Running']);
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

  it('a receiver has no guest until another cluster sends one', async () => {
    const world = new VmWorld();
    world.configure({ developerConfiguration: { featureGates: ['DecentralizedLiveMigration'] } });
    await world.boot('db', 'WaitAsReceiver');
    expect([...world.api.list(VMI)]).toEqual([]);
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

import { describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { valueAt } from '../../test-recording.ts';
import { aRunningVm, restartOf } from './test-live-edits.ts';
import { VM, VMI, VmWorld } from './test-world-of-vms.ts';

const BOOTED = 'True LiveMigratable=True StorageLiveMigratable=True';

const withDomain =
  (part: string, change: object) =>
  (spec: JsonObject): JsonObject => {
    const domain = objectAt(spec, 'domain');
    return { ...spec, domain: { ...domain, [part]: { ...objectAt(domain, part), ...change } } };
  };

const failureOf = (world: VmWorld) =>
  objectsAt(objectAt(world.vm() ?? {}, 'status'), 'conditions').find(({ type }) => type === 'Failure');

describe('an edit of a running VM', () => {
  it.each([
    ['CPU', withDomain('cpu', { sockets: 2 }), ['cpu', 'sockets'], 2, 'HotVCPUChange'],
    ['memory', withDomain('memory', { guest: '2Gi' }), ['memory', 'guest'], '2Gi', 'HotMemoryChange'],
  ])('of its %s reaches the VMI, which says that it is due', async (_, change, path, value, condition) => {
    const world = await aRunningVm();
    world.edit('db', change);
    await world.clock.settle();
    expect(valueAt(world.vmi(), 'spec', 'domain', ...path)).toBe(value);
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(`${BOOTED} ${condition}=True`);
    expect(world.values.of(`${VM} conditions`).at(-1)).toBe(`${BOOTED} ${condition}=True`);
    expect(valueAt(world.vmi(), 'metadata', 'annotations', 'kubevirt.io/vm-generation')).toBe('1');
    expect(restartOf(world)).toBeUndefined();
  });

  it('keeps every field of the VMI that it does not change', async () => {
    const world = await aRunningVm();
    const before = objectAt(world.vmi() ?? {}, 'spec');
    world.edit('db', (spec) => ({ ...spec, nodeSelector: { zone: 'a' } }));
    await world.clock.settle();
    expect(world.vmi()?.spec).toEqual({ ...before, nodeSelector: { zone: 'a' } });
  });

  it('counts at the next start', async () => {
    const world = await aRunningVm();
    world.edit('db', withDomain('cpu', { sockets: 2 }));
    await world.clock.settle();
    await world.evict();
    await world.clock.advance(10);
    expect(valueAt(world.vmi(), 'status', 'currentCPUTopology', 'sockets')).toBe(2);
    expect(valueAt(world.vmi(), 'metadata', 'annotations', 'kubevirt.io/vm-generation')).toBe('2');
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(BOOTED);
  });

  it.each([
    [
      'more sockets than there is room for',
      withDomain('cpu', { sockets: 9 }),
      "CPU sockets updated in template spec to a value higher than what's available",
    ],
    [
      'another eviction strategy',
      (spec: JsonObject) => ({ ...spec, evictionStrategy: 'External' }),
      'a non-live-updatable field was changed in the template spec',
    ],
    [
      'more cores',
      withDomain('cpu', { cores: 2 }),
      'a non-live-updatable field was changed in the template spec',
    ],
  ])('asks for a restart: %s', async (_, change, message) => {
    const world = await aRunningVm();
    const before = world.vmi()?.spec;
    world.edit('db', change);
    await world.clock.settle();
    expect(restartOf(world)).toBe(message);
    expect(world.vmi()?.spec).toEqual(before);
    await world.evict();
    await world.clock.advance(10);
    expect(restartOf(world)).toBeUndefined();
    expect(world.values.of(`${VM} printableStatus`).at(-1)).toBe('Running');
  });

  it('asks for a restart under Stage, whatever it is', async () => {
    const world = await aRunningVm();
    world.configure({ vmRolloutStrategy: 'Stage' });
    world.edit('db', withDomain('cpu', { sockets: 2 }));
    await world.clock.settle();
    expect(restartOf(world)).toBe('a non-live-updatable field was changed in the template spec');
    expect(valueAt(world.vmi(), 'spec', 'domain', 'cpu', 'sockets')).toBe(1);
  });

  it('waits while another one is under way, and goes on when that is over', async () => {
    const world = await aRunningVm();
    world.edit('db', withDomain('cpu', { sockets: 2 }));
    await world.clock.settle();
    world.edit('db', withDomain('cpu', { sockets: 3 }));
    await world.clock.settle();
    expect(failureOf(world)).toMatchObject({
      status: 'True',
      reason: 'HotPlugCPUError',
      message: 'Error encountered while handling CPU change request: another CPU hotplug is in progress',
    });
    world.api.modify(VMI, 'shop/db', (held) => {
      const status = objectAt(held, 'status');
      const conditions = objectsAt(status, 'conditions').filter(({ type }) => type !== 'HotVCPUChange');
      const currentCPUTopology = { sockets: 2, cores: 1, threads: 1 };
      return { ...held, status: { ...status, conditions, currentCPUTopology } };
    });
    await world.clock.advance(2);
    expect(failureOf(world)).toBeUndefined();
    expect(valueAt(world.vmi(), 'spec', 'domain', 'cpu', 'sockets')).toBe(3);
  });

  it('of something else than the template makes the VMI as good as of today', async () => {
    const world = await aRunningVm();
    world.api.modify(VM, 'shop/db', (held) => ({
      ...held,
      spec: { ...objectAt(held, 'spec'), runStrategy: 'RerunOnFailure' },
    }));
    await world.clock.settle();
    expect(valueAt(world.vmi(), 'metadata', 'annotations', 'kubevirt.io/vm-generation')).toBe('2');
    expect(restartOf(world)).toBeUndefined();
    expect(world.values.of(`${VM} runStrategy`)).toEqual(['–', 'Always', 'RerunOnFailure']);
  });

  it('of a VM whose VMI does not say what it was started with is measured by what was seen first', async () => {
    const world = await aRunningVm();
    world.api.modify(VMI, 'shop/db', (held) => ({
      ...held,
      metadata: { ...held.metadata, annotations: {} },
    }));
    const fresh = new VmWorld();
    for (const kind of ['Pod', VMI, VM] as const) {
      for (const object of world.api.list(kind)) fresh.api.put(kind, object);
    }
    await fresh.clock.settle();
    expect(restartOf(fresh)).toBeUndefined();
    fresh.edit('db', withDomain('cpu', { sockets: 2 }));
    await fresh.clock.settle();
    expect(valueAt(fresh.vmi(), 'spec', 'domain', 'cpu', 'sockets')).toBe(2);
    expect(restartOf(fresh)).toBeUndefined();
    fresh.edit('db', withDomain('cpu', { cores: 2 }));
    await fresh.clock.settle();
    expect(restartOf(fresh)).toBe('a non-live-updatable field was changed in the template spec');
    expect(fresh.vmi()?.metadata.annotations).toEqual({});
  });

  it('of memory that fails on the way asks for a restart', async () => {
    const world = await aRunningVm();
    world.edit('db', withDomain('memory', { guest: '2Gi' }));
    await world.clock.settle();
    world.api.modify(VMI, 'shop/db', (held) => {
      const status = objectAt(held, 'status');
      const conditions = objectsAt(status, 'conditions').map((condition) =>
        condition.type === 'HotMemoryChange' ? { ...condition, status: 'False' } : condition,
      );
      return { ...held, status: { ...status, conditions } };
    });
    await world.clock.settle();
    expect(restartOf(world)).toBe(
      'memory updated in template spec. Memory-hotplug failed and is not available for this VM configuration',
    );
  });

  it('is taken over by a controller that came after it', async () => {
    const world = await aRunningVm();
    const fresh = new VmWorld();
    world.edit('db', withDomain('cpu', { sockets: 2 }));
    for (const kind of ['Pod', VMI, VM] as const) {
      for (const object of world.api.list(kind)) fresh.api.put(kind, object);
    }
    await fresh.clock.settle();
    expect(valueAt(fresh.vmi(), 'spec', 'domain', 'cpu', 'sockets')).toBe(2);
    expect(restartOf(fresh)).toBeUndefined();
  });
});

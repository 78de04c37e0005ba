import { describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { valueAt } from '../../test-recording.ts';
import { aRunningVm, restartOf } from './test-live-edits.ts';
import { VMI, type VmWorld } from './test-world-of-vms.ts';

describe('a volume that is plugged in', () => {
  const extra = { name: 'extra', persistentVolumeClaim: { claimName: 'disk', hotpluggable: true } };
  const plug = (volume: object) => (spec: JsonObject) => {
    const devices = objectAt(objectAt(spec, 'domain'), 'devices');
    const disks = [...objectsAt(devices, 'disks'), { name: 'extra', disk: { bus: 'scsi' } }];
    const volumes = [...objectsAt(spec, 'volumes'), volume];
    return { ...spec, volumes, domain: { ...objectAt(spec, 'domain'), devices: { ...devices, disks } } };
  };

  async function withExtra(): Promise<VmWorld> {
    const world = await aRunningVm();
    const spec = { accessModes: ['ReadWriteMany'], volumeMode: 'Block' };
    const claim = { kind: 'PersistentVolumeClaim', metadata: { name: 'disk', namespace: 'shop' }, spec };
    world.api.put('PersistentVolumeClaim', claim);
    world.edit('db', plug(extra));
    await world.clock.advance(2);
    return world;
  }

  it('reaches the VMI with its disk, and a pod brings it', async () => {
    const world = await withExtra();
    expect(objectsAt(objectAt(world.vmi() ?? {}, 'spec'), 'volumes')).toEqual([extra]);
    expect(valueAt(world.vmi(), 'spec', 'domain', 'devices', 'disks')).toEqual([
      { name: 'extra', disk: { bus: 'scsi' } },
    ]);
    const [pod, ...others] = world.pods('hp-volume');
    expect(others).toEqual([]);
    expect(pod?.metadata.ownerReferences).toMatchObject([
      { kind: 'Pod', name: world.pods()[0]?.metadata.name },
    ]);
    expect(world.values.of(`${VMI} volumes`)).toEqual(['–', 'extra:AttachedToNode']);
    expect(valueAt(world.vmi(), 'status', 'volumeStatus')).toMatchObject([
      {
        name: 'extra',
        persistentVolumeClaimInfo: { claimName: 'disk', accessModes: ['ReadWriteMany'], volumeMode: 'Block' },
        hotplugVolume: { attachPodName: pod?.metadata.name, attachPodUID: pod?.metadata.uid },
      },
    ]);
    expect(world.messages().slice(2)).toEqual([
      `Created attachment pod ${pod?.metadata.name}`,
      `Created hotplug attachment pod ${pod?.metadata.name}, for volume extra`,
    ]);
    expect(restartOf(world)).toBeUndefined();
  });

  it('loses its pod when the guest has ended, and comes back with the next', async () => {
    const world = await withExtra();
    const [before] = world.pods('hp-volume');
    await world.evict();
    await world.clock.advance(3);
    expect(world.messages()).toContain(`Deleted attachment pod ${before?.metadata.name}`);
    await world.clock.advance(8);
    const [after, ...others] = world.pods('hp-volume');
    expect(after?.metadata.name).not.toBe(before?.metadata.name);
    expect(others).toEqual([]);
  });

  it('goes with its entry in the template', async () => {
    const world = await withExtra();
    world.edit('db', (spec) => ({ ...spec, volumes: [] }));
    await world.clock.advance(2);
    expect(world.pods('hp-volume')).toEqual([]);
    expect(objectsAt(objectAt(world.vmi() ?? {}, 'spec'), 'volumes')).toEqual([]);
    expect(valueAt(world.vmi(), 'status', 'volumeStatus')).toEqual(undefined);
  });

  it('is brought by one pod with all others', async () => {
    const world = await withExtra();
    const second = { name: 'second', dataVolume: { name: 'dv', hotpluggable: true } };
    world.edit('db', plug(second));
    await world.clock.advance(3);
    const [pod, ...others] = world.pods('hp-volume');
    expect(others).toEqual([]);
    const volumes = objectsAt(objectAt(pod ?? {}, 'spec'), 'volumes').map(({ name }) => name);
    expect(volumes).toEqual(['hotplug-disks', 'extra', 'second']);
  });
});

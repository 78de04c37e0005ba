import { describe, expect, it } from 'vitest';
import { loadFleet } from '../src/dump/load.ts';
import { CURRENT_IMAGE, generateFleet, OUTDATED_IMAGE } from './fleet-generator.ts';
import { FLEET_FORMATS, type FleetFormat, fleetText } from './fleet-text.ts';

interface Generated {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly status?: { readonly phase?: string; readonly launcherContainerImageVersion?: string };
}

const fleet = (vms: number, seed = 1, outdatedPercent?: number) =>
  [...generateFleet({ vms, seed, outdatedPercent })] as Generated[];
const ofKind = (objects: readonly Generated[], kind: string) =>
  objects.filter((object) => object.kind === kind);

describe('the fleet generator', () => {
  it('makes as many VMs as asked, one in 21 halted, and what belongs to them', () => {
    const objects = fleet(2100);
    const count = (kind: string) => ofKind(objects, kind).length;
    const exact = ['VirtualMachine', 'VirtualMachineInstance', 'Node', 'KubeVirt', 'Deployment'];
    expect(exact.map(count)).toEqual([2100, 2000, 52, 1, 1]);
    expect(count('Pod')).toBeGreaterThan(1850);
    expect(count('VirtualMachineInstanceMigration')).toBeGreaterThan(150);
  });

  it('makes VMIs of 6 to 10 KiB', () => {
    const sizes = ofKind(fleet(2000), 'VirtualMachineInstance').map((vmi) => JSON.stringify(vmi).length);
    expect(Math.min(...sizes)).toBeGreaterThan(6 * 1024);
    expect(Math.max(...sizes)).toBeLessThan(10 * 1024);
  });

  it('makes the same fleet of the same seed, and another of another', () => {
    expect(fleet(50, 7)).toEqual(fleet(50, 7));
    expect(fleet(50, 7)).not.toEqual(fleet(50, 8));
  });

  it.each([
    [0, 0],
    [50, 0.5],
    [100, 1],
  ])('makes %i percent of the running VMIs outdated', (percent, share) => {
    const vmis = ofKind(fleet(2000, 1, percent), 'VirtualMachineInstance');
    const images = vmis
      .filter(({ status }) => status?.phase === 'Running')
      .flatMap(({ status }) => status?.launcherContainerImageVersion ?? []);
    expect(new Set(images).size).toBe(share === 0.5 ? 2 : 1);
    const outdated = images.filter((image) => image === OUTDATED_IMAGE).length;
    expect(outdated / images.length).toBeCloseTo(share, 1);
    expect(images.length - outdated).toBe(images.filter((image) => image === CURRENT_IMAGE).length);
  });

  it.each(FLEET_FORMATS)('is read back from %s', async (format: FleetFormat) => {
    const text = [...fleetText({ vms: 42 }, format)].join('');
    const { fleet: read, objects } = await loadFleet([{ name: format, bytes: once(text) }]);
    expect(objects).toBe(fleet(42).length);
    expect(read.count('VirtualMachine')).toBe(42);
    expect(read.count('VirtualMachineInstance')).toBe(40);
    expect(read.kubevirt()?.status?.observedKubeVirtVersion).toBe('v1.9.0');
  });
});

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

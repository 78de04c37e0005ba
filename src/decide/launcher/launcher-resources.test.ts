import { describe, expect, it } from 'vitest';
import { computeResources, memoryOverheadBytes, vcpusOf } from './launcher-resources.ts';
import { small, withDomain } from './test-launcher-pod.ts';

const MEBI = 2 ** 20;
const KVM = { 'devices.kubevirt.io/kvm': '1' };
const STORAGE = { 'ephemeral-storage': '50M' };

describe('what a launcher needs beside the guest', () => {
  it.each([
    ['one CPU', small, {}, 268],
    ['two sockets', { ...small, cpu: { sockets: 2, cores: 1, threads: 1 } }, {}, 276],
    ['cores and threads', { cpu: { sockets: 1, cores: 2, threads: 2 } }, {}, 292],
    ['no screen', { ...small, devices: { autoattachGraphicsDevice: false } }, {}, 236],
    ['a GPU', { ...small, devices: { gpus: [{ name: 'g', deviceName: 'd' }] } }, {}, 1292],
    ['a host device', { ...small, devices: { hostDevices: [{ name: 'g', deviceName: 'd' }] } }, {}, 1292],
    ['memory that is asked of the node', { ...small, resources: { requests: { memory: '1Gi' } } }, {}, 270],
    ['arm64', small, { architecture: 'arm64' }, 396],
  ])('with %s', (_, domain, spec, mebibytes) => {
    expect(memoryOverheadBytes(withDomain(domain, spec))).toBe(mebibytes * MEBI);
  });

  it.each([
    [undefined, 1],
    [{}, 1],
    [{ sockets: 0, cores: 2 }, 2],
    [{ sockets: 2, cores: 3, threads: 2 }, 12],
  ])('counts CPUs of %j', (topology, vcpus) => {
    expect(vcpusOf(topology)).toBe(vcpus);
  });
});

describe('what the container of the guest asks for', () => {
  const network = { interfaces: [{ name: 'default', masquerade: {} }] };

  it('asks for a tenth of its CPUs, the guest and what is around it', () => {
    expect(computeResources(withDomain({ ...small, devices: network }))).toEqual({
      requests: {
        cpu: '100m',
        memory: '332Mi',
        ...STORAGE,
        ...KVM,
        'devices.kubevirt.io/tun': '1',
        'devices.kubevirt.io/vhost-net': '1',
      },
      limits: { ...KVM, 'devices.kubevirt.io/tun': '1', 'devices.kubevirt.io/vhost-net': '1' },
    });
  });

  it.each([
    ['a ratio', small, 4, { cpu: '250m', memory: '332Mi' }, {}],
    [
      'many CPUs',
      { ...small, cpu: { sockets: 16, cores: 1, threads: 1 } },
      10,
      { cpu: '1.6', memory: '452Mi' },
      {},
    ],
    [
      'CPU of its own',
      { ...small, resources: { requests: { cpu: '2' } } },
      10,
      { cpu: '2', memory: '332Mi' },
      {},
    ],
    [
      'memory of its own',
      { ...small, resources: { requests: { memory: '128Mi' } } },
      10,
      { cpu: '100m', memory: '405760Ki' },
      {},
    ],
    [
      'limits',
      { ...small, resources: { limits: { cpu: '1', memory: '128Mi' } } },
      10,
      { cpu: '100m', memory: '396Mi' },
      { cpu: '1', memory: '396Mi' },
    ],
    [
      'CPUs for itself',
      { ...small, cpu: { ...small.cpu, sockets: 2, dedicatedCpuPlacement: true } },
      10,
      { cpu: '2', memory: '340Mi' },
      { cpu: '2', memory: '340Mi' },
    ],
    [
      'huge pages',
      { ...small, memory: { guest: '64Mi', hugepages: { pageSize: '2Mi' } } },
      10,
      { cpu: '100m', memory: '268Mi', 'hugepages-2Mi': '64Mi' },
      { 'hugepages-2Mi': '64Mi' },
    ],
    [
      'huge pages for a part',
      {
        ...small,
        memory: { guest: '64Mi', hugepages: { pageSize: '2Mi' } },
        resources: { requests: { memory: '128Mi' } },
      },
      10,
      { cpu: '100m', memory: '340224Ki', 'hugepages-2Mi': '64Mi' },
      { 'hugepages-2Mi': '64Mi' },
    ],
    ['no memory', { cpu: small.cpu }, 10, { cpu: '100m', memory: '268Mi' }, {}],
  ])('with %s', (_, domain, ratio, requests, limits) => {
    expect(computeResources(withDomain(domain), ratio)).toEqual({
      requests: { ...requests, ...STORAGE, ...KVM },
      limits: { ...limits, ...KVM },
    });
  });

  it('asks for each device as often as the guest has it', () => {
    const gpus = [
      { name: 'a', deviceName: 'nvidia.com/gpu' },
      { name: 'b', deviceName: 'nvidia.com/gpu' },
    ];
    const interfaces = [{ name: 'fast', sriov: {} }];
    const devices = { gpus, hostDevices: [{ name: 'c', deviceName: 'intel.com/qat' }], interfaces };
    expect(computeResources(withDomain({ ...small, devices })).limits).toEqual({
      ...KVM,
      'nvidia.com/gpu': '2',
      'intel.com/qat': '1',
    });
  });
});

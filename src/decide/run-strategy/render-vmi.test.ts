import { describe, expect, it } from 'vitest';
import { aVm } from '../../kubevirt/builders.ts';
import { renderVmi, startRevisionName } from './render-vmi.ts';

const vm = aVm('db').meta({ generation: 4 }).build();
const nic = { interfaces: [{ name: 'default', masquerade: {} }] };
const plain = { spec: { domain: { devices: nic }, networks: [{ name: 'default', pod: {} }] } };

function devicesOf(devices: object, spec: object = {}): unknown {
  const rendered = renderVmi(vm, { spec: { ...spec, domain: { devices: { ...nic, ...devices } } } });
  return (rendered.spec as { domain: { devices: unknown } }).domain.devices;
}

describe('renderVmi', () => {
  it('gives the VMI the name, owner and generation of its VM', () => {
    expect(renderVmi(vm, plain)).toEqual({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: {
        name: 'db',
        namespace: 'shop',
        annotations: { 'kubevirt.io/vm-generation': '4' },
        ownerReferences: [
          {
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachine',
            name: 'db',
            uid: 'uid-vm-db',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
        finalizers: ['kubevirt.io/virtualMachineControllerFinalize'],
      },
      spec: {
        domain: { resources: {}, firmware: { uuid: expect.any(String) }, devices: nic },
        networks: [{ name: 'default', pod: {} }],
      },
      status: {
        guestOSInfo: {},
        virtualMachineRevisionName: 'revision-start-vm-uid-vm-db-4',
        runtimeUser: 0,
      },
    });
  });

  it('keeps every field of the template that it does not know, and leaves the template alone', () => {
    const template = {
      metadata: {
        name: 'other',
        generateName: 'db-',
        labels: { app: 'db' },
        annotations: { 'example.org/a': '1', 'kubevirt.io/vm-generation': '1' },
        finalizers: ['example.org/keep'],
      },
      spec: {
        unheardOf: [1, { two: 3 }],
        domain: { devices: { ...nic, rng: {} }, resources: { overcommit: true } },
      },
    };
    const before = structuredClone(template);
    const rendered = renderVmi(vm, template);
    expect(rendered.metadata).toMatchObject({
      name: 'db',
      labels: { app: 'db' },
      annotations: { 'example.org/a': '1', 'kubevirt.io/vm-generation': '4' },
      finalizers: ['example.org/keep', 'kubevirt.io/virtualMachineControllerFinalize'],
    });
    expect(rendered.metadata).not.toHaveProperty('generateName');
    expect(rendered.spec).toMatchObject({
      unheardOf: [1, { two: 3 }],
      domain: { devices: { rng: {} }, resources: { overcommit: true } },
    });
    expect(template).toEqual(before);
  });

  it('shares nothing with the template', () => {
    const template = structuredClone(plain);
    const { spec } = renderVmi(vm, template) as { spec: typeof plain.spec };
    spec.networks.push({ name: 'more', pod: {} });
    expect(template).toEqual(plain);
  });

  it.each([
    ['none', {}, '5a9fc181-957e-5c32-9e5a-2de5e9673531'],
    ['an empty one', { uuid: '' }, '5a9fc181-957e-5c32-9e5a-2de5e9673531'],
    ['one of its own', { uuid: 'mine' }, 'mine'],
  ])('derives the firmware UUID from the name when the template has %s', (_, firmware, uuid) => {
    const template = { spec: { domain: { firmware: { ...firmware, serial: 's' } } } };
    expect(renderVmi(aVm('testvm').build(), template)).toMatchObject({
      spec: { domain: { firmware: { serial: 's', uuid } } },
    });
  });

  it('starts paused when the start request says so', () => {
    const paused = aVm().requesting('Start', undefined, { paused: 'true' }).build();
    expect(renderVmi(paused, plain).spec).toMatchObject({ startStrategy: 'Paused' });
    expect(renderVmi(vm, plain).spec).not.toHaveProperty('startStrategy');
  });

  it('marks the VMI of a receiver', () => {
    const receiver = aVm().runStrategy('WaitAsReceiver').build();
    const mark = { annotations: { 'kubevirt.io/create-migration-target': 'true' } };
    expect(renderVmi(receiver, plain).metadata).toMatchObject(mark);
    expect(renderVmi(vm, plain).metadata).not.toMatchObject(mark);
  });

  it('writes generation 0 for a VM without', () => {
    const fresh = { metadata: { name: 'db' } };
    expect(renderVmi(fresh, {}).metadata).toMatchObject({
      annotations: { 'kubevirt.io/vm-generation': '0' },
    });
    expect(startRevisionName(fresh)).toBe('revision-start-vm--0');
  });
});

describe('the devices of the VMI', () => {
  const volumes = [{ name: 'root' }, { name: 'share' }, { name: 'extra' }];

  it('get a disk for every volume that nothing uses', () => {
    const devices = { disks: [{ name: 'root', disk: {} }], filesystems: [{ name: 'share' }] };
    expect(devicesOf(devices, { volumes })).toEqual({
      ...nic,
      ...devices,
      disks: [{ name: 'root', disk: {} }, { name: 'extra' }],
    });
  });

  it('get no list of disks when there is nothing to list', () => {
    expect(devicesOf({})).toEqual(nic);
  });

  it.each([
    ['asked for', { autoattachInputDevice: true }, [{ name: 'default-0', type: '' }]],
    ['not asked for', {}, undefined],
    ['refused', { autoattachInputDevice: false }, undefined],
    [
      'asked for, but there is one',
      { autoattachInputDevice: true, inputs: [{ name: 'mine' }] },
      [{ name: 'mine' }],
    ],
  ])('get an input device when it is %s', (_, devices, inputs) => {
    expect(devicesOf(devices)).toEqual({ ...nic, ...devices, ...(inputs && { inputs }) });
  });

  it('get the bridged pod network when no network is named at all', () => {
    expect(renderVmi(vm, {}).spec).toMatchObject({
      networks: [{ name: 'default', pod: {} }],
      domain: { devices: { interfaces: [{ name: 'default', bridge: {} }] } },
    });
  });

  it.each([
    ['a network', { networks: [{ name: 'blue' }] }],
    ['the wish for none', { domain: { devices: { autoattachPodInterface: false } } }],
  ])('keep %s', (_, spec) => {
    const rendered = renderVmi(vm, { spec }).spec as { networks?: unknown; domain: { devices: object } };
    expect(rendered.networks).toEqual('networks' in spec ? spec.networks : undefined);
    expect(rendered.domain.devices).not.toHaveProperty('interfaces');
  });

  it('keep the pod network that the template wishes for', () => {
    const spec = { domain: { devices: { autoattachPodInterface: true } } };
    expect(renderVmi(vm, { spec }).spec).toMatchObject({ networks: [{ name: 'default', pod: {} }] });
  });
});

import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { ANNOTATION, FINALIZER, RUN_STRATEGY } from '../../kubevirt/names.ts';
import type { VirtualMachine } from '../../kubevirt/objects.ts';
import { nameUuid } from '../../kubevirt/uuid.ts';
import { isPausedStartRequested } from './requests.ts';

/** The namespace of KubeVirt's firmware UUIDs (pkg/virt-controller/watch/vm/vm.go, CalculateLegacyUUID). */
const FIRMWARE_UUID_NAMESPACE = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';

/** The name of the ControllerRevision that records the spec with which the VM was started. */
export function startRevisionName(vm: VirtualMachine): string {
  return `revision-start-vm-${vm.metadata.uid ?? ''}-${vm.metadata.generation ?? 0}`;
}

/**
 * The VMI object that the VM controller creates to start a VM, before admission fills in its defaults.
 *
 * `template` is the VM's raw `spec.template` without nulls; every field of it is kept. Promise: the template is not
 * changed. Instance types are not applied: the caller gives a template that has them in it.
 * vm-lifecycle §2 of the spec; vm.go:1257 and SetupVMIFromVM.
 */
export function renderVmi(vm: VirtualMachine, template: JsonObject): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: renderMetadata(vm, objectAt(template, 'metadata')),
    spec: renderSpec(vm, structuredClone(objectAt(template, 'spec'))),
    status: { guestOSInfo: {}, virtualMachineRevisionName: startRevisionName(vm), runtimeUser: 0 },
  };
}

function renderMetadata(vm: VirtualMachine, template: JsonObject): JsonObject {
  const { generateName: _, finalizers, ...kept } = template;
  const { name, namespace, uid, generation = 0 } = vm.metadata;
  const isReceiver = vm.spec?.runStrategy === RUN_STRATEGY.waitAsReceiver;
  return {
    ...kept,
    name,
    namespace,
    annotations: {
      ...objectAt(template, 'annotations'),
      [ANNOTATION.vmGeneration]: String(generation),
      ...(isReceiver && { [ANNOTATION.createMigrationTarget]: 'true' }),
    },
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        name,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    finalizers: [...(Array.isArray(finalizers) ? finalizers : []), FINALIZER.vmController],
  };
}

function renderSpec(vm: VirtualMachine, spec: JsonObject): JsonObject {
  const domain = objectAt(spec, 'domain');
  const devices = withInput(withDiskPerVolume(objectAt(domain, 'devices'), objectsAt(spec, 'volumes')));
  const firmware = objectAt(domain, 'firmware');
  const rendered = {
    ...spec,
    ...(isPausedStartRequested(vm) && { startStrategy: 'Paused' }),
    domain: {
      ...domain,
      resources: objectAt(domain, 'resources'),
      firmware: { ...firmware, uuid: firmware.uuid || nameUuid(FIRMWARE_UUID_NAMESPACE, vm.metadata.name) },
      devices,
    },
  };
  return needsNetwork(spec, devices) ? withPodNetwork(rendered, devices) : rendered;
}

/** A VMI spec in which every volume has a disk, and which has the pod network where it names none and does not say that it wants none. */
export function withDefaultDevices(spec: JsonObject): JsonObject {
  const domain = objectAt(spec, 'domain');
  const devices = withDiskPerVolume(objectAt(domain, 'devices'), objectsAt(spec, 'volumes'));
  const rendered = { ...spec, domain: { ...domain, devices } };
  return needsNetwork(spec, devices) ? withPodNetwork(rendered, devices) : rendered;
}

/** A volume that neither a disk nor a filesystem uses gets a disk of its own. */
function withDiskPerVolume(devices: JsonObject, volumes: readonly JsonObject[]): JsonObject {
  const disks = objectsAt(devices, 'disks');
  const used = new Set([...disks, ...objectsAt(devices, 'filesystems')].map(({ name }) => name));
  const missing = volumes.filter(({ name }) => !used.has(name)).map(({ name }) => ({ name }));
  return missing.length > 0 ? { ...devices, disks: [...disks, ...missing] } : devices;
}

function withInput(devices: JsonObject): JsonObject {
  if (devices.autoattachInputDevice !== true || objectsAt(devices, 'inputs').length > 0) return devices;
  return { ...devices, inputs: [{ name: 'default-0', type: '' }] };
}

function needsNetwork(spec: JsonObject, devices: JsonObject): boolean {
  const listed = objectsAt(spec, 'networks').length + objectsAt(devices, 'interfaces').length;
  return listed === 0 && devices.autoattachPodInterface !== false;
}

/** KubeVirt's built-in default: the pod network, bridged. */
function withPodNetwork(spec: JsonObject, devices: JsonObject): JsonObject {
  return {
    ...spec,
    networks: [{ name: 'default', pod: {} }],
    domain: {
      ...objectAt(spec, 'domain'),
      devices: { ...devices, interfaces: [{ name: 'default', bridge: {} }] },
    },
  };
}

import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { ANNOTATION, PCI_TOPOLOGY_VERSION } from '../../kubevirt/names.ts';
import type { KubeVirt } from '../../kubevirt/objects.ts';
import { nameUuid } from '../../kubevirt/uuid.ts';
import { architectureOf, machineTypeOf } from './vmi-defaults.ts';

/** KubeVirt takes random numbers here; ours follow from the VM, so that runs repeat. */
const SERIAL_NAMESPACE = '5b1f4cf0-0c1d-4a3e-9d5e-0f1f6a5b7c11';
const FIRMWARE_NAMESPACE = '8f0c2a5e-7a54-4b8e-8a0f-3b6f2d7c9e22';

/** A VM as it is stored: what its guests must find the same at every start is noted in the template. */
export function withVmDefaults(vm: JsonObject, kubevirt: KubeVirt | undefined): JsonObject {
  const spec = objectAt(vm, 'spec');
  const template = objectAt(spec, 'template');
  const metadata = objectAt(template, 'metadata');
  const annotations = {
    [ANNOTATION.pciTopologyVersion]: PCI_TOPOLOGY_VERSION,
    ...objectAt(metadata, 'annotations'),
  };
  const completed = {
    ...template,
    metadata: { ...metadata, annotations },
    spec: withGuestIdentity(vm, kubevirt),
  };
  return { ...vm, spec: { ...spec, template: completed } };
}

function withGuestIdentity(vm: JsonObject, kubevirt: KubeVirt | undefined): JsonObject {
  const spec = objectAt(objectAt(objectAt(vm, 'spec'), 'template'), 'spec');
  const architecture = architectureOf(spec, kubevirt);
  const domain = objectAt(spec, 'domain');
  const { namespace, name } = objectAt(vm, 'metadata');
  const identity = {
    serial: nameUuid(SERIAL_NAMESPACE, `${namespace}/${name}`),
    uuid: nameUuid(FIRMWARE_NAMESPACE, `${namespace}/${name}`),
  };
  return {
    ...spec,
    architecture,
    domain: {
      ...domain,
      firmware: { ...identity, ...objectAt(domain, 'firmware') },
      machine: { type: machineTypeOf(architecture), ...objectAt(domain, 'machine') },
      resources: objectAt(domain, 'resources'),
    },
  };
}

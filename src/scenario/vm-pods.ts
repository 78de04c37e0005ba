/** The pods of a VM of a scenario. */
import { launcherNodeSelector } from '../decide/launcher/launcher-placement.ts';
import { computeResources } from '../decide/launcher/launcher-resources.ts';
import { ANNOTATION, APP, COMPUTE_CONTAINER, CONDITION, LABEL } from '../kubevirt/names.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import type { RawObject } from './cluster.ts';
import type { ScenarioVm } from './schema.ts';
import { claimOf, mountedVolumes, PLUGGED, placementOf } from './vm-spec.ts';
import { DEFAULT_LAUNCHER, isWaiting } from './vmi.ts';

/** As KubeVirt makes it for its VMI. */
export function launcherPod(vm: ScenarioVm, runs: RawObject): RawObject {
  const typed = runs as unknown as Vmi;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `virt-launcher-${vm.name}-00000`,
      namespace: typed.metadata.namespace,
      uid: `pod-${vm.name}`,
      creationTimestamp: '2026-03-01T10:00:00Z',
      labels: {
        ...vm.labels,
        ...{ [LABEL.app]: APP.launcher, [LABEL.createdBy]: `vmi-${vm.name}` },
        ...(vm.node && !isWaiting(vm) && { [LABEL.nodeName]: vm.node }),
      },
      annotations: { [ANNOTATION.domain]: vm.name },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: vm.name,
          uid: `vmi-${vm.name}`,
          controller: true,
        },
      ],
    },
    spec: {
      nodeName: vm.node,
      nodeSelector: launcherNodeSelector(typed),
      ...placementOf(vm),
      terminationGracePeriodSeconds: (vm.graceSeconds ?? 30) + 30,
      // Who starts anew or moves asks for as much, and a little more for its console.
      containers: [
        {
          name: COMPUTE_CONTAINER,
          image: vm.launcher || DEFAULT_LAUNCHER,
          resources: computeResources(typed),
        },
      ],
      volumes: [{ name: 'private', emptyDir: {} }, ...mountedVolumes(vm)],
    },
    status: isWaiting(vm)
      ? {
          phase: 'Pending',
          conditions: [{ type: CONDITION.podScheduled, status: vm.node ? 'True' : 'False' }],
        }
      : { phase: 'Running', conditions: [{ type: CONDITION.ready, status: 'True' }] },
  };
}

export function attachmentPod(vm: ScenarioVm, namespace: string): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `hp-volume-${vm.name}`,
      namespace,
      uid: `hp-${vm.name}`,
      labels: { [LABEL.app]: APP.hotplugDisk },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          name: `virt-launcher-${vm.name}-00000`,
          uid: `pod-${vm.name}`,
          controller: true,
        },
      ],
    },
    spec: {
      nodeName: vm.node,
      containers: [
        {
          name: 'hotplug-disk',
          image: DEFAULT_LAUNCHER,
          resources: { limits: { cpu: '100m', memory: '80M' }, requests: { cpu: '10m', memory: '2M' } },
        },
      ],
      volumes: [
        { name: 'hotplug-disks', emptyDir: {} },
        { name: PLUGGED, persistentVolumeClaim: claimOf(vm, PLUGGED) },
      ],
    },
    status: { phase: 'Running', conditions: [{ type: CONDITION.ready, status: 'True' }] },
  };
}

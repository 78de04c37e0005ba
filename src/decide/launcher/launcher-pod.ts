/** The pod that a VMI runs in. kubevirt v1.9.0 pkg/virt-controller/services/template.go; vm-lifecycle §2 of the spec. */

import { type JsonObject, objectsAt } from '../../kubevirt/json.ts';
import { ANNOTATION, APP, COMPUTE_CONTAINER, LABEL } from '../../kubevirt/names.ts';
import type { ClusterConfiguration, Pod, Vmi } from '../../kubevirt/objects.ts';
import { extended } from '../../kubevirt/shapes.ts';
import { guestGraceSeconds, POD_EXTRA_SECONDS } from '../guest-end.ts';
import { claimNameOf, isHotpluggable } from '../vmi/attachments.ts';
import { launcherAffinity, launcherNodeSelector } from './launcher-placement.ts';
import { computeResources, memoryOverheadBytes } from './launcher-resources.ts';

export interface LauncherTemplate {
  /** The VMI with all its fields. */
  readonly vmi: Vmi;
  /** Today's launcher image. */
  readonly image: string;
  readonly configuration?: ClusterConfiguration | undefined;
}

/** Which annotations of a VMI its pod does not get. */
const KEPT_BACK: ReadonlySet<string> = new Set([ANNOTATION.latestApiVersion, ANNOTATION.storageApiVersion]);

/** What a host name and the value of a label may have. */
const LABEL_LENGTH = 63;

/** Of every launcher the same, so all of them hold the same objects. */
const EMPTY_DIRS = [
  'private',
  'public',
  'sockets',
  'virt-bin-share-dir',
  'libvirt-runtime',
  'ephemeral-disks',
].map(emptyDir);
const HOTPLUG_DISKS = emptyDir('hotplug-disks');
const CONSOLE_LOG_RESOURCES = {
  limits: { cpu: '15m', memory: '60M' },
  requests: { cpu: '5m', memory: '35M' },
};
const CONTAINER_DISK_RESOURCES = {
  limits: { cpu: '10m', memory: '40M' },
  requests: { cpu: '1m', 'ephemeral-storage': '50M', memory: '1M' },
};

/**
 * A launcher as it is made for a fresh start, without a name of its own. The target pod of a migration is made of it too.
 *
 * Promise: all that drains, the scheduler, quotas and KubeVirt look at; commands, mounts, images as volumes, security contexts
 * and annotations for backup tools and service meshes are left out.
 */
export function launcherPod({ vmi, image, configuration }: LauncherTemplate): Pod {
  const { name, namespace } = vmi.metadata;
  const { cpuAllocationRatio, nodeSelectors } = configuration?.developerConfiguration ?? {};
  const spec = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: guestGraceSeconds(vmi) + POD_EXTRA_SECONDS,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    hostname: hostnameOf(name),
    nodeSelector: launcherNodeSelector(vmi, nodeSelectors),
    affinity: launcherAffinity(vmi),
    tolerations: vmi.spec?.tolerations,
    topologySpreadConstraints: vmi.spec?.topologySpreadConstraints,
    initContainers: initContainersOf(vmi, image),
    containers: [{ name: COMPUTE_CONTAINER, image, resources: computeResources(vmi, cpuAllocationRatio) }],
    volumes: volumesOf(vmi),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `virt-launcher-${name}-`,
      name: '',
      namespace,
      labels: labelsOf(vmi),
      annotations: annotationsOf(vmi),
      ownerReferences: [ownerOf(vmi)],
    },
    spec,
  };
}

function ownerOf({ metadata: { name, uid } }: Vmi) {
  const kind = 'VirtualMachineInstance';
  return { apiVersion: 'kubevirt.io/v1', kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The first part of a name, as far as it may go. */
function hostnameOf(name: string): string {
  return shortened(name.split('.')[0] ?? '');
}

function shortened(text: string): string {
  return text.slice(0, LABEL_LENGTH).replace(/[-.]+$/, '');
}

function labelsOf({ metadata: { name, uid = '', labels } }: Vmi): Record<string, string> {
  return extended(labels ?? {}, {
    [LABEL.app]: APP.launcher,
    [LABEL.createdBy]: uid,
    [LABEL.vmName]: hostnameOf(name),
    [LABEL.vmiId]: shortened(name),
  });
}

function annotationsOf(vmi: Vmi): Record<string, string> {
  const { name, annotations = {} } = vmi.metadata;
  const passedOn = Object.entries(annotations).filter(
    ([key]) => !KEPT_BACK.has(key) && !key.startsWith('kubectl.kubernetes.io'),
  );
  return extended(Object.fromEntries(passedOn), {
    [ANNOTATION.domain]: name,
    [ANNOTATION.requestEvictOnly]: '',
    [ANNOTATION.memoryOverheadBytes]: String(memoryOverheadBytes(vmi)),
    [ANNOTATION.migrationTransportUnix]: 'true',
    [ANNOTATION.defaultContainer]: COMPUTE_CONTAINER,
  });
}

/** The volumes of the VMI with all their fields. */
function rawVolumesOf(vmi: Vmi): readonly JsonObject[] {
  return objectsAt((vmi.spec ?? {}) as JsonObject, 'volumes');
}

function containerDisksOf(
  vmi: Vmi,
): readonly { readonly name: string; readonly image: string | undefined }[] {
  return rawVolumesOf(vmi).flatMap(({ name, containerDisk }) => {
    const { image } = (containerDisk ?? {}) as { image?: string };
    return containerDisk === undefined ? [] : [{ name: String(name), image }];
  });
}

function initContainersOf(vmi: Vmi, image: string) {
  const consoleLog = {
    name: 'guest-console-log',
    image,
    restartPolicy: 'Always',
    resources: CONSOLE_LOG_RESOURCES,
  };
  const disks = containerDisksOf(vmi).map((disk) => ({
    name: `volume${disk.name}`,
    image: disk.image,
    resources: CONTAINER_DISK_RESOURCES,
  }));
  return [consoleLog, ...disks];
}

/** Disks that come as images are mounted as such, which nobody looks at, and which not every API server knows. */
function volumesOf(vmi: Vmi) {
  return [...EMPTY_DIRS, ...claimsOf(vmi), HOTPLUG_DISKS];
}

function emptyDir(name: string) {
  return { name, emptyDir: {} };
}

/** Volumes that are plugged in while the VMI runs come with pods of their own. */
function claimsOf(vmi: Vmi) {
  return (vmi.spec?.volumes ?? []).flatMap((volume) => {
    const claimName = claimNameOf(volume);
    const isMounted = claimName !== undefined && !isHotpluggable(volume);
    return isMounted ? [{ name: volume.name, persistentVolumeClaim: { claimName } }] : [];
  });
}

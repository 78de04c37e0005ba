/** The pods that bring volumes to launchers that run already. kubevirt v1.9.0 pkg/virt-controller/services/template.go */
import { APP, LABEL } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';

/** A volume that is plugged into a running VMI, and the claim behind it. */
export interface PluggedVolume {
  readonly name: string;
  readonly claimName: string;
}

/** Nothing that makes a node unfit for new work keeps a disk from a guest that is there already. */
const TOLERATED = [
  'unschedulable',
  'network-unavailable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
];

/**
 * The attachment pod of a launcher: it mounts the claims on the launcher's node, and goes with the launcher.
 *
 * Promise: without a name of its own. Labels and annotations that a migration adds are the caller's.
 */
export function attachmentPod(launcher: Pod, volumes: readonly PluggedVolume[], image: string): Pod {
  const { name, namespace, uid } = launcher.metadata;
  const node = launcher.spec?.nodeName ?? '';
  const matchExpressions = [{ key: LABEL.hostname, operator: 'In', values: [node] }];
  const required = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: 'hp-volume-',
      name: '',
      namespace,
      labels: { [LABEL.app]: APP.hotplugDisk },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      terminationGracePeriodSeconds: 0,
      affinity: { nodeAffinity: required },
      tolerations: TOLERATED.map((taint) => ({
        key: `node.kubernetes.io/${taint}`,
        operator: 'Exists',
        effect: 'NoSchedule',
      })),
      containers: [{ name: 'hotplug-disk', image, resources: RESOURCES }],
      volumes: [
        { name: 'hotplug-disks', emptyDir: {} },
        ...volumes.map(({ name: volume, claimName }) => ({
          name: volume,
          persistentVolumeClaim: { claimName },
        })),
      ],
    },
  };
}

const RESOURCES = { limits: { cpu: '100m', memory: '80M' }, requests: { cpu: '10m', memory: '2M' } };

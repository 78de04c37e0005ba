/** The pod that brings plugged volumes to the node of a target pod. evacuation-and-migration §3.1 of the spec. */
import { ANNOTATION, APP, LABEL } from '../../kubevirt/names.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';

export interface AttachmentInput {
  readonly migration: Migration;
  readonly vmi: Vmi;
  /** In its place, and ready. */
  readonly targetPod: Pod;
  readonly launcherImage: string | undefined;
}

const RESOURCES = {
  limits: { cpu: '100m', memory: '80M' },
  requests: { cpu: '10m', memory: '2M' },
} as const;

/** What is no reason to keep an attachment pod off the node where its launcher is already. */
const TOLERATED = [
  'disk-pressure',
  'memory-pressure',
  'network-unavailable',
  'pid-pressure',
  'unschedulable',
];
const TOLERATED_FOR_GOOD = ['not-ready', 'unreachable'];

/**
 * The attachment pod of a target: owned by it, bound for its node, with every volume that can be plugged in
 * (kubevirt v1.9.0 pkg/virt-controller/services/template.go, RenderHotplugAttachmentPodTemplate).
 */
export function attachmentPod({ migration, vmi, targetPod, launcherImage }: AttachmentInput): Pod {
  const { name, uid, namespace } = targetPod.metadata;
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: 'hp-volume-',
      namespace,
      labels: { [LABEL.app]: APP.hotplugDisk, [LABEL.migrationJobUid]: migration.metadata.uid ?? '' },
      annotations: { [ANNOTATION.migrationJobName]: migration.metadata.name },
      ownerReferences: [owner],
    },
    spec: {
      terminationGracePeriodSeconds: 0,
      affinity: { nodeAffinity: onNode(targetPod.spec?.nodeName ?? '') },
      tolerations: tolerations(),
      containers: [{ name: 'hotplug-disk', image: launcherImage, resources: RESOURCES }],
      volumes: [{ name: 'hotplug-disks', emptyDir: {} }, ...pluggedVolumes(vmi)],
    },
  };
}

type PodSpec = NonNullable<Pod['spec']>;

function onNode(node: string): NonNullable<PodSpec['affinity']>['nodeAffinity'] {
  const matchExpressions = [{ key: LABEL.hostname, operator: 'In', values: [node] }];
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } };
}

function tolerations(): NonNullable<PodSpec['tolerations']> {
  const tolerating = (effect: string) => (name: string) => {
    return { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
  };
  return [...TOLERATED.map(tolerating('NoSchedule')), ...TOLERATED_FOR_GOOD.map(tolerating('NoExecute'))];
}

/** A DataVolume's claim has its name. */
function pluggedVolumes({ spec }: Vmi): NonNullable<PodSpec['volumes']> {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim: claim, dataVolume }) => {
    const claimName = claim?.hotpluggable ? claim.claimName : dataVolume?.hotpluggable && dataVolume.name;
    return claimName ? [{ name, persistentVolumeClaim: { claimName } }] : [];
  });
}

/** Traps in the volumes of running VMs. */

import { conditionField, field, podField, vmiField } from '../../decide/evidence.ts';
import { formatVersion } from '../../decide/versions.ts';
import { isVolumeUpdateInProgress } from '../../decide/workload-update/staleness.ts';
import { ACCESS_MODE, CONDITION } from '../../kubevirt/names.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Vmi } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { inNamespaceOf, shellWord } from './commands.ts';
import { isShutDown, type LintContext } from './context.ts';
import type { LintRule } from './finding.ts';
import { found, grouped, listed, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';

export const volumeUpdateInFlight: LintRule = {
  code: 'DRV029',
  name: 'VolumeUpdateInFlight',
  severity: 'warning',
  title: 'volumes of running VMs are on the move, and a shutdown now would leave the VMs off',
  explains:
    'With `updateVolumesStrategy: Migration` new volumes take over only when a migration has copied them. A VM that is shut ' +
    'down before that, by a drain or anything else, refuses to start whatever its run strategy is, until somebody recovers ' +
    'it by hand. A migration that keeps failing keeps the VM in this state.',
  needs: [KIND, 'VirtualMachine', 'Pod'],
  find: (cluster) => {
    const moving = cluster.runningVmis().filter((vmi) => isCutShortByShutdown(cluster, vmi));
    return grouped(moving, (vmi) => String(isShutDown(cluster, vmi))).flatMap((group) =>
      found(
        KIND,
        group,
        (vmi) => vmi,
        (first, count) => ({
          cause: `${counted(count, 'VMI')} ${verb(count, 'moves', 'move')} volumes (${keyOf(first)}: ${listed(volumeNames(first))}), and ${isShutDown(cluster, first) ? 'an eviction is not refused: a drain now' : 'a shutdown before that has ended'} leaves ${verb(count, 'the VM', 'the VMs')} off until recovered by hand.`,
          cure: `Hold drains until the move has ended, or withdraw it by putting the old volumes back into the VM; how far it is: \`kubectl get vmim ${inNamespaceOf(first)}\``,
          evidence: [
            conditionField(first, CONDITION.volumesChange, KIND),
            vmiField(first, 'status.migratedVolumes', volumeNames(first)),
          ],
        }),
      ),
    );
  },
};

function isCutShortByShutdown({ aftermathOf }: LintContext, vmi: Vmi): boolean {
  return movesVolumes(vmi) && aftermathOf(vmi).some(({ result }) => result === 'StaysOff');
}

/** A migration is to take its volumes to other claims, and has not done so. */
export function movesVolumes(vmi: Vmi): boolean {
  return isVolumeUpdateInProgress(vmi) && volumeNames(vmi).length > 0;
}

function volumeNames(vmi: Vmi): string[] {
  return (vmi.status?.migratedVolumes ?? []).map(({ volumeName }) => volumeName ?? '');
}

export const hotplugPodsUnprotected: LintRule = {
  code: 'DRV030',
  name: 'HotplugPodsUnprotected',
  severity: 'warning',
  title: 'a drain can take the hot-plugged disks from running VMs',
  explains:
    'Up to KubeVirt 1.5 the pods that attach hot-plugged volumes (`hp-volume-*`) are evicted like any other. A drain can ' +
    'remove one before its VM has moved, and the guest sees I/O errors. From 1.6 on they are refused until the VM has gone.',
  needs: ['KubeVirt', KIND, 'Pod'],
  find: (cluster) => {
    if (cluster.settings.rules.hotplugPodsRefused) return [];
    const exposed = cluster
      .runningVmis()
      .map((vmi) => ({ vmi, pods: attachmentPodsOf(cluster, vmi) }))
      .filter(({ pods }) => pods.length > 0);
    return found(
      KIND,
      exposed,
      ({ vmi }) => vmi,
      ({ pods }, count) => ({
        cause: `KubeVirt ${formatVersion(cluster.settings.version)} does not refuse the eviction of attachment pods, and ${counted(count, 'running VMI')} ${verb(count, 'has', 'have')} hot-plugged disks.`,
        cure: 'Drain the launcher pods first and the rest once they are gone: `kubectl drain NODE --pod-selector=kubevirt.io=virt-launcher --delete-emptydir-data`',
        evidence: pods.map((pod) =>
          podField(pod, 'metadata.ownerReferences[0].name', pod.metadata.ownerReferences?.[0]?.name),
        ),
      }),
    );
  },
};

function attachmentPodsOf({ fleet }: LintContext, vmi: Vmi): readonly Pod[] {
  const launcher = fleet.launcherPodOf(vmi);
  return launcher ? [...fleet.hotplugPodsOf(launcher)].sort(byKey) : [];
}

interface OneNodeVolume {
  readonly vmi: Vmi;
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

export const sharedDiskOnOneNode: LintRule = {
  code: 'DRV020',
  name: 'SharedDiskOnOneNode',
  severity: 'warning',
  title: 'a disk is declared ReadWriteMany, but its volume can be reached from one node only',
  explains:
    'KubeVirt believes the access mode of a claim: a VM with ReadWriteMany disks is reported as live-migratable. The ' +
    'scheduler looks at the node affinity of the volume behind it. Where that names a single node, every migration waits ' +
    'five minutes for a target and fails, and a drain waits with it.',
  needs: [KIND, 'Pod', 'PersistentVolumeClaim', 'PersistentVolume', 'Node'],
  find: (cluster) => {
    if (cluster.places.vmNodes().length < 2) return [];
    const fixed = cluster.runningVmis().flatMap((vmi) => oneNodeVolumeOf(cluster, vmi) ?? []);
    return found(
      KIND,
      fixed,
      ({ vmi }) => vmi,
      ({ vmi, claim, volume }, count) => ({
        cause: `${counted(count, 'VMI')} ${verb(count, 'reports', 'report')} LiveMigratable with such a disk: claim ${claim.metadata.name} of ${keyOf(vmi)} is ReadWriteMany, and volume ${volume.metadata.name} is reached from ${listed(cluster.places.nodesReaching(volume)) || 'no node'} alone.`,
        cure: `Move the disk to storage that every node reaches, and take ReadWriteMany out of the storage profile of this class: \`kubectl get storageprofile ${shellWord(claim.spec?.storageClassName ?? 'CLASS')} -o yaml\``,
        evidence: [
          field(claim, 'spec.accessModes', claim.spec?.accessModes, 'PersistentVolumeClaim'),
          field(volume, 'spec.nodeAffinity', volume.spec?.nodeAffinity, 'PersistentVolume'),
        ],
      }),
    );
  },
};

function oneNodeVolumeOf(cluster: LintContext, vmi: Vmi): OneNodeVolume | undefined {
  const { fleet } = cluster;
  const pod = isMigratable(vmi) ? fleet.launcherPodOf(vmi) : undefined;
  if (!pod) return undefined;
  for (const claim of claimsOf(cluster, pod)) {
    const volume = fleet.get('PersistentVolume', claim.spec?.volumeName ?? '');
    if (volume && cluster.places.nodesReaching(volume).length < 2) return { vmi, claim, volume };
  }
  return undefined;
}

function claimsOf({ fleet }: LintContext, pod: Pod): PersistentVolumeClaim[] {
  return (pod.spec?.volumes ?? [])
    .flatMap(({ persistentVolumeClaim: claim }) => {
      const key = `${pod.metadata.namespace}/${claim?.claimName}`;
      return fleet.get('PersistentVolumeClaim', key) ?? [];
    })
    .filter(({ spec }) => spec?.accessModes?.includes(ACCESS_MODE.readWriteMany));
}

/** The pod that brings plugged volumes to the node of a target pod. evacuation-and-migration §3.1 of the spec. */
import { ANNOTATION, LABEL } from '../../../kubevirt/names.ts';
import type { Migration, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { attachmentPod } from '../../launcher/attachment-pod.ts';
import { pluggedVolumes } from '../../vmi/attachments.ts';

interface TargetAttachmentInput {
  readonly migration: Migration;
  readonly vmi: Vmi;
  /** In its place, and ready. */
  readonly targetPod: Pod;
  readonly image: string;
}

/** The attachment pod of a target with every volume that can be plugged in, marked as the migration's. */
export function targetAttachmentPod({ migration, vmi, targetPod, image }: TargetAttachmentInput): Pod {
  const pod = attachmentPod(targetPod, pluggedVolumes(vmi), image);
  const { labels, annotations } = pod.metadata;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...labels, [LABEL.migrationJobUid]: migration.metadata.uid ?? '' },
      annotations: { ...annotations, [ANNOTATION.migrationJobName]: migration.metadata.name },
    },
  };
}

/** Claims and volumes. */
import { z } from 'zod';
import { text, textList } from './fields.ts';
import { objectMetaSchema, typeMeta } from './meta.ts';
import { nodeSelectorTermSchema } from './scheduling.ts';

export const persistentVolumeClaimSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({ accessModes: textList, storageClassName: text, volumeName: text, volumeMode: text })
    .optional(),
  status: z.object({ phase: text }).optional(),
});
export interface PersistentVolumeClaim extends z.infer<typeof persistentVolumeClaimSchema> {}

export const persistentVolumeSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      nodeAffinity: z
        .object({
          required: z.object({ nodeSelectorTerms: z.array(nodeSelectorTermSchema).optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});
export interface PersistentVolume extends z.infer<typeof persistentVolumeSchema> {}

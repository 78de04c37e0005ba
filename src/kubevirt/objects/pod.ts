/** Pods, and what makes them. */
import { z } from 'zod';
import { int, presence, quantities, resources, text, textList, textMap } from './fields.ts';
import { conditionSchema, objectMetaSchema, typeMeta } from './meta.ts';
import { affinitySchema, spreadConstraintSchema, tolerationSchema } from './scheduling.ts';

const containerSchema = z.object({
  name: z.string(),
  image: text,
  args: textList,
  restartPolicy: text,
  resources,
});
export interface Container extends z.infer<typeof containerSchema> {}

export const podSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      nodeName: text,
      nodeSelector: textMap,
      affinity: affinitySchema.optional(),
      securityContext: z.object({ seLinuxOptions: z.object({ level: text }).optional() }).optional(),
      tolerations: z.array(tolerationSchema).optional(),
      terminationGracePeriodSeconds: int,
      activeDeadlineSeconds: int,
      restartPolicy: text,
      priority: int,
      priorityClassName: text,
      /** Requests and limits of the pod as a whole, which win over the sums of its containers. */
      resources,
      containers: z.array(containerSchema).optional(),
      initContainers: z.array(containerSchema).optional(),
      overhead: quantities,
      volumes: z
        .array(
          z.object({
            name: z.string(),
            emptyDir: z.object({ medium: text }).optional(),
            hostPath: presence,
            persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
          }),
        )
        .optional(),
      topologySpreadConstraints: z.array(spreadConstraintSchema).optional(),
    })
    .optional(),
  status: z.object({ phase: text, podIP: text, conditions: z.array(conditionSchema).optional() }).optional(),
});
export interface Pod extends z.infer<typeof podSchema> {}

export const daemonSetSchema = z.object({ ...typeMeta, metadata: objectMetaSchema });
export interface DaemonSet extends z.infer<typeof daemonSetSchema> {}

/** The Deployment of virt-controller carries the launcher image among its arguments. */
export const deploymentSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      template: z
        .object({ spec: z.object({ containers: z.array(containerSchema).optional() }).optional() })
        .optional(),
    })
    .optional(),
  status: z.object({ readyReplicas: int }).optional(),
});
export interface Deployment extends z.infer<typeof deploymentSchema> {}

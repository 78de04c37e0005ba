/**
 * What an API server sends to an eviction webhook: the review, and the Eviction in it. The types of the fields that
 * Go would refuse are checked, unknown fields are dropped. As everywhere, nulls must be gone beforehand.
 * kubernetes v1.36 admission/v1 AdmissionReview, policy/v1 and policy/v1beta1 Eviction.
 */
import { z } from 'zod';

const text = z.string().optional();
const flag = z.boolean().optional();
const textList = z.array(z.string()).optional();
const textMap = z.record(z.string(), z.string()).optional();

export const evictionSchema = z.object({
  apiVersion: text,
  kind: text,
  metadata: z.object({ name: text, namespace: text, labels: textMap, annotations: textMap }).optional(),
  deleteOptions: z
    .object({
      gracePeriodSeconds: z.number().int().optional(),
      dryRun: textList,
      orphanDependents: flag,
      propagationPolicy: text,
      preconditions: z.object({ uid: text, resourceVersion: text }).optional(),
    })
    .optional(),
});

const kindSchema = z.object({ group: text, version: text, kind: text }).optional();
const resourceSchema = z.object({ group: text, version: text, resource: text }).optional();

export const admissionReviewSchema = z.object({
  apiVersion: text,
  kind: text,
  request: z
    .object({
      uid: text,
      kind: kindSchema,
      resource: resourceSchema,
      subResource: text,
      requestKind: kindSchema,
      requestResource: resourceSchema,
      requestSubResource: text,
      name: text,
      namespace: text,
      operation: text,
      userInfo: z.object({ username: text, uid: text, groups: textList }).optional(),
      dryRun: flag,
      /** The object under admission, unread. */
      object: z.unknown().optional(),
    })
    .optional(),
});

/** An Eviction of policy/v1 or policy/v1beta1. */
export interface Eviction extends z.infer<typeof evictionSchema> {}
export interface AdmissionReview extends z.infer<typeof admissionReviewSchema> {}

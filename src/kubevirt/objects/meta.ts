/** What every object has. */
import { z } from 'zod';
import { flag, int, requirements, text, textList, textMap } from './fields.ts';

export const typeMeta = { apiVersion: text, kind: text };

const ownerReferenceSchema = z.object({
  apiVersion: text,
  kind: text,
  name: z.string(),
  uid: text,
  controller: flag,
  blockOwnerDeletion: flag,
});
export interface OwnerReference extends z.infer<typeof ownerReferenceSchema> {}

export const objectMetaSchema = z.object({
  name: z.string(),
  namespace: text,
  generateName: text,
  uid: text,
  resourceVersion: text,
  generation: int,
  labels: textMap,
  annotations: textMap,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: int,
  finalizers: textList,
  ownerReferences: z.array(ownerReferenceSchema).optional(),
});
export interface ObjectMeta extends z.infer<typeof objectMetaSchema> {}

/** Metadata of a template. */
export const templateMeta = z.object({ labels: textMap, annotations: textMap }).optional();

export const conditionSchema = z.object({
  type: z.string(),
  status: z.string(),
  reason: text,
  message: text,
  lastTransitionTime: text,
});
export interface Condition extends z.infer<typeof conditionSchema> {}

export const labelSelectorSchema = z.object({
  matchLabels: textMap,
  matchExpressions: requirements,
});
export interface LabelSelector extends z.infer<typeof labelSelectorSchema> {}

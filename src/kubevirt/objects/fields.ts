/** Kinds of fields that many schemas have. */
import { z } from 'zod';

export const text = z.string().optional();
export const int = z.number().optional();
export const flag = z.boolean().optional();
export const textMap = z.record(z.string(), z.string()).optional();
export const textList = z.array(z.string()).optional();
export const quantity = z.union([z.string(), z.number()]).optional();
export const quantities = z.record(z.string(), z.union([z.string(), z.number()])).optional();
export const intOrPercent = z.union([z.string(), z.number()]).optional();
/** An object of which only the presence matters. */
export const presence = z.object({}).optional();
/** Of a selector of labels, or of nodes. */
export const requirements = z
  .array(z.object({ key: z.string(), operator: z.string(), values: textList }))
  .optional();
export const resources = z.object({ requests: quantities, limits: quantities }).optional();
/** When an object came into which phase. */
export const phaseTimes = z.array(z.object({ phase: text, phaseTransitionTimestamp: text })).optional();

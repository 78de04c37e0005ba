/** Words and numbers of a scenario in which a slip of the pen would be taken for something else. */
import { z } from 'zod';
import { parseQuantity } from '../kubevirt/quantity.ts';
import { parseDurationSeconds } from '../kubevirt/time.ts';

/** One of some words; editors propose them. */
export function oneOf(words: readonly string[]) {
  return z
    .string()
    .refine((word) => words.includes(word), {
      error: ({ input }) => `"${input}" is not one of ${words.join(', ')}`,
    })
    .meta({ enum: words });
}

const isQuantity = (size: string | number): boolean => (parseQuantity(size) ?? -1) >= 0;

/** A quantity as Kubernetes writes it. */
export const size = z
  .string()
  .refine(isQuantity, { error: ({ input }) => `"${input}" is no size: write 512Mi or 8Gi` });

/** Processors, as Kubernetes writes them. */
export const processors = z
  .union([z.string(), z.number()])
  .refine(isQuantity, { error: ({ input }) => `"${input}" is no number of CPUs: write 2 or 500m` });

/** As Go writes durations, kept as it is written. */
export const interval = z.string().refine((text) => (parseDurationSeconds(text) ?? -1) >= 0, {
  error: ({ input }) => `"${input}" is no duration: write 90s or 5m`,
});

/** As Go writes durations: `90s`, `5m`, `1h30m`; read as seconds. */
export const duration = z
  .string()
  .regex(/^((\d+(\.\d+)?(ms|s|m|h))+|0)$/, 'a duration, such as 90s or 5m')
  .transform((text) => parseDurationSeconds(text) ?? 0);

/** Value → weight. */
export function weightsOf(value: z.ZodType<string, string>) {
  return z.record(value, z.number().min(0));
}

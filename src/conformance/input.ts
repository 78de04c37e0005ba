import type { z } from 'zod';

/** Removes every `null` in place, as Go's decoder does: absent and null mean the same. Gives the value back. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) {
    for (const element of value) withoutNulls(element);
  } else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      if (record[key] === null) delete record[key];
      else withoutNulls(record[key]);
    }
  }
  return value;
}

/** A list of raw objects from a vector, read through the same schema that every input of Drover passes. Absent or null is empty. */
export function readList<S extends z.ZodType>(schema: S, raw: unknown): z.infer<S>[] {
  return ((raw ?? []) as unknown[]).map((object) => schema.parse(withoutNulls(object)));
}

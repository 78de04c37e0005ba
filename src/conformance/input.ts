import type { z } from 'zod';
import { resolveSettings, type Settings } from '../decide/settings.ts';
import { clusterConfigurationSchema } from '../kubevirt/objects.ts';

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

/** Throws if the input of a vector has a field that the driver does not know: playing it without would prove nothing. */
export function onlyFields(input: Record<string, unknown>, known: readonly string[]): void {
  const strange = Object.keys(input).filter((key) => !known.includes(key));
  if (strange.length > 0) throw new Error(`the driver does not know the input field ${strange.join(', ')}`);
}

/** The settings that follow from a vector's `clusterConfiguration`, which is `spec.configuration` of the KubeVirt CR. */
export function readSettings(clusterConfiguration: unknown): Settings {
  const configuration = clusterConfigurationSchema.parse(withoutNulls(clusterConfiguration ?? {}));
  return resolveSettings({ metadata: { name: 'kubevirt' }, spec: { configuration } });
}

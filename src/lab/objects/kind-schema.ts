import { z } from 'zod';
import { isJsonObject, type JsonObject, objectAt } from '../../kubevirt/json.ts';

const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };
/** Of what may be a number or text, KubeVirt's kinds have quantities only. */
const QUANTITY = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$',
  'x-kubernetes-int-or-string': true,
};

/**
 * The schema of a kind for an API server (structural OpenAPI v3), from Drover's own: what Drover reads has its type, everything else is
 * let through. `null` is nothing, wherever it stands: Go writes it for what is empty.
 */
export function kindSchema(schema: z.ZodObject): JsonObject {
  const {
    apiVersion: _,
    kind: __,
    metadata: ___,
    ...properties
  } = objectAt(z.toJSONSchema(schema), 'properties');
  return { type: 'object', ...ANYTHING, properties: translatedAll(properties) };
}

function translatedAll(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties)
      .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
      .map(([name, schema]) => [name, translated(schema)]),
  );
}

function translated(schema: JsonObject): JsonObject {
  const { description } = schema;
  return { ...(description === undefined ? {} : { description }), ...typed(schema) };
}

function typed({ type, items, properties, additionalProperties, required }: JsonObject): JsonObject {
  switch (type) {
    case 'number':
      return { type: 'integer', nullable: true };
    case 'array':
      return { type, nullable: true, items: translated(objectIn(items)) };
    case 'object':
      return {
        ...{ type, nullable: true },
        ...(isJsonObject(additionalProperties)
          ? { additionalProperties: translated(additionalProperties) }
          : {
              ...ANYTHING,
              properties: translatedAll(objectIn(properties)),
              ...(required ? { required } : {}),
            }),
      };
    case 'string':
    case 'boolean':
      return { type, nullable: true };
    default:
      return Array.isArray(type) ? QUANTITY : ANYTHING;
  }
}

function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

import { z } from 'zod';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';

/**
 * Walks every field of one of Drover's schemas through the API server's own (OpenAPI v3, as `/openapi/v3/…` gives it), and
 * tells what the server does not have, or has with another type. Empty: all that Drover reads is there.
 */
export function walkSchema(drover: z.ZodType, document: JsonObject, kind: string): readonly string[] {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const root = Object.values(schemas).find((schema) =>
    objectsAt(schema as JsonObject, 'x-kubernetes-group-version-kind').some((gvk) => gvk.kind === kind),
  );
  if (!root) return [`${kind}: the server has no schema of it`];
  const problems: string[] = [];
  new Walk(schemas, problems).through(drover, root as JsonObject, kind);
  return problems;
}

class Walk {
  readonly #schemas: JsonObject;
  readonly #problems: string[];

  constructor(schemas: JsonObject, problems: string[]) {
    this.#schemas = schemas;
    this.#problems = problems;
  }

  through(drover: z.ZodType, given: JsonObject, path: string): void {
    const server = this.#resolve(given);
    if (isOpen(server) || drover instanceof z.ZodUnknown) return;
    if (drover instanceof z.ZodOptional) this.through(drover.unwrap() as z.ZodType, server, path);
    else if (drover instanceof z.ZodObject) this.#object(drover, server, path);
    else if (drover instanceof z.ZodArray) this.#list(drover, server, path);
    else if (drover instanceof z.ZodRecord) this.#map(drover, server, path);
    else if (!isOfType(drover, server)) this.#problems.push(`${path}: the server has ${typeOf(server)}`);
  }

  #object(drover: z.ZodObject, server: JsonObject, path: string): void {
    const properties = objectAt(server, 'properties');
    for (const [name, field] of Object.entries(drover.shape)) {
      const own = properties[name];
      if (own) this.through(field as z.ZodType, own as JsonObject, `${path}.${name}`);
      else this.#problems.push(`${path}.${name}: the server does not have it`);
    }
  }

  #list(drover: z.ZodArray, server: JsonObject, path: string): void {
    if (server.type === 'array')
      this.through(drover.element as z.ZodType, objectAt(server, 'items'), `${path}[]`);
    else this.#problems.push(`${path}: the server has ${typeOf(server)}, not a list`);
  }

  #map(drover: z.ZodRecord, server: JsonObject, path: string): void {
    const values = server.additionalProperties;
    const opaque = drover.valueType instanceof z.ZodUnknown && server.type === 'object';
    if (values === true || opaque) return;
    if (values) this.through(drover.valueType as z.ZodType, values as JsonObject, `${path}{}`);
    else this.#problems.push(`${path}: the server has ${typeOf(server)}, not a map`);
  }

  #resolve(schema: JsonObject): JsonObject {
    const [part] = objectsAt(schema, 'allOf');
    const reference = schema.$ref ?? part?.$ref;
    if (typeof reference !== 'string') return schema;
    return this.#resolve(objectAt(this.#schemas, reference.replace('#/components/schemas/', '')));
  }
}

/** Lets anything through. */
function isOpen(server: JsonObject): boolean {
  return Boolean(server['x-kubernetes-preserve-unknown-fields']) && !server.properties;
}

function isOfType(drover: z.ZodType, server: JsonObject): boolean {
  if (drover instanceof z.ZodUnion)
    return drover.options.some((option) => isOfType(option as z.ZodType, server));
  const types = typesOf(server);
  if (drover instanceof z.ZodString) return types.includes('string');
  if (drover instanceof z.ZodBoolean) return types.includes('boolean');
  return drover instanceof z.ZodNumber && (types.includes('integer') || types.includes('number'));
}

function typesOf(server: JsonObject): readonly unknown[] {
  const several = [...objectsAt(server, 'anyOf'), ...objectsAt(server, 'oneOf')].map(({ type }) => type);
  const either =
    server['x-kubernetes-int-or-string'] || server.format === 'int-or-string' ? ['string', 'integer'] : [];
  return [server.type, ...several, ...either];
}

function typeOf(server: JsonObject): string {
  return [...new Set(typesOf(server).filter((type) => type !== undefined))].join(' or ') || 'no type';
}

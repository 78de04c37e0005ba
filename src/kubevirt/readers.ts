import { z } from 'zod';
import { isJsonObject } from './json.ts';
import type { Pool } from './pool.ts';
import { plainShape } from './shapes.ts';

/** The answer of a reader to a value that its schema refuses. */
export const REFUSED = Symbol('refused');

/** Picks from a raw value what a schema names. Gives `REFUSED` where the schema would refuse; says nothing about why. */
export type Reader = (value: unknown, pool: Pool | undefined) => unknown;

/** What a reader is to leave out or to share beyond what the schema says. */
export interface ReadingRules {
  /** Whether to keep an annotation. */
  readonly keepAnnotation: (name: string) => boolean;
  /** Whether to keep a field; `schema` is that of the object which has it. */
  readonly keepField: (schema: z.ZodType, field: string) => boolean;
  /** Which elements of a list to keep; undefined where it keeps all. */
  readonly keepElement: (field: string) => ((element: unknown) => boolean) | undefined;
  /** Fields whose value is often equal to that of other objects. */
  readonly shared: ReadonlySet<string>;
  /** Fields whose text is never equal to another. */
  readonly unique: ReadonlySet<string>;
}

/**
 * Makes a reader of a schema: one pass that checks, drops what the schema does not name, drops `null` (absent and null
 * mean the same in Kubernetes), and shares equal parts. It accepts what the schema accepts once nulls are gone, several
 * times faster than the schema itself, which remains the authority: what a reader does not understand it asks the schema.
 */
export function readerOf(schema: z.ZodType, rules: ReadingRules, field = ''): Reader {
  if (schema instanceof z.ZodOptional) return readerOf(schema.unwrap() as z.ZodType, rules, field);
  const reader = isPlain(schema) ? plainReader(schema, rules, field) : askSchema(schema);
  return rules.shared.has(field) ? sharing(reader) : reader;
}

/** Without refinements or catch-alls, which only the schema itself can apply. */
function isPlain(schema: z.ZodType): boolean {
  const { checks, catchall } = schema.def as { checks?: unknown[]; catchall?: unknown };
  return (checks?.length ?? 0) === 0 && catchall === undefined;
}

function plainReader(schema: z.ZodType, rules: ReadingRules, field: string): Reader {
  if (schema instanceof z.ZodString) return rules.unique.has(field) ? readUniqueText : readText;
  if (schema instanceof z.ZodNumber) return readNumber;
  if (schema instanceof z.ZodBoolean) return readFlag;
  if (schema instanceof z.ZodObject) return objectReader(schema, rules);
  if (schema instanceof z.ZodArray) {
    return listReader(readerOf(schema.element as z.ZodType, rules, ''), rules.keepElement(field));
  }
  if (schema instanceof z.ZodRecord) return mapReader(schema, rules, field);
  if (schema instanceof z.ZodUnion) {
    return firstOf(schema.options.map((option) => readerOf(option as z.ZodType, rules, field)));
  }
  return askSchema(schema);
}

function askSchema(schema: z.ZodType): Reader {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : REFUSED;
  };
}

function sharing(reader: Reader): Reader {
  return (value, pool) => {
    const read = reader(value, pool);
    return pool && read !== REFUSED ? pool.share(read) : read;
  };
}

const readText: Reader = (value, pool) => {
  if (typeof value !== 'string') return REFUSED;
  return pool ? pool.text(value) : value;
};

const readUniqueText: Reader = (value) => (typeof value === 'string' ? value : REFUSED);
const readNumber: Reader = (value) => (Number.isFinite(value) ? value : REFUSED);
const readFlag: Reader = (value) => (typeof value === 'boolean' ? value : REFUSED);

function firstOf(readers: readonly Reader[]): Reader {
  return (value, pool) => {
    for (const reader of readers) {
      const read = reader(value, pool);
      if (read !== REFUSED) return read;
    }
    return REFUSED;
  };
}

interface FieldReader {
  readonly name: string;
  readonly read: Reader;
  readonly required: boolean;
}

function objectReader(schema: z.ZodObject, rules: ReadingRules): Reader {
  const fields: FieldReader[] = Object.entries(schema.shape)
    .filter(([name]) => rules.keepField(schema, name))
    .map(([name, type]) => ({
      name,
      read: readerOf(type as z.ZodType, rules, name),
      required: !(type instanceof z.ZodOptional),
    }));
  const Shape = plainShape();
  return (value, pool) => (isJsonObject(value) ? readFields(fields, value, pool, new Shape()) : REFUSED);
}

function readFields(
  fields: readonly FieldReader[],
  value: Raw,
  pool: Pool | undefined,
  result: Raw,
): unknown {
  for (const field of fields) {
    const raw = value[field.name];
    if (raw === undefined || raw === null) {
      if (field.required) return REFUSED;
      continue;
    }
    const read = field.read(raw, pool);
    if (read === REFUSED) return REFUSED;
    result[field.name] = read;
  }
  return result;
}

function listReader(readElement: Reader, keep: ((element: unknown) => boolean) | undefined): Reader {
  return (value, pool) => {
    if (!Array.isArray(value)) return REFUSED;
    const kept = keep ? value.filter(keep) : value;
    // map makes a list of just this length; one that grows by push keeps room for 17.
    const result = kept.map((raw) => readElement(raw, pool));
    return result.includes(REFUSED) ? REFUSED : result;
  };
}

function mapReader(schema: z.ZodRecord, rules: ReadingRules, field: string): Reader {
  const readValue = readerOf(schema.valueType as z.ZodType, rules, '');
  const keep = field === 'annotations' ? rules.keepAnnotation : () => true;
  const Shape = plainShape();
  return (value, pool) => {
    if (!isJsonObject(value)) return REFUSED;
    const result: Raw = new Shape();
    for (const name of Object.keys(value)) {
      const raw = value[name];
      if (raw === null || name === '__proto__' || !keep(name)) continue;
      const read = readValue(raw, pool);
      if (read === REFUSED) return REFUSED;
      result[name] = read;
    }
    return result;
  };
}

type Raw = Record<string, unknown>;

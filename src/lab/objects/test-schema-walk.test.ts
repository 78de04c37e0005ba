import { expect, it } from 'vitest';
import { z } from 'zod';
import { walkSchema } from './test-schema-walk.ts';

const text = { type: 'string' };

/** The problems of a schema with one field against a server that has one. */
function walk(field: z.ZodType, server: object | undefined): readonly string[] {
  const document = {
    components: {
      schemas: {
        thing: {
          type: 'object',
          properties: server ? { field: server } : {},
          'x-kubernetes-group-version-kind': [{ group: 'g', version: 'v1', kind: 'Thing' }],
        },
        named: text,
      },
    },
  };
  return walkSchema(z.object({ field: field.optional() }), document, 'Thing');
}

it.each<[string, z.ZodType, object]>([
  ['a text', z.string(), text],
  ['a number', z.number(), { type: 'integer' }],
  ['a yes or no', z.boolean(), { type: 'boolean' }],
  ['a text or number', z.union([z.string(), z.number()]), { 'x-kubernetes-int-or-string': true }],
  ['a quantity', z.union([z.string(), z.number()]), { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  ['a list', z.array(z.string()), { type: 'array', items: text }],
  ['a map', z.record(z.string(), z.string()), { type: 'object', additionalProperties: text }],
  ['an object', z.object({ a: z.string() }), { type: 'object', properties: { a: text } }],
  ['something opaque', z.record(z.string(), z.unknown()), { type: 'object', properties: { a: text } }],
  ['something open', z.object({ a: z.string() }), { 'x-kubernetes-preserve-unknown-fields': true }],
  ['a type with a name', z.string(), { allOf: [{ $ref: '#/components/schemas/named' }] }],
])('finds %s', (_, field, server) => {
  expect(walk(field, server)).toEqual([]);
});

it.each<[string, z.ZodType, object | undefined, string]>([
  ['a missing field', z.string(), undefined, 'Thing.field: the server does not have it'],
  ['a text that is a number', z.string(), { type: 'integer' }, 'Thing.field: the server has integer'],
  ['a number that is a text', z.number(), text, 'Thing.field: the server has string'],
  ['a yes or no that is a text', z.boolean(), text, 'Thing.field: the server has string'],
  ['a list that is none', z.array(z.string()), text, 'Thing.field: the server has string, not a list'],
  [
    'a map that is none',
    z.record(z.string(), z.string()),
    text,
    'Thing.field: the server has string, not a map',
  ],
  [
    'a wrong element',
    z.array(z.string()),
    { type: 'array', items: { type: 'boolean' } },
    'Thing.field[]: the server has boolean',
  ],
  [
    'a wrong value',
    z.record(z.string(), z.string()),
    { type: 'object', additionalProperties: { type: 'number' } },
    'Thing.field{}: the server has number',
  ],
  [
    'a missing part',
    z.object({ a: z.string() }),
    { type: 'object' },
    'Thing.field.a: the server does not have it',
  ],
])('tells %s', (_, field, server, problem) => {
  expect(walk(field, server)).toEqual([problem]);
});

it('tells a kind that the server does not have', () => {
  expect(walkSchema(z.object({}), {}, 'Thing')).toEqual(['Thing: the server has no schema of it']);
});

import { expect, it } from 'vitest';
import { z } from 'zod';
import { int, presence, quantity, textList, textMap } from '../../kubevirt/objects/fields.ts';
import { kindSchema } from './kind-schema.ts';

const OPEN = { 'x-kubernetes-preserve-unknown-fields': true };

it('gives an API server the types of what Drover reads, and leaves the rest open', () => {
  const spec = z.object({
    size: int.describe('How large.'),
    methods: textList,
    labels: textMap,
    guest: quantity,
    pod: presence,
    any: z.unknown(),
    volumes: z.array(z.object({ name: z.string() })).optional(),
  });
  const schema = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }), spec });
  const named = { type: 'object', nullable: true, ...OPEN, properties: { name: TEXT }, required: ['name'] };
  expect(kindSchema(schema)).toMatchObject({
    type: 'object',
    ...OPEN,
    properties: {
      spec: {
        type: 'object',
        ...OPEN,
        properties: {
          size: { description: 'How large.', type: 'integer', nullable: true },
          methods: { type: 'array', nullable: true, items: TEXT },
          labels: { type: 'object', nullable: true, additionalProperties: TEXT },
          guest: { 'x-kubernetes-int-or-string': true, pattern: expect.any(String) },
          pod: { type: 'object', nullable: true, ...OPEN, properties: {} },
          any: OPEN,
          volumes: { type: 'array', nullable: true, items: named },
        },
      },
    },
  });
  expect(kindSchema(schema).properties).not.toHaveProperty('metadata');
});

const TEXT = { type: 'string', nullable: true };

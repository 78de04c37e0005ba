import { z } from 'zod';
import { strategySchema } from '../src/controllers/strategy.ts';
import { scenarioSchema } from '../src/scenario/schema.ts';
import { behaviorFileSchema } from '../src/simulation/guests/behavior-schema.ts';

const FILES = [
  ['scenario', 'A scenario of drover simulate', scenarioSchema],
  ['guests', 'How guests behave, for drover lab', behaviorFileSchema],
  ['strategy', "The update strategy of drover controller, beside KubeVirt's own", strategySchema],
] as const;

/**
 * Schemas of the files that users write, by file name. For editors, which check a file while it is written and tell what each
 * property means: `# yaml-language-server: $schema=…` in its first line.
 */
export function editorSchemas(): [name: string, text: string][] {
  return FILES.map(([name, title, schema]) => {
    const written = { title, ...z.toJSONSchema(schema, { io: 'input', override: withExamples }) };
    return [`${name}.schema.json`, `${JSON.stringify(written, null, 2)}\n`];
  });
}

/** zod leaves examples out where something is made of what is written, for they might be of that; ours are as written. */
function withExamples({
  zodSchema,
  jsonSchema,
}: Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]) {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
}

import { expect, it } from 'vitest';
import { editorSchemas } from './editor-schemas.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/** Every property anywhere below, by its path. */
function* propertiesOf(schema: unknown, path = ''): Generator<[path: string, property: Schema]> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {}, ...rest } = schema as Schema;
  for (const [name, property] of Object.entries(properties)) {
    yield [`${path}/${name}`, property];
    yield* propertiesOf(property, `${path}/${name}`);
  }
  for (const below of Object.values(rest)) yield* propertiesOf(below, path);
}

const properties = (text: string) => [...propertiesOf(JSON.parse(text))];

it.each(editorSchemas())('%s tells what each property means, in one sentence', (_, text) => {
  const silent = properties(text).filter(([, { description = '' }]) => !/^.+[.]$/.test(description));
  expect(silent.map(([path]) => path)).toEqual([]);
});

it.each(editorSchemas())('%s says of each property that may be left out what that means', (_, text) => {
  expect(unclear(JSON.parse(text))).toEqual([]);
});

/** Of which an entry has exactly one. */
const isAction = (path: string) => path === '/timeline';

/** Properties that are neither required nor have a default, and do not say what their absence means. */
function unclear(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, required = [], ...rest } = schema as Schema & { readonly required?: string[] };
  const here = Object.entries(properties).flatMap(([name, property]) => {
    const isClear =
      required.includes(name) || 'default' in property || /absent/.test(property.description ?? '');
    return [
      ...(isClear || isAction(path) ? [] : [`${path}/${name}`]),
      ...unclear(property, `${path}/${name}`),
    ];
  });
  return [...here, ...Object.values(rest).flatMap((below) => unclear(below, path))];
}

it('has examples of durations, of which numbers are made', () => {
  const [, at] = editorSchemas()
    .flatMap(([, text]) => properties(text))
    .find(([path]) => path === '/timeline/at') ?? ['', {}];
  expect(at).toMatchObject({ examples: ['0', '90s', '1h30m'] });
});

it('tells that an entry of the timeline has a time and one action, and a hot set its seconds', () => {
  const texts = editorSchemas().map(([, text]) => text.replaceAll(/\s/g, ''));
  expect(texts.filter((text) => text.includes('"minProperties":2,"maxProperties":2'))).toHaveLength(1);
  const goesWith = '"dependentRequired":{"hotSet":["hotSetSeconds"]}';
  expect(texts.filter((text) => text.includes(goesWith))).toHaveLength(2);
});

it('finds properties at any depth', () => {
  const paths = editorSchemas().flatMap(([, text]) => properties(text).map(([path]) => path));
  expect(paths).toEqual(
    expect.arrayContaining([
      '/cluster/nodes/taints/key',
      '/guests/migration/hotSet',
      '/timeline/drain/client',
      '/batchEvictionSize',
    ]),
  );
});

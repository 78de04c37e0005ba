import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Rule } from './rules.ts';

/** Every module of this ring, so that a new table is held to the same form without being named here. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .sort();
const modules = await Promise.all(
  paths.map(async (path) => [path, (await import(join(folder, path))) as Record<string, unknown>] as const),
);

function isTable(value: unknown): value is readonly Rule<unknown, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((rule) => typeof rule?.asks === 'string');
}

const tables = modules.flatMap(([path, exports]) =>
  Object.entries(exports).flatMap(([name, value]) =>
    isTable(value) ? [[`${path} ${name}`, value] as const] : [],
  ),
);

it('there are tables to look at', () => {
  expect(tables.length).toBeGreaterThan(10);
});

/** A project with its version and a place in it, or words of who else says so. */
const SOURCE =
  /^([a-z-]+( v\d+(\.\d+)+)? \S+\.(go|diff)\b.*|[a-z-]+( v\d+(\.\d+)+)? (pkg|simulator)\/\S+|(Drover's own|drover|kubevirt before v1\.6:?).{4,})$/;

/** It is two, one for each behavior, and a rule may stand in both. */
const TWO_IN_ONE = 'external/capk-v0-1-10.ts capkV0110Table';

describe.each(tables)('%s', (title, table) => {
  it('names each rule once, in CamelCase', () => {
    const names = table.map(({ name }) => name);
    if (title !== TWO_IN_ONE) expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
  });

  it('asks in words that go on after "whether"', () => {
    for (const { asks } of table) expect(asks).toMatch(/^\S.{8,}[^.?]$/);
  });

  it('says where each rule comes from', () => {
    for (const { source } of table) expect(source).toMatch(SOURCE);
  });
});

import { expect, it } from 'vitest';
import { nonEvictableTable } from '../non-evictable.ts';
import type { Table } from '../rules.ts';
import { evacuationCancelTable } from './cancel.ts';
import { evacuationTable } from './candidate.ts';
import { evacuationPassTable } from './pass.ts';

const TABLES: readonly [string, Table<never, unknown>][] = [
  ['evacuationTable', evacuationTable],
  ['evacuationPassTable', evacuationPassTable],
  ['evacuationCancelTable', evacuationCancelTable],
  ['nonEvictableTable', nonEvictableTable],
];

it.each(TABLES)('%s names each rule once, asks in words, and says where the rule stands', (_, table) => {
  expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
  for (const { name, asks, source } of table) {
    expect(name).toMatch(/^([A-Z][a-z]+)+$/);
    expect(asks).toMatch(/^[a-z].{8,}[^.?]$/);
    expect(source).toMatch(/^kubevirt v1\.9\.0 pkg\/\S+\.go:[\d,-]+$/);
  }
});

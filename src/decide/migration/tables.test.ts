import { describe, expect, it } from 'vitest';
import type { Table } from '../rules.ts';
import { migrationActionTable } from './actions.ts';
import { migrationCreateTable } from './admission.ts';
import { backoffTable } from './backoff.ts';
import { pollTable } from './convergence.ts';
import { migrationStatusTable } from './phases.ts';
import { targetPodTable } from './queue.ts';
import { targetTimeoutTable } from './target/target-timeouts.ts';
import { migrationUpdateTable } from './update-admission.ts';

const TABLES: readonly [string, Table<never, unknown>][] = [
  ['migrationActionTable', migrationActionTable],
  ['migrationCreateTable', migrationCreateTable],
  ['migrationUpdateTable', migrationUpdateTable],
  ['migrationStatusTable', migrationStatusTable],
  ['backoffTable', backoffTable],
  ['targetPodTable', targetPodTable],
  ['targetTimeoutTable', targetTimeoutTable],
  ['pollTable', pollTable],
];

describe.each(TABLES)('%s', (_, table) => {
  it('names each rule once, in CamelCase', () => {
    const names = table.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^([A-Z][a-z]+)+$/);
  });

  it('puts every question in words, and says where the rule stands', () => {
    for (const { asks, source } of table) {
      expect(asks).toMatch(/^[a-z].{8,}[^.?]$/);
      expect(source).toMatch(/^kubevirt v1\.9\.0 pkg\/\S+\.go(:[\d,-]+)?$/);
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { ApiResult } from '../decide/api-result.ts';
import { isRestOver } from '../decide/workload-update/batch.ts';
import { batchMemoryIn, claimOf, usedUp } from './batch-memory.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const saved: ApiResult = { ok: true, name: 'lease' };

function memory(text?: string) {
  const store = {
    text,
    read: () => store.text,
    write: async (written: string) => {
      store.text = written;
      return saved;
    },
  };
  return { store, memory: batchMemoryIn(store, () => NOW) };
}

describe('the memory of batches', () => {
  it('gives back what was saved, without who was refused', async () => {
    const { memory: batches } = memory();
    expect(await batches.save({ lastAt: NOW - 5000, accepted: 2, refused: ['shop/db'] })).toBe(saved);
    expect(await batches.load()).toEqual({ lastAt: NOW - 5000, accepted: 2, refused: [] });
  });

  it('knows nothing where nothing was saved', async () => {
    expect(await memory().memory.load()).toBeUndefined();
  });

  it('knows that there was no batch yet', async () => {
    const { memory: batches } = memory();
    await batches.save({ accepted: 0, refused: [] });
    expect(await batches.load()).toEqual({ accepted: 0, refused: [] });
  });

  it.each(['', 'yesterday', '{}', '{"lastAt":"yesterday","accepted":1}', 'null'])(
    'takes "%s" for a batch that was just used up',
    async (text) => {
      expect(await memory(text).memory.load()).toEqual(usedUp(NOW));
    },
  );

  it('does not believe a clock that was far ahead', async () => {
    const { memory: batches } = memory();
    await batches.save({ lastAt: NOW + 365 * 86_400_000, accepted: 10, refused: [] });
    expect(await batches.load()).toEqual({ lastAt: NOW + 60_000, accepted: 10, refused: [] });
  });
});

it('a claim leaves no place until an interval after the last answer may come', () => {
  const limits = { size: 1_000_000, intervalSeconds: 15 };
  const claim = claimOf(NOW);
  expect(claim.accepted).toBeGreaterThan(limits.size);
  expect(isRestOver(claim, limits, NOW + 75_000)).toBe(false);
  expect(isRestOver(claim, limits, NOW + 75_001)).toBe(true);
});

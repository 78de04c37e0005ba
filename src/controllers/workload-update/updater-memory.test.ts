import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiResult } from '../../decide/api-result.ts';
import { type BatchState, NO_BATCH } from '../../decide/workload-update/batch.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { claimOf, usedUp } from '../batch-memory.ts';
import { UpdaterMemory } from './updater-memory.ts';

let clock: VirtualClock;
let saved: BatchState[];
let loads: number;
let answer: ApiResult;
let memory: UpdaterMemory;

function begin(held?: BatchState): void {
  clock = new VirtualClock(1_000_000);
  saved = [];
  loads = 0;
  answer = { ok: true, name: 'lease' };
  const batches = {
    load: async () => {
      loads++;
      return held;
    },
    save: async (state: BatchState) => {
      if (answer.ok) saved.push(state);
      return answer;
    },
  };
  memory = new UpdaterMemory(batches, clock);
}
beforeEach(() => begin());

describe('what was remembered', () => {
  it('is read once', async () => {
    begin(usedUp(5));
    await memory.load();
    memory.state = { batch: NO_BATCH };
    await memory.load();
    expect([loads, memory.state.batch]).toEqual([1, NO_BATCH]);
  });

  it('is taken over, beside what this process knows', async () => {
    begin(usedUp(5));
    memory.state = { batch: NO_BATCH, expectation: { pending: 1, setAt: 3 } };
    await memory.load();
    expect(memory.state).toEqual({ batch: usedUp(5), expectation: { pending: 1, setAt: 3 } });
  });

  it('may be nothing', async () => {
    await memory.load();
    expect(memory.state.batch).toEqual(NO_BATCH);
  });

  it('is asked for again where it cannot be read', async () => {
    const failing = { load: () => Promise.reject(new Error('no lease')), save: async () => answer };
    const unread = new UpdaterMemory(failing, clock);
    await expect(unread.load()).rejects.toThrow('no lease');
    await expect(unread.load()).rejects.toThrow('no lease');
  });
});

describe('a claim', () => {
  it('is written before anything may be evicted', async () => {
    expect(memory.isClaimed).toBe(false);
    expect(await memory.claim()).toBeUndefined();
    expect(memory.isClaimed).toBe(true);
    expect(saved).toEqual([claimOf(1_000_000)]);
  });

  it('is not written again while an eviction is answered within it', async () => {
    await memory.claim();
    await clock.advance(30);
    expect(memory.isClaimed).toBe(true);
    await memory.claim();
    expect(saved).toHaveLength(1);
    await clock.advance(0.001);
    expect(memory.isClaimed).toBe(false);
    await memory.claim();
    expect(saved).toHaveLength(2);
  });

  it('that cannot be written is none, and says why', async () => {
    answer = { ok: false, message: 'the lease is not held' };
    expect(await memory.claim()).toBe('cannot claim an eviction batch: the lease is not held');
    expect(memory.isClaimed).toBe(false);
  });

  it('gives way to what the batch came to', async () => {
    await memory.claim();
    memory.state = { batch: { lastAt: 1_000_000, accepted: 2, refused: [] } };
    expect(await memory.settle()).toBeUndefined();
    expect(saved.at(-1)).toEqual({ lastAt: 1_000_000, accepted: 2, refused: [] });
    expect(memory.isClaimed).toBe(false);
  });

  it('stays until that can be written', async () => {
    await memory.claim();
    answer = { ok: false, message: 'etcd' };
    expect(await memory.settle()).toBe('cannot save the eviction batch: etcd');
    answer = { ok: true, name: 'lease' };
    expect(await memory.settle()).toBeUndefined();
    expect(saved).toHaveLength(2);
  });

  it('that is none leaves nothing to write', async () => {
    expect(await memory.settle()).toBeUndefined();
    await memory.claim();
    await memory.settle();
    await memory.settle();
    expect(saved).toHaveLength(2);
  });
});

it('a creation that was observed is waited for no more', () => {
  memory.creationObserved();
  expect(memory.state.expectation).toBeUndefined();
  memory.state = { batch: NO_BATCH, expectation: { pending: 2, setAt: 5 } };
  memory.creationObserved();
  expect(memory.state.expectation).toEqual({ pending: 1, setAt: 5 });
});

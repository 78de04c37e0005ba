import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { doubling, KeyBackoff } from './rate-limit.ts';
import { WorkQueue } from './work-queue.ts';

function aQueue(worthOf: (key: string) => number = () => 0) {
  const clock = new VirtualClock();
  const queue = new WorkQueue(clock, new KeyBackoff(doubling(1, 100)), worthOf);
  return { clock, queue };
}

/** What is ready, in the order in which it is handed out. */
async function taken(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.depth > 0) {
    const key = await queue.next();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

describe('a work queue of keys of different worth', () => {
  it('hands out what is worth most, equals in the order of their coming', async () => {
    const { queue } = aQueue();
    queue.add('a', 20);
    queue.add('b');
    queue.add('c', 1000);
    queue.add('d', 20);
    queue.add('e', -1);
    expect(queue.depth).toBe(5);
    expect(await taken(queue)).toEqual(['c', 'a', 'd', 'b', 'e']);
    expect(queue.depth).toBe(0);
  });

  it('asks what a key is worth that comes without a value', async () => {
    const { queue, clock } = aQueue((key) => (key === 'high' ? 5 : 1));
    queue.add('low');
    queue.add('high');
    queue.addAfter('high', 1);
    queue.addAfter('low-2', 1);
    expect(await taken(queue)).toEqual(['high', 'low']);
    await clock.advance(1);
    expect(await taken(queue)).toEqual(['high', 'low-2']);
  });

  it('holds a key once, at its highest value', async () => {
    const { queue } = aQueue();
    for (const value of [1, 3, 2]) queue.add('a', value);
    queue.add('b', 2);
    queue.add('c', 3);
    expect(queue.depth).toBe(3);
    expect(await taken(queue)).toEqual(['a', 'c', 'b']);
  });

  it('keeps a place among equals when a key is added again', async () => {
    const { queue } = aQueue();
    queue.add('a', 1);
    queue.add('b', 1);
    queue.add('a', 1);
    expect(await taken(queue)).toEqual(['a', 'b']);
  });

  it('hands a key out again after it is done with, at the highest value that it got meanwhile', async () => {
    const { queue } = aQueue();
    queue.add('a');
    expect(await queue.next()).toBe('a');
    queue.add('a', 7);
    queue.add('a', 3);
    queue.add('b', 5);
    expect(queue.depth).toBe(1);
    expect(queue.hasMore).toBe(true);
    queue.done('a');
    expect(await taken(queue)).toEqual(['a', 'b']);
    queue.done('a');
    expect(queue.depth).toBe(0);
  });

  it('waits for a key when there is none', async () => {
    const { queue } = aQueue();
    const next = queue.next();
    expect(queue.hasMore).toBe(false);
    queue.add('late');
    expect(queue.hasMore).toBe(false);
    expect(await next).toBe('late');
    queue.add('late');
    expect(queue.depth).toBe(0);
    expect(queue.hasMore).toBe(true);
  });

  it('lets a key wait until the earliest of its times, and keeps its highest value', async () => {
    const { queue, clock } = aQueue();
    queue.addAfter('a', 5, 1);
    queue.addAfter('a', 2, 0);
    queue.addAfter('a', 9, 8);
    queue.addAfter('b', 2, 4);
    await clock.advance(1.9);
    expect(queue.depth).toBe(0);
    await clock.advance(0.1);
    expect(await taken(queue)).toEqual(['a', 'b']);
    await clock.advance(20);
    expect(queue.depth).toBe(0);
  });

  it.each([0, -1])('takes a wait of %d seconds for none', async (seconds) => {
    const { queue } = aQueue();
    queue.addAfter('a', seconds, 3);
    queue.add('b', 2);
    expect(await taken(queue)).toEqual(['a', 'b']);
  });

  it('makes failures wait longer and longer until they are forgotten', async () => {
    const { queue, clock } = aQueue();
    const waits: number[] = [];
    for (const forget of [false, false, true]) {
      if (forget) queue.forget('a');
      const from = clock.now();
      queue.addRateLimited('a');
      await clock.until(() => queue.depth > 0, 100);
      waits.push((clock.now() - from) / 1000);
      await taken(queue);
    }
    expect(waits).toEqual([1, 2, 1]);
  });

  it('hands nothing out any more once it is stopped', async () => {
    const { queue, clock } = aQueue();
    queue.add('a');
    queue.addAfter('b', 1);
    queue.stop();
    queue.add('c');
    queue.addAfter('d', 0);
    queue.addAfter('e', 1);
    expect(queue.depth).toBe(0);
    expect(clock.nextAt()).toBeUndefined();
    expect(await queue.next()).toBeUndefined();
  });

  it('ends the waiting of those who wait for a key when it is stopped', async () => {
    const { queue } = aQueue();
    const next = queue.next();
    queue.stop();
    expect(await next).toBeUndefined();
  });

  it('hands everything out once, by value and coming', async () => {
    const entries = fc.array(fc.record({ key: fc.nat(30).map(String), value: fc.constantFrom(0, 20, 50) }));
    await fc.assert(
      fc.asyncProperty(entries, async (added) => {
        const { queue } = aQueue();
        const best = new Map<string, number>();
        const since = new Map<string, number>();
        for (const [at, { key, value }] of added.entries()) {
          queue.add(key, value);
          if (value > (best.get(key) ?? -1)) {
            best.set(key, value);
            since.set(key, at);
          }
        }
        const expected = [...best.keys()].sort(
          (a, b) => (best.get(b) ?? 0) - (best.get(a) ?? 0) || (since.get(a) ?? 0) - (since.get(b) ?? 0),
        );
        expect(await taken(queue)).toEqual(expected);
      }),
    );
  });
});

import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { doubling, KeyBackoff } from './rate-limit.ts';
import { WorkQueue } from './work-queue.ts';

let clock: VirtualClock;
let queue: WorkQueue;
/** What was handed out, with the second. */
let taken: string[];

beforeEach(() => {
  clock = new VirtualClock();
  queue = new WorkQueue(clock, new KeyBackoff(doubling(5, 300)));
  taken = [];
});

/** Asks for a key and notes it when it comes. */
function take(): void {
  void queue.next().then((key) => taken.push(`${key}@${clock.now() / 1000}`));
}

async function takeNow(count = 1): Promise<string[]> {
  for (let i = 0; i < count; i++) take();
  await clock.settle();
  return taken;
}

describe('add', () => {
  it('hands out in order, each key once', async () => {
    for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);
    expect(queue.depth).toBe(3);
    expect(await takeNow(4)).toEqual(['b@0', 'a@0', 'c@0']);
    expect(queue.depth).toBe(0);
  });

  it('hands out to those who wait already, in the order in which they asked', async () => {
    take();
    take();
    queue.add('a');
    queue.add('b');
    await clock.settle();
    expect(taken).toEqual(['a@0', 'b@0']);
  });

  it('keeps a key back while it is worked on, and then gives it again, once', async () => {
    queue.add('a');
    await takeNow();
    queue.add('a');
    queue.add('a');
    queue.add('b');
    expect(await takeNow(2)).toEqual(['a@0', 'b@0']);
    queue.done('a');
    await clock.settle();
    expect(taken).toEqual(['a@0', 'b@0', 'a@0']);
    queue.done('a');
    expect(queue.depth).toBe(0);
  });

  it('does not give a key again that was not added again', async () => {
    queue.add('a');
    await takeNow();
    queue.done('a');
    await takeNow();
    expect(taken).toEqual(['a@0']);
  });
});

describe('addAfter', () => {
  it('waits', async () => {
    queue.addAfter('a', 5);
    take();
    expect(queue.depth).toBe(0);
    await clock.advance(4.9);
    expect(taken).toEqual([]);
    await clock.advance(1);
    expect(taken).toEqual(['a@5']);
  });

  it.each([0, -1])('adds at once after %d seconds', async (seconds) => {
    queue.addAfter('a', seconds);
    expect(await takeNow()).toEqual(['a@0']);
  });

  it.each([
    [30, 5],
    [5, 30],
  ])('after %d and %d seconds it comes once, at the earlier time', async (first, second) => {
    queue.addAfter('a', first);
    queue.addAfter('a', second);
    take();
    take();
    await clock.advance(100);
    expect(taken).toEqual(['a@5']);
  });

  it('still comes later when the key was added at once meanwhile', async () => {
    queue.addAfter('a', 5);
    queue.add('a');
    await takeNow();
    queue.done('a');
    take();
    await clock.advance(100);
    expect(taken).toEqual(['a@0', 'a@5']);
  });

  it('comes again when its time comes while it is worked on', async () => {
    queue.add('a');
    await takeNow();
    queue.addAfter('a', 5);
    await clock.advance(10);
    queue.done('a');
    expect(await takeNow()).toEqual(['a@0', 'a@10']);
  });
});

it('addRateLimited: longer after each failure, anew after forget', async () => {
  const delays: number[] = [];
  for (const succeeds of [false, false, false, true, false]) {
    if (succeeds) {
      queue.forget('a');
      continue;
    }
    const before = clock.now();
    queue.addRateLimited('a');
    await clock.until(() => queue.depth === 1, 1000);
    delays.push((clock.now() - before) / 1000);
    queue.done((await queue.next()) ?? '');
  }
  expect(delays).toEqual([5, 10, 20, 5]);
});

describe('stop', () => {
  it('ends the waiting of those who ask for keys, now and later', async () => {
    take();
    queue.stop();
    expect(await takeNow()).toEqual(['undefined@0', 'undefined@0']);
  });

  it('drops what is ready, what waits and what comes', async () => {
    queue.add('a');
    queue.addAfter('b', 5);
    queue.stop();
    queue.add('c');
    queue.addAfter('d', 5);
    await clock.advance(10);
    expect(queue.depth).toBe(0);
    expect(clock.nextAt()).toBeUndefined();
    expect(await takeNow()).toEqual(['undefined@10']);
  });

  it('lets work in flight be reported', async () => {
    queue.add('a');
    await takeNow();
    queue.add('a');
    queue.stop();
    queue.done('a');
    expect(queue.depth).toBe(0);
  });
});

it('a key is never with two workers, and none that was added gets lost', async () => {
  const step = fc.oneof(
    fc.record({ add: fc.constantFrom('a', 'b', 'c'), after: fc.nat(3) }),
    fc.record({ pass: fc.nat(4) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(3), async (steps, workSeconds) => {
      const clock = new VirtualClock();
      const queue = new WorkQueue(clock, new KeyBackoff(() => 1));
      const working = new Set<string>();
      const added = new Set<string>();
      const worked = new Set<string>();
      const work = async (): Promise<void> => {
        for (let key = await queue.next(); key !== undefined; key = await queue.next()) {
          expect(working.has(key)).toBe(false);
          working.add(key);
          worked.add(key);
          await new Promise<void>((resolve) => clock.after(workSeconds, resolve));
          working.delete(key);
          queue.done(key);
        }
      };
      const workers = [work(), work()];
      for (const step of steps) {
        if ('pass' in step) await clock.advance(step.pass);
        else {
          added.add(step.add);
          queue.addAfter(step.add, step.after);
        }
      }
      await clock.advance(1000);
      expect(worked).toEqual(added);
      queue.stop();
      await Promise.all(workers);
      expect(working.size).toBe(0);
    }),
  );
});

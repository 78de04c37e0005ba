import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { Controller, type ReconcileResult } from './controller.ts';
import { ControllerError } from './errors.ts';
import { doubling, KeyBackoff } from './rate-limit.ts';
import { recordLog, recordMetrics } from './test-records.ts';
import { WorkQueue } from './work-queue.ts';

let clock: VirtualClock;
let queue: WorkQueue;
let controller: Controller;
let records: ReturnType<typeof recordMetrics>;
let log: ReturnType<typeof recordLog>;
let synced: boolean;
/** Key and second of each pass as it began. */
let passes: string[];

function begin(reconcile: (key: string) => Promise<ReconcileResult>): void {
  controller = new Controller({
    name: 'test',
    queue,
    clock,
    log,
    metrics: records.metrics,
    cluster: { isSynced: () => synced },
    reconciler: {
      reconcile: (key) => {
        passes.push(`${key}@${clock.now() / 1000}`);
        return reconcile(key);
      },
    },
  });
  controller.start();
}

const pause = (seconds: number) => new Promise<void>((resolve) => void clock.after(seconds, resolve));

beforeEach(() => {
  clock = new VirtualClock();
  queue = new WorkQueue(clock, new KeyBackoff(doubling(5, 300)));
  records = recordMetrics();
  log = recordLog();
  synced = true;
  passes = [];
});

describe('a pass', () => {
  it('is made for each key, one at a time', async () => {
    begin(() => pause(2).then(() => ({})));
    queue.add('a');
    queue.add('b');
    await clock.advance(60);
    expect(passes).toEqual(['a@0', 'b@2']);
  });

  it('is made again after as long as it asked for', async () => {
    begin(async () => (passes.length < 3 ? { requeueAfterSeconds: 30 } : {}));
    queue.add('a');
    await clock.advance(300);
    expect(passes).toEqual(['a@0', 'a@30', 'a@60']);
  });

  it('is made again at the rate of the queue while it fails, and from the start after a success', async () => {
    begin(async () => (passes.length === 4 ? {} : { error: 'no' }));
    queue.add('a');
    await clock.advance(36);
    expect(passes).toEqual(['a@0', 'a@5', 'a@15', 'a@35']);
    queue.add('a');
    await clock.advance(5);
    expect(passes.slice(4)).toEqual(['a@36', 'a@41']);
  });

  it.each([
    [30, 5],
    [2, 2],
  ])('that fails and asks for another one after %d seconds gets it after %d', async (asked, gets) => {
    begin(async () => (passes.length === 1 ? { error: 'no', requeueAfterSeconds: asked } : {}));
    queue.add('a');
    await clock.advance(100);
    expect(passes).toEqual(['a@0', `a@${gets}`]);
  });

  it('is told when it fails', async () => {
    begin(async () => (passes.length === 1 ? { error: 'refused' } : {}));
    queue.add('a');
    await clock.advance(10);
    const fields = { controller: 'test', key: 'a', problem: 'refused' };
    expect(log.entries).toEqual([{ level: 'warn', message: 'a pass failed and is tried again', fields }]);
  });

  it('counts by its result, and says how long it took', async () => {
    begin(() => pause(1.5).then(() => (passes.length === 1 ? { error: 'no' } : {})));
    queue.add('a');
    await clock.advance(100);
    expect(records.metric('drover_reconciles_total', 'controller=test,result=error')).toBe(1);
    expect(records.metric('drover_reconciles_total', 'controller=test,result=success')).toBe(1);
    expect(records.observed('drover_reconcile_seconds', 'controller=test')).toEqual([1.5, 1.5]);
  });
});

describe('what is thrown', () => {
  const defects: readonly [string, () => Promise<ReconcileResult>][] = [
    ['in the pass', () => Promise.reject(new TypeError('x is undefined'))],
    [
      'before it',
      () => {
        throw new TypeError('x is undefined');
      },
    ],
  ];
  it.each(defects)('%s is told with its key, and tried again', async (_, defect) => {
    begin(() => (passes.length === 1 ? defect() : Promise.resolve({})));
    queue.add('a');
    queue.add('b');
    await clock.advance(20);
    expect(passes).toEqual(['a@0', 'b@0', 'a@5']);
    expect(log.entries).toMatchObject([
      {
        level: 'error',
        message: 'a pass broke off and is tried again',
        fields: {
          controller: 'test',
          key: 'a',
          problem: 'x is undefined',
          stack: expect.stringContaining('.ts'),
        },
      },
    ]);
    expect(records.metric('drover_reconciles_total', 'controller=test,result=error')).toBe(1);
  });

  it('with a code is told with its cure instead of a stack', async () => {
    begin(() => Promise.reject(new ControllerError('TwoUpdaters', 'both are set')));
    queue.add('a');
    await clock.advance(1);
    expect(log.entries[0]?.fields).toEqual({
      controller: 'test',
      key: 'a',
      problem: 'both are set',
      code: 'TwoUpdaters',
      cure: expect.stringContaining('Empty spec.workloadUpdateStrategy'),
    });
  });

  it('may be anything', async () => {
    begin(() => Promise.reject('just words'));
    queue.add('a');
    await clock.advance(1);
    expect(log.entries[0]?.fields).toEqual({ controller: 'test', key: 'a', problem: 'just words' });
  });
});

describe('an unsynced cache', () => {
  it('keeps keys waiting until it is synced, and again when it no longer is', async () => {
    synced = false;
    begin(async () => ({}));
    queue.add('a');
    await clock.advance(10);
    expect(passes).toEqual([]);
    synced = true;
    await clock.advance(1);
    expect(passes).toEqual(['a@11']);
    synced = false;
    queue.add('b');
    await clock.advance(5);
    expect(passes).toHaveLength(1);
  });
});

describe('stop', () => {
  it('waits for the pass in flight, and begins no other', async () => {
    begin(() => pause(3).then(() => ({ requeueAfterSeconds: 1 })));
    queue.add('a');
    queue.add('b');
    await clock.advance(1);
    let stopped = false;
    const stopping = controller.stop().then(() => {
      stopped = true;
    });
    await clock.advance(1.9);
    expect(stopped).toBe(false);
    await clock.advance(100);
    await stopping;
    expect(passes).toEqual(['a@0']);
  });

  it('does not wait for the cache', async () => {
    synced = false;
    begin(async () => ({}));
    queue.add('a');
    await clock.advance(0.5);
    await controller.stop();
    expect(passes).toEqual([]);
    expect(clock.nextAt()).toBeUndefined();
  });

  it('ends at once what never began', async () => {
    begin(async () => ({}));
    await controller.stop();
    queue.add('a');
    await clock.advance(10);
    expect(passes).toEqual([]);
  });
});

it('tells how many keys wait', async () => {
  begin(async () => ({}));
  for (const key of ['a', 'b', 'c']) queue.add(key);
  expect(queue.depth).toBe(2);
  await clock.advance(1);
  expect(records.metric('drover_queue_depth', 'controller=test')).toBe(0);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordLog, recordMetrics } from '../controllers/test-records.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { followStrategy, readStrategy, type StrategyOrigin, strategyFile } from './strategy-origin.ts';

const EVICT = 'workloadUpdateMethods: [Evict]';

/** A strategy whose text a test sets; an Error is thrown instead. */
async function followed(first: string | Error) {
  const world = { text: first, changes: 0 };
  const clock = new VirtualClock(0);
  const log = recordLog();
  const records = recordMetrics();
  const origin: StrategyOrigin = {
    name: 'there',
    everySeconds: 10,
    read: async () => {
      if (world.text instanceof Error) throw world.text;
      return world.text;
    },
  };
  const strategy = await followStrategy(origin, {
    ...{ clock, log, metrics: records.metrics },
    onChange: () => {
      world.changes += 1;
    },
  });
  return { world, clock, log, records, strategy };
}

describe('a strategy that is followed', () => {
  it.each<[string | Error, string]>([
    [new Error('not found'), 'there: not found'],
    ['a: [', 'there: '],
    ['', 'there: '],
    ['workloadUpdateMethods: Evict', 'there: workloadUpdateMethods: '],
  ])('is refused to begin with where it is %j', async (text, message) => {
    const refused = followed(text);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ code: 'StrategyUnreadable' });
  });

  it('is nothing but defaults where it has no fields', async () => {
    const { strategy } = await followed('{}');
    expect(strategy.current()).toMatchObject({ kind: 'own', methods: [], batchEvictionSize: 10 });
  });

  it('is read again and again, and told when it is another', async () => {
    const { world, clock, strategy, log } = await followed(EVICT);
    await clock.advance(25);
    expect([world.changes, log.entries]).toEqual([0, []]);
    world.text = `${EVICT}\nbatchEvictionSize: 2`;
    await clock.advance(10);
    expect([world.changes, strategy.current()]).toMatchObject([1, { batchEvictionSize: 2 }]);
    expect(log.entries).toMatchObject([{ level: 'info', message: 'the strategy has changed' }]);
  });

  it('stays in force while the new one is none, which is told once', async () => {
    const { world, clock, strategy, log, records } = await followed(EVICT);
    world.text = 'methods: []';
    await clock.advance(30);
    world.text = new Error('gone');
    await clock.advance(30);
    expect(strategy.current()).toMatchObject({ methods: ['Evict'] });
    expect(log.entries.map(({ level, fields }) => `${level} ${fields?.problem}`)).toEqual([
      'error there: it: Unrecognized key: "methods"',
      'error there: gone',
    ]);
    expect(records.metric('drover_strategy_problems_total')).toBe(2);
    world.text = EVICT;
    await clock.advance(10);
    expect([world.changes, log.entries.length]).toEqual([0, 2]);
    world.text = 'methods: []';
    await clock.advance(10);
    expect(log.entries).toHaveLength(3);
  });

  it('is not read any more once it is stopped', async () => {
    const { world, clock, strategy } = await followed(EVICT);
    strategy.stop();
    world.text = '';
    await clock.advance(60);
    expect(strategy.current()).toMatchObject({ methods: ['Evict'] });
  });
});

describe('a strategy in a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'drover-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read once', async () => {
    const file = join(folder, 'strategy.yaml');
    writeFileSync(file, EVICT);
    expect(await readStrategy({ file }, {})).toMatchObject({ methods: ['Evict'] });
    expect(await strategyFile(file).read()).toBe(EVICT);
  });

  it('is missed', async () => {
    await expect(readStrategy({ file: join(folder, 'none') }, {})).rejects.toThrow(
      'none: there is no such file',
    );
  });
});

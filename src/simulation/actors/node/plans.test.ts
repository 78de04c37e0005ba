import { describe, expect, it } from 'vitest';
import { recordLog } from '../../../controllers/test-records.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import { VirtualClock } from '../../virtual-clock.ts';
import { type Deed, Plans } from './plans.ts';

const OK: ApiResult = { ok: true, name: 'x' };
const refused = (code: number): ApiResult => ({ ok: false, code, message: `no ${code}` });

function begin(...answers: (ApiResult | Error)[]) {
  const clock = new VirtualClock();
  const log = recordLog();
  const done: string[] = [];
  const deed =
    (name: string): Deed =>
    async () => {
      done.push(`${name}@${clock.now() / 1000}`);
      const answer = answers.shift() ?? OK;
      if (answer instanceof Error) throw answer;
      return answer;
    };
  return { clock, log, done, deed, plans: new Plans('guest', clock, log) };
}

describe('plans', () => {
  it('are carried out at their time, each once', async () => {
    const { clock, done, deed, plans } = begin();
    plans.plan('a', 'boot', 2, deed('boot'));
    plans.plan('a', 'boot', 5, deed('again'));
    plans.plan('b', 'stop', 1, deed('stop'));
    await clock.advance(10);
    plans.plan('a', 'boot', 0, deed('again'));
    await clock.advance(10);
    expect(done).toEqual(['stop@1', 'boot@2']);
  });

  it('give way to others in their lane', async () => {
    const { clock, done, deed, plans } = begin();
    plans.plan('a', 'boot', 2, deed('boot'));
    plans.plan('a', 'stop', 3, deed('stop'));
    await clock.advance(10);
    expect(done).toEqual(['stop@3']);
  });

  it('are dropped, one or all, and may be made anew then', async () => {
    const { clock, done, deed, plans } = begin();
    plans.plan('a', 'one', 1, deed('one'));
    plans.plan('b', 'two', 1, deed('two'));
    plans.drop('a');
    plans.drop('unknown');
    await clock.advance(2);
    plans.plan('b', 'two', 1, deed('never'));
    plans.plan('c', 'three', 1, deed('three'));
    plans.dropAll();
    plans.plan('b', 'two', 3, deed('two'));
    await clock.advance(5);
    expect(done).toEqual(['two@1', 'two@5']);
  });

  it('are tried again when they are refused, later and later', async () => {
    const { clock, done, deed, plans, log } = begin(refused(500), new Error('lost'), refused(409));
    plans.plan('a', 'boot', 1, deed('boot'));
    await clock.advance(60);
    expect(done).toEqual(['boot@1', 'boot@1.5', 'boot@2.5', 'boot@4.5']);
    expect(log.entries.map(({ level, fields }) => [level, fields])).toEqual([
      ['warn', { about: 'guest', lane: 'a', id: 'boot', problem: 'no 500' }],
      ['warn', { about: 'guest', lane: 'a', id: 'boot', problem: 'lost' }],
      ['warn', { about: 'guest', lane: 'a', id: 'boot', problem: 'no 409' }],
    ]);
  });

  it('wait half a minute at most', async () => {
    const { clock, done, deed, plans } = begin(...Array.from({ length: 12 }, () => refused(500)));
    plans.plan('a', 'boot', 0, deed('boot'));
    await clock.advance(120);
    const at = done.map((each) => Number(each.split('@')[1]));
    expect(at.slice(-2)).toEqual([61.5, 91.5]);
    expect(Math.max(...at.map((each, index) => each - (at[index - 1] ?? 0)))).toBe(30);
  });

  it('end with what they are about', async () => {
    const { clock, done, deed, plans, log } = begin(refused(404));
    plans.plan('a', 'boot', 0, deed('boot'));
    await clock.advance(60);
    expect(done).toEqual(['boot@0']);
    expect(log.entries).toEqual([]);
  });

  it('are not tried again once another stands in their lane', async () => {
    const { clock, done, deed, plans } = begin(refused(500));
    plans.plan('a', 'boot', 0, async () => {
      plans.plan('a', 'stop', 5, deed('stop'));
      return deed('boot')();
    });
    await clock.advance(60);
    expect(done).toEqual(['boot@0', 'stop@5']);
  });

  it('are at rest when no deed is under way', async () => {
    const { clock, plans } = begin();
    let finish = (): void => {};
    plans.plan(
      'a',
      'boot',
      0,
      () =>
        new Promise((resolve) => {
          finish = () => resolve(OK);
        }),
    );
    await clock.advance(1);
    let isAtRest = false;
    const rest = plans.atRest().then(() => {
      isAtRest = true;
    });
    await clock.settle();
    expect(isAtRest).toBe(false);
    finish();
    await rest;
    expect(isAtRest).toBe(true);
  });
});

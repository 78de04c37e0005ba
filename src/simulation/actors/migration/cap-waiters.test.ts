import { describe, expect, it } from 'vitest';
import { CapWaiters } from './cap-waiters.ts';

const anywhere = () => true;

/** All pending migrations are among the first, none of them newly so. */
const all = { isFirst: () => true, takeNewFirst: () => [] };

describe('those who wait for a place', () => {
  it('ask every few seconds, counted from the first time', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 3, 500);
    expect(waiters.soonest(anywhere, 500)).toEqual({ key: 'a', at: 3500 });
    waiters.enter('a', 'n1', 3, 1000);
    expect(waiters.soonest(anywhere, 3500)).toEqual({ key: 'a', at: 6500 });
    expect(waiters.size).toBe(1);
  });

  it('come in the order in which they would ask, at equal times in that of their coming', () => {
    const waiters = new CapWaiters();
    waiters.enter('slow', 'n1', 5, 0);
    waiters.enter('b', 'n1', 1, 200);
    waiters.enter('c', 'n2', 1, 200);
    waiters.enter('d', 'n2', 1, 900);
    expect(waiters.soonest(anywhere, 1000)).toEqual({ key: 'b', at: 1200 });
    expect(waiters.soonest(anywhere, 1200)).toEqual({ key: 'd', at: 1900 });
    expect(waiters.soonest(anywhere, 4950)).toEqual({ key: 'slow', at: 5000 });
  });

  it('count only where their node has a place', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('b', 'n2', 1, 500);
    expect(waiters.soonest((node) => node === 'n2', 0)?.key).toBe('b');
    expect(waiters.toCall((node) => node === 'n2', all)).toEqual(['b']);
    expect(waiters.soonest(() => false, 0)).toBeUndefined();
  });

  it('are not asked about again before somebody comes to their node, or it is reopened', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('b', 'n2', 1, 0);
    expect(waiters.toCall(() => false, all)).toEqual([]);
    const asked: string[] = [];
    const ask = (node: string) => asked.push(node) > 0;
    expect(waiters.toCall(ask, all)).toEqual([]);
    waiters.enter('c', 'n1', 1, 0);
    expect(waiters.toCall(ask, all)).toEqual(['a', 'c']);
    waiters.reopen(['n2', 'unknown']);
    expect(waiters.toCall(ask, all)).toEqual(['b']);
    expect(asked).toEqual(['n1', 'n2']);
    waiters.reopenAll();
    expect(waiters.toCall(anywhere, all)).toEqual(['a', 'c', 'b']);
  });

  it('are called once, together, until somebody asks there in vain or the node is reopened', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('b', 'n1', 1, 0);
    waiters.enter('c', 'n2', 1, 0);
    expect(waiters.toCall(anywhere, all)).toEqual(['a', 'b', 'c']);
    expect(waiters.toCall(anywhere, all)).toEqual([]);
    waiters.enter('c', 'n2', 1, 0);
    expect(waiters.toCall(anywhere, all)).toEqual(['c']);
    waiters.reopen(['n1']);
    expect(waiters.toCall(anywhere, all)).toEqual(['a', 'b']);
    expect(waiters.soonest(anywhere, 0)?.key).toBe('a');
  });

  it('are called only if they are among the first, and when they come to be so where their node has a place', () => {
    const waiters = new CapWaiters();
    const first = new Set(['a']);
    let late: string[] = [];
    const isAmong = { isFirst: (key: string) => first.has(key), takeNewFirst: () => late };
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('b', 'n1', 1, 0);
    waiters.enter('c', 'n2', 1, 0);
    expect(waiters.toCall(anywhere, isAmong)).toEqual(['a']);
    first.add('b').add('c').add('unknown');
    late = ['b', 'c', 'unknown'];
    expect(waiters.toCall((node) => node === 'n1', isAmong)).toEqual(['b']);
    late = ['b'];
    waiters.reopen(['n1']);
    expect(waiters.toCall(anywhere, isAmong)).toEqual(['a', 'b']);
  });

  it('are looked through again when the turn of the first is over, and when one has come or gone', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 5, 0);
    expect(waiters.soonest(anywhere, 4999)).toEqual({ key: 'a', at: 5000 });
    expect(waiters.soonest(anywhere, 5000)).toEqual({ key: 'a', at: 10_000 });
    waiters.enter('b', 'n1', 1, 5500);
    expect(waiters.soonest(anywhere, 5500)).toEqual({ key: 'b', at: 6500 });
    waiters.leave('b');
    expect(waiters.soonest(anywhere, 5500)).toEqual({ key: 'a', at: 10_000 });
  });

  it('begin anew when they leave another node, and leave', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('a', 'n2', 1, 700);
    expect(waiters.toCall((node) => node === 'n1', all)).toEqual([]);
    waiters.reopenAll();
    expect(waiters.soonest(anywhere, 700)).toEqual({ key: 'a', at: 1700 });
    waiters.enter('b', 'n2', 1, 0);
    expect([...waiters.keys()]).toEqual(['a', 'b']);
    waiters.leave('a');
    waiters.leave('a');
    expect([...waiters.keys()]).toEqual(['b']);
    expect(waiters.size).toBe(1);
    waiters.leave('b');
    expect(waiters.soonest(anywhere, 0)).toBeUndefined();
  });
});

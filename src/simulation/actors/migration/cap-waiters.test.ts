import { describe, expect, it } from 'vitest';
import { CapWaiters } from './cap-waiters.ts';

const anywhere = () => true;

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
    expect(waiters.toCall((node) => node === 'n2')).toEqual(['b']);
    expect(waiters.soonest(() => false, 0)).toBeUndefined();
  });

  it('are not asked about again before somebody comes to their node, or it is reopened', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('b', 'n2', 1, 0);
    expect(waiters.toCall(() => false)).toEqual([]);
    const asked: string[] = [];
    const ask = (node: string) => asked.push(node) > 0;
    expect(waiters.toCall(ask)).toEqual([]);
    waiters.enter('c', 'n1', 1, 0);
    expect(waiters.toCall(ask)).toEqual(['a', 'c']);
    waiters.reopen(['n2', 'unknown']);
    expect(waiters.toCall(ask)).toEqual(['a', 'c', 'b']);
    expect(asked).toEqual(['n1', 'n1', 'n2']);
    waiters.toCall(() => false);
    waiters.reopenAll();
    expect(waiters.toCall(anywhere)).toEqual(['a', 'c', 'b']);
  });

  it('are called once, together, until somebody asks there in vain or the node is reopened', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('b', 'n1', 1, 0);
    waiters.enter('c', 'n2', 1, 0);
    waiters.called(new Set(['a', 'c']));
    expect(waiters.toCall(anywhere)).toEqual(['a', 'b']);
    expect(waiters.soonest((node) => node === 'n2', 0)?.key).toBe('c');
    waiters.called(new Set(['a', 'b']));
    expect(waiters.toCall(anywhere)).toEqual([]);
    waiters.enter('c', 'n2', 1, 0);
    expect(waiters.toCall(anywhere)).toEqual(['c']);
    waiters.reopen(['n1']);
    expect(waiters.toCall(anywhere)).toEqual(['c', 'a', 'b']);
  });

  it('begin anew when they leave another node, and leave', () => {
    const waiters = new CapWaiters();
    waiters.enter('a', 'n1', 1, 0);
    waiters.enter('a', 'n2', 1, 700);
    expect(waiters.toCall((node) => node === 'n1')).toEqual([]);
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

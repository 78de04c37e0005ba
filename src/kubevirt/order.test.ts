import { describe, expect, it } from 'vitest';
import { byKey, compareText, newestFirst, oldestFirst } from './order.ts';

const made = (name: string, second?: number) => ({
  metadata: { name, creationTimestamp: second === undefined ? undefined : `2026-03-01T12:00:0${second}Z` },
});
const names = (objects: { metadata: { name: string } }[]) => objects.map((o) => o.metadata.name);

describe('orders', () => {
  it('text by code units', () => {
    expect(['b', 'B', 'a', 'b'].sort(compareText)).toEqual(['B', 'a', 'b', 'b']);
    expect(compareText('a', 'a')).toBe(0);
    expect(compareText('a', 'b')).toBeLessThan(0);
    expect(compareText('b', 'a')).toBeGreaterThan(0);
  });

  it('objects by namespace, then name', () => {
    const object = (namespace: string, name: string) => ({ metadata: { namespace, name } });
    expect([object('b', 'a'), object('a', 'z'), object('a', 'b')].sort(byKey).map((o) => o.metadata)).toEqual(
      [
        { namespace: 'a', name: 'b' },
        { namespace: 'a', name: 'z' },
        { namespace: 'b', name: 'a' },
      ],
    );
  });

  it('by creation, both ways, equals by name', () => {
    const objects = [made('c', 2), made('a', 1), made('d'), made('b', 1)];
    expect(names([...objects].sort(oldestFirst))).toEqual(['d', 'a', 'b', 'c']);
    expect(names([...objects].sort(newestFirst))).toEqual(['c', 'a', 'b', 'd']);
  });
});

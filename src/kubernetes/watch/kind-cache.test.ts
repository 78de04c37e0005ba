import { beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../controllers/ports.ts';
import { Fleet } from '../../fleet/fleet.ts';
import { project } from '../../kubevirt/projection.ts';
import { KindCache, keyOfRaw } from './kind-cache.ts';

let fleet: Fleet;
let changes: string[];
let refusals: unknown[];
let cache: KindCache<'Pod'>;

const word = ({ before, after }: Change): string => (before ? (after ? 'changed' : 'gone') : 'came');

beforeEach(() => {
  fleet = new Fleet();
  changes = [];
  refusals = [];
  cache = new KindCache('Pod', {
    fleet,
    project,
    notify: (change) =>
      changes.push(`${change.key} ${word(change)} ${fleet.get('Pod', change.key) ? 'in' : 'out'}`),
    log: { write: (...told) => refusals.push(told) },
    metrics: { count: (...counted) => refusals.push(counted), gauge: () => {}, observe: () => {} },
  });
});

const pod = (name: string, resourceVersion: string, uid = name, more: object = {}) => ({
  metadata: { namespace: 'a', name, uid, resourceVersion },
  ...more,
});

describe('what a kind’s cache tells', () => {
  it('comes after the fleet has it, once for each version', () => {
    cache.take(pod('p', '1'));
    cache.take(pod('p', '1'));
    cache.take(pod('p', '2'));
    cache.drop('a/p');
    cache.drop('a/p');
    expect(changes).toEqual(['a/p came in', 'a/p changed in', 'a/p gone out']);
  });

  it('is an end and a beginning for another object of the same name', () => {
    cache.take(pod('p', '1', 'first'));
    cache.take(pod('p', '9', 'second'));
    expect(changes).toEqual(['a/p came in', 'a/p gone out', 'a/p came in']);
  });

  it('is the end of what a whole list does not have', () => {
    for (const name of ['p', 'q', 'r']) cache.take(pod(name, '1'));
    changes.length = 0;
    cache.keepOnly(new Set(['a/q']));
    expect(changes).toEqual(['a/p gone out', 'a/r gone out']);
  });

  it('knows a kind that has no objects', () => {
    expect(fleet.isKnown('Pod')).toBe(false);
    cache.keepOnly(new Set());
    expect(fleet.isKnown('Pod')).toBe(true);
  });

  it('is the end of an object that has become unreadable, and a word in the log', () => {
    cache.take(pod('p', '1'));
    cache.take(pod('p', '2', 'p', { status: { phase: 5 } }));
    expect(changes).toEqual(['a/p came in', 'a/p gone out']);
    expect(refusals).toEqual([
      ['drover_objects_refused_total', { kind: 'Pod' }],
      [
        'error',
        'an object is not as Kubernetes has it, and is left out',
        { kind: 'Pod', object: 'a/p', problem: 'status.phase: expected string, received number' },
      ],
    ]);
  });
});

it.each([
  [{ metadata: { namespace: 'a', name: 'b' } }, 'a/b'],
  [{ metadata: { namespace: '', name: 'b' } }, 'b'],
  [{ metadata: { name: 'b' } }, 'b'],
])('the key of %j is %s', (raw, key) => {
  expect(keyOfRaw(raw)).toBe(key);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DenseList } from './dense-list.ts';

function listOf(...members: string[]): DenseList<string> {
  const list = new DenseList<string>();
  for (const member of members) list.put(member, member);
  return list;
}

describe('a dense list', () => {
  it.each([
    ['the first: the last takes its place', 'a', ['c', 'b']],
    ['one in the middle', 'b', ['a', 'c']],
    ['the last: the others stay', 'c', ['a', 'b']],
    ['a stranger', 'x', ['a', 'b', 'c']],
  ])('deletes %s', (_, member, left) => {
    const list = listOf('a', 'b', 'c');
    list.delete(member);
    expect(list.members).toEqual(left);
  });

  it('holds one member of a key, that which came last', () => {
    const list = listOf('a', 'b', 'c');
    list.put('a', 'another');
    expect(list.members).toEqual(['c', 'b', 'another']);
    list.put('a', 'yet another');
    expect(list.members).toEqual(['c', 'b', 'yet another']);
  });

  it('deletes a member that has moved', () => {
    const list = listOf('a', 'b', 'c');
    for (const member of ['a', 'c', 'b']) list.delete(member);
    expect(list.members).toEqual([]);
  });

  it('gives its own members, not a copy', () => {
    const list = listOf('a');
    const { members } = list;
    list.put('b', 'b');
    expect(members).toEqual(['a', 'b']);
    list.clear();
    expect(members).toEqual([]);
    list.put('a', 'a');
    expect(members).toEqual(['a']);
  });

  it('holds what a map holds, whatever is put and deleted', () => {
    const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const steps = fc.array(fc.tuple(fc.constantFrom('put', 'delete'), letter));
    fc.assert(
      fc.property(steps, (made) => {
        const list = new DenseList<string>();
        const map = new Map<string, string>();
        for (const [index, [step, key]] of made.entries()) {
          if (step === 'delete') {
            list.delete(key);
            map.delete(key);
            continue;
          }
          list.put(key, `${key}${index}`);
          map.set(key, `${key}${index}`);
        }
        expect([...list.members].sort()).toEqual([...map.values()].sort());
      }),
    );
  });
});

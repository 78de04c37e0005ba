import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DenseList } from './dense-list.ts';

function listOf(...members: string[]): DenseList<string> {
  const list = new DenseList<string>();
  for (const member of members) list.add(member);
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

  it('holds a member once', () => {
    expect(listOf('a', 'b', 'a').members).toEqual(['a', 'b']);
  });

  it('deletes a member that has moved', () => {
    const list = listOf('a', 'b', 'c');
    for (const member of ['a', 'c', 'b']) list.delete(member);
    expect(list.members).toEqual([]);
  });

  it('gives its own members, not a copy', () => {
    const list = listOf('a');
    const { members } = list;
    list.add('b');
    expect(members).toEqual(['a', 'b']);
    list.clear();
    expect(members).toEqual([]);
    list.add('a');
    expect(members).toEqual(['a']);
  });

  it('holds what a set holds, whatever is added and deleted', () => {
    const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const steps = fc.array(fc.tuple(fc.constantFrom('add' as const, 'delete' as const), letter));
    fc.assert(
      fc.property(steps, (made) => {
        const list = new DenseList<string>();
        const set = new Set<string>();
        for (const [step, member] of made) {
          list[step](member);
          set[step](member);
        }
        expect([...list.members].sort()).toEqual([...set].sort());
      }),
    );
  });
});

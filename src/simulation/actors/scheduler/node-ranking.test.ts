import { expect, it } from 'vitest';
import { NodeRanking } from './node-ranking.ts';

const chance = (value: number) => ({ next: () => value });
const any = () => true;

function ranking(...scores: [string, number][]): NodeRanking {
  const made = new NodeRanking();
  for (const [node, score] of scores) made.set(node, score);
  return made;
}

it('finds the best that fits', () => {
  const nodes = ranking(['a', 10], ['b', 100], ['c', 50], ['z', 0]);
  expect(nodes.find(any, chance(0))).toBe('b');
  expect(nodes.find((node) => node !== 'b', chance(0))).toBe('c');
  expect(nodes.find((node) => node === 'z', chance(0))).toBe('z');
  expect(nodes.find(() => false, chance(0))).toBeUndefined();
});

it.each([
  [0, 'a'],
  [0.34, 'b'],
  [0.99, 'c'],
])('begins among equals where chance %d says', (value, node) => {
  expect(ranking(['a', 7], ['b', 7], ['c', 7]).find(any, chance(value))).toBe(node);
});

it('goes round to those before the beginning', () => {
  expect(ranking(['a', 7], ['b', 7]).find((node) => node === 'a', chance(0.9))).toBe('a');
});

it('draws nothing where there is one only', () => {
  const never = {
    next: () => {
      throw new Error('drawn');
    },
  };
  expect(ranking(['a', 7]).find(any, never)).toBe('a');
});

it('moves and forgets nodes', () => {
  const nodes = ranking(['a', 7], ['b', 7], ['c', 7]);
  nodes.set('a', 3);
  nodes.delete('b');
  nodes.delete('unknown');
  nodes.set('c', 7);
  const tried: string[] = [];
  nodes.find((node) => tried.push(node) < 0, chance(0));
  expect(tried).toEqual(['c', 'a']);
});

it('knows scores from 0 to 100 only', () => {
  expect(() => ranking(['a', 101])).toThrow('no score 101');
});

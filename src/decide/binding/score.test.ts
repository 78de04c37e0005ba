import { expect, it } from 'vitest';
import { aNode, aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { leastAllocatedScore, preferenceScore, preferencesOf, rankNodes } from './score.ts';

const amounts = (cpu: number, memory: number) =>
  new Map([
    ['cpu', cpu],
    ['memory', memory],
  ]);

it.each([
  ['empty', amounts(1000, 1000), amounts(0, 0), 100],
  ['full', amounts(1000, 1000), amounts(1000, 1000), 0],
  ['half', amounts(1000, 1000), amounts(500, 500), 50],
  ['CPU and memory in equal parts', amounts(1000, 1000), amounts(1000, 0), 50],
  ['whole points, rounded down each', amounts(1000, 1000), amounts(5, 14), 98],
  ['overfull counts as full', amounts(1000, 1000), amounts(1001, 0), 50],
  ['exactly full', amounts(1000, 1000), amounts(1000, 1000), 0],
  ['without memory', new Map([['cpu', 1000]]), amounts(0, 0), 50],
  ['that tells nothing', undefined, amounts(0, 0), 0],
  ['with an empty load', amounts(10, 10), new Map(), 100],
])('a node %s', (_, has, load, score) => {
  expect(leastAllocatedScore(has, load)).toBe(score);
});

const inZone = (weight: number | undefined, zone: string) => ({
  weight,
  preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] },
});

function preferring(...terms: ReturnType<typeof inZone>[]): Pod {
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: terms };
  return aPod().spec({ affinity: { nodeAffinity } }).build();
}

it('adds up the weights of the preferences that a node meets', () => {
  const node = aNode().labelled('zone', 'a').build();
  const pod = preferring(inZone(30, 'a'), inZone(5, 'a'), inZone(100, 'b'), inZone(undefined, 'a'));
  expect(preferenceScore(pod, node)).toBe(35);
  expect(preferencesOf(pod)).toHaveLength(4);
});

it('finds no preferences where there are none', () => {
  expect(preferencesOf(aPod().build())).toEqual([]);
  expect(preferencesOf({ metadata: { name: 'p' } })).toEqual([]);
  expect(preferenceScore(aPod().build(), aNode().build())).toBe(0);
});

const scored = (node: string, leastAllocated: number, preference = 0) => ({
  node,
  leastAllocated,
  preference,
});

it('ranks by emptiness where nothing is preferred, equals as given', () => {
  const ranked = rankNodes([scored('b', 40), scored('a', 90), scored('c', 40)]);
  expect(ranked.map(({ node, total }) => [node, total])).toEqual([
    ['a', 90],
    ['b', 40],
    ['c', 40],
  ]);
});

it('lets a preference count twice, relative to the most preferred', () => {
  const ranked = rankNodes([scored('a', 100), scored('b', 10, 3), scored('c', 0, 2)]);
  expect(ranked.map(({ node, total }) => [node, total])).toEqual([
    ['b', 210],
    ['c', 132],
    ['a', 100],
  ]);
});

it('ranks nothing', () => {
  expect(rankNodes([])).toEqual([]);
});

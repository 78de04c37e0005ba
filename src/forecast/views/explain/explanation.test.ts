import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../forecast.ts';
import { aForecast, anExplanation } from '../builders.ts';
import {
  besides,
  type Explanation,
  sortedExplanations,
  waysOf,
  worstCounts,
  worstOf,
} from './explanation.ts';

/** What becomes of a VM on one occasion after the other. */
function faring(vm: string, ...outcomes: readonly Outcome[]): Explanation {
  return { vm, forecasts: outcomes.map((outcome) => aForecast().with(vm, outcome).build()) };
}

describe('waysOf', () => {
  it('names the occasions', () => {
    expect(waysOf(anExplanation()).map(({ occasion, verdict }) => [occasion, verdict.outcome])).toEqual([
      ['upgrade', 'LiveMigrates'],
      ['drain n1', 'Blocks'],
      ['eviction', 'Blocks'],
    ]);
  });

  it.each([
    [{ action: 'drain', parameters: { nodes: ['a', 'b'] } }, 'drain a b'],
    [{ action: 'drain', parameters: {} }, 'drain'],
    [{ action: 'config', parameters: { nodes: ['a'] } }, 'config'],
  ])('%j is %s', (spec, occasion) => {
    const forecast = aForecast().asking(spec).with('a/b', 'Cut').build();
    expect(waysOf({ vm: 'a/b', forecasts: [forecast] })[0]?.occasion).toBe(occasion);
  });

  it('leaves out forecasts that do not have the VM', () => {
    expect(waysOf({ vm: 'a/b', forecasts: [aForecast().with('a/c', 'Cut').build()] })).toEqual([]);
  });
});

describe('worstOf', () => {
  it('is the first of the worst, of all of them', () => {
    expect(worstOf(anExplanation())?.remedies).toHaveLength(2);
    expect(worstOf(faring('a/b', 'Restarts'), faring('a/c', 'Untouched', 'Cut'))?.name).toBe('c');
  });

  it('is none where nothing is foretold', () => {
    expect(worstOf()).toBeUndefined();
    expect(worstOf(faring('a/b'))).toBeUndefined();
  });
});

it('worstCounts counts each VM once', () => {
  const counts = worstCounts([
    faring('a/b', 'Restarts', 'Cut'),
    faring('a/c', 'Cut'),
    faring('a/d', 'Restarts'),
    faring('a/e'),
  ]);
  expect(counts).toEqual(
    new Map([
      ['Cut', 2],
      ['Restarts', 1],
    ]),
  );
});

it.each([
  ['outcome', ['a/z', 'b/m', 'b/a', 'c/none']],
  ['name', ['b/a', 'b/m', 'a/z', 'c/none']],
  ['namespace', ['a/z', 'b/m', 'b/a', 'c/none']],
] as const)('sorted by %s, those without forecast last', (by, order) => {
  const given = [
    faring('c/none'),
    faring('b/a', 'LiveMigrates'),
    faring('b/m', 'Untouched', 'Restarts'),
    faring('a/z', 'Cut'),
  ];
  expect(sortedExplanations(given, by).map(({ vm }) => vm)).toEqual(order);
});

it('besides tells each text once', () => {
  expect(besides([anExplanation(), anExplanation('a/b')], ({ missing }) => missing)).toEqual([
    'Node: none in the input',
  ]);
});

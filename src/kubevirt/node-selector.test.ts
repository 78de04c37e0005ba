import { describe, expect, it } from 'vitest';
import { aNode } from './builders.ts';
import { matchesMap, matchesNodeTerms, meets } from './node-selector.ts';
import type { NodeSelectorTerm } from './objects.ts';

describe('a requirement', () => {
  it.each`
    operator          | values        | value        | holds    | why
    ${'In'}           | ${['a', 'b']} | ${'b'}       | ${true}  | ${'listed'}
    ${'In'}           | ${['a', 'b']} | ${'c'}       | ${false} | ${'not listed'}
    ${'In'}           | ${['a']}      | ${undefined} | ${false} | ${'absent'}
    ${'In'}           | ${undefined}  | ${'a'}       | ${false} | ${'nothing listed'}
    ${'NotIn'}        | ${['a']}      | ${'a'}       | ${false} | ${'listed'}
    ${'NotIn'}        | ${['a']}      | ${'b'}       | ${true}  | ${'not listed'}
    ${'NotIn'}        | ${['a']}      | ${undefined} | ${true}  | ${'absent'}
    ${'Exists'}       | ${undefined}  | ${''}        | ${true}  | ${'present, though empty'}
    ${'Exists'}       | ${undefined}  | ${undefined} | ${false} | ${'absent'}
    ${'DoesNotExist'} | ${undefined}  | ${undefined} | ${true}  | ${'absent'}
    ${'DoesNotExist'} | ${undefined}  | ${''}        | ${false} | ${'present'}
    ${'Gt'}           | ${['4']}      | ${'5'}       | ${true}  | ${'above'}
    ${'Gt'}           | ${['4']}      | ${'4'}       | ${false} | ${'equal'}
    ${'Gt'}           | ${['4']}      | ${'10'}      | ${true}  | ${'compared as numbers, not as text'}
    ${'Gt'}           | ${['4']}      | ${undefined} | ${false} | ${'absent'}
    ${'Gt'}           | ${['4']}      | ${'many'}    | ${false} | ${'not a number'}
    ${'Gt'}           | ${['x']}      | ${'5'}       | ${false} | ${'bound is not a number'}
    ${'Gt'}           | ${['1', '2']} | ${'5'}       | ${false} | ${'two bounds'}
    ${'Gt'}           | ${undefined}  | ${'5'}       | ${false} | ${'no bound'}
    ${'Gt'}           | ${['-2']}     | ${'-1'}      | ${true}  | ${'negative numbers'}
    ${'Gt'}           | ${['4']}      | ${'5.5'}     | ${false} | ${'a fraction is no whole number'}
    ${'Lt'}           | ${['4']}      | ${'3'}       | ${true}  | ${'below'}
    ${'Lt'}           | ${['4']}      | ${'4'}       | ${false} | ${'equal'}
    ${'Lt'}           | ${['10']}     | ${'4'}       | ${true}  | ${'compared as numbers'}
    ${'Lt'}           | ${['4']}      | ${undefined} | ${false} | ${'absent'}
    ${'Lt'}           | ${['4', '9']} | ${'3'}       | ${false} | ${'two bounds'}
    ${'Lt'}           | ${undefined}  | ${'3'}       | ${false} | ${'no bound'}
    ${'Near'}         | ${['a']}      | ${'a'}       | ${false} | ${'unknown operator'}
  `('$operator $values of $value: $holds ($why)', ({ operator, values, value, holds }) => {
    expect(meets({ key: 'k', operator, values }, value)).toBe(holds);
  });
});

describe('a map of labels', () => {
  it.each`
    map                   | labels                | matches
    ${undefined}          | ${undefined}          | ${true}
    ${{}}                 | ${{ a: '1' }}         | ${true}
    ${{ a: '1' }}         | ${{ a: '1', b: '2' }} | ${true}
    ${{ a: '1', b: '2' }} | ${{ a: '1' }}         | ${false}
    ${{ a: '1' }}         | ${{ a: '2' }}         | ${false}
    ${{ a: '1' }}         | ${undefined}          | ${false}
  `('$map against $labels: $matches', ({ map, labels, matches }) => {
    expect(matchesMap(map, labels)).toBe(matches);
  });
});

describe('node selector terms', () => {
  const node = aNode('n1').labelled('zone', 'z1').build();
  const zone = (value: string) => ({ key: 'zone', operator: 'In', values: [value] });
  const named = (value: string) => ({ key: 'metadata.name', operator: 'In', values: [value] });
  it.each<[string, NodeSelectorTerm[] | undefined, boolean]>([
    ['absent terms match no node', undefined, false],
    ['no terms match no node', [], false],
    ['an empty term matches no node', [{}], false],
    ['a term with empty lists matches no node', [{ matchExpressions: [], matchFields: [] }], false],
    ['the label fits', [{ matchExpressions: [zone('z1')] }], true],
    ['the label does not fit', [{ matchExpressions: [zone('z2')] }], false],
    ['every expression of a term must hold', [{ matchExpressions: [zone('z1'), zone('z2')] }], false],
    [
      'one of several terms is enough',
      [{ matchExpressions: [zone('z2')] }, { matchExpressions: [zone('z1')] }],
      true,
    ],
    ['the name fits', [{ matchFields: [named('n1')] }], true],
    ['the name does not fit', [{ matchFields: [named('n2')] }], false],
    ['label and name must both fit', [{ matchExpressions: [zone('z1')], matchFields: [named('n2')] }], false],
    [
      'no other field exists',
      [{ matchFields: [{ key: 'spec.providerID', operator: 'In', values: ['n1'] }] }],
      false,
    ],
  ])('%s', (_name, terms, matches) => {
    expect(matchesNodeTerms(terms, node)).toBe(matches);
  });
});

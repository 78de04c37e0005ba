import { describe, expect, it } from 'vitest';
import { anyTime, partingOf } from './align.ts';
import type { Step } from './course.ts';

/** `a@1 b@2` as steps; `-` is absence. */
function steps(text: string): Step[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [value = '', at] = word.split('@');
      return { at: Number(at), value: value === '-' ? undefined : value };
    });
}

const END = 100;

describe('two courses of a field', () => {
  it.each([
    ['the same', 'a@1 b@2 -@3', 'a@1 b@2 -@3'],
    ['a second early or late in the first ten seconds', 'a@3 b@5', 'a@2.1 b@6'],
    ['a tenth of the time late', 'a@50', 'a@54.9'],
    ['without a value that did not last', 'a@1 b@2 c@2.04', 'a@1 c@2'],
    ['with a value that did not last', 'a@1 b@2 c@2.04', 'a@1 b@2 c@2'],
    ['without a short absence', 'a@1 -@2 a@2.04', 'a@1'],
    ['cut before our last step', 'a@1', 'a@1 b@95'],
    ['cut before the last recorded step', 'a@1 b@95', 'a@1'],
    ['both empty', '', ''],
  ])('agree: %s', (_, real, ours) => {
    expect(partingOf(steps(real), steps(ours), END)).toBeUndefined();
  });

  it.each([
    ['a value that never came', 'a@1 b@2 c@3', 'a@1 c@3', { real: 'b', ours: 'c' }],
    ['a value that lasted 0.05 s', 'a@1 b@2 c@2.05', 'a@1 c@2', { real: 'b', ours: 'c' }],
    ['a value too many', 'a@1 c@3', 'a@1 b@2 c@3', { real: 'c', ours: 'b' }],
    ['a value too many, however short', 'a@1 c@3', 'a@1 b@2.99 c@3', { real: 'c', ours: 'b' }],
    ['another order', 'a@1 b@2', 'b@1 a@2', { real: 'a', ours: 'b' }],
    ['too late', 'a@2', 'a@3.1', { real: 'a', ours: 'a' }],
    ['more than a tenth late', 'a@50', 'a@55.1', { real: 'a', ours: 'a' }],
    ['an end too early', 'a@1 b@50', 'a@1', { real: 'b', ours: undefined }],
    ['nothing recorded', '', 'a@50', { real: undefined, ours: 'a' }],
  ])('part: %s', (_, real, ours, parting) => {
    const found = partingOf(steps(real), steps(ours), END);
    expect({ real: found?.real?.value, ours: found?.ours?.value }).toEqual(parting);
  });
});

describe('two courses at different speeds', () => {
  const never = Number.POSITIVE_INFINITY;

  it('agree when the order is the same', () => {
    expect(partingOf(steps('a@1 b@2 -@30'), steps('a@9 b@900 -@901'), never, anyTime)).toBeUndefined();
  });

  it.each([
    ['in another order', 'a@1 b@2', 'b@1 a@2'],
    ['with a step missing at the end', 'a@1 b@2', 'a@1'],
    ['with a step too many at the end', 'a@1', 'a@1 b@2'],
  ])('part: %s', (_, real, ours) => {
    expect(partingOf(steps(real), steps(ours), never, anyTime)).toBeDefined();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, isSameQuantity, parseQuantity } from './quantity.ts';

describe('parseQuantity', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['-1.5', -1.5],
    ['+2', 2],
    ['.5', 0.5],
    ['1.', 1],
    ['500m', 0.5],
    ['3n', 3e-9],
    ['3u', 3e-6],
    ['1k', 1e3],
    ['1M', 1e6],
    ['2G', 2e9],
    ['1T', 1e12],
    ['1P', 1e15],
    ['1E', 1e18],
    ['1Ki', 1024],
    ['1Mi', 2 ** 20],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['1Ti', 2 ** 40],
    ['1Pi', 2 ** 50],
    ['1Ei', 2 ** 60],
    ['1e3', 1000],
    ['1E-2', 0.01],
    [7, 7],
  ])('%s is %d', (quantity, value) => {
    expect(parseQuantity(quantity)).toBeCloseTo(value, 10);
  });

  it.each(['', 'many', '1 Gi', '1gi', '1K', 'Gi', '1e', '1.2.3', '1e3Gi', '0x1'])(
    '"%s" is no quantity',
    (text) => {
      expect(parseQuantity(text)).toBeUndefined();
    },
  );

  it('nothing is nothing', () => {
    expect(parseQuantity(undefined)).toBeUndefined();
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [1023, '1023'],
    [1024, '1Ki'],
    [1025, '1025'],
    [1536, '1536'],
    [281018368, '268Mi'],
    [2 ** 30, '1Gi'],
    [3 * 2 ** 40, '3Ti'],
    [2 ** 50, '1Pi'],
    [2 ** 60, '1Ei'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('reads back as it was', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (bytes) => parseQuantity(formatBytes(bytes)) === bytes));
  });
});

describe('two quantities', () => {
  it.each([
    ['1Gi', '1024Mi', true],
    ['500m', 0.5, true],
    ['1Gi', '1G', false],
    ['1Gi', undefined, false],
    [undefined, undefined, true],
  ])('%s and %s: of one value %s', (a, b, same) => {
    expect(isSameQuantity(a, b)).toBe(same);
  });
});

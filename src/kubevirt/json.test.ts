import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameBut, isSameJson, objectAt, objectsAt } from './json.ts';

describe('objectAt and objectsAt', () => {
  it('give the object, or the objects, under a key', () => {
    expect(objectAt({ a: { b: 1 } }, 'a')).toEqual({ b: 1 });
    expect(objectsAt({ a: [{ b: 1 }, { c: 2 }] }, 'a')).toEqual([{ b: 1 }, { c: 2 }]);
  });

  it.each([undefined, null, 'text', 1, [1]])('give an empty object for %j', (value) => {
    expect(objectAt({ a: value }, 'a')).toEqual({});
  });

  it('leave out what is no object', () => {
    expect(objectsAt({ a: [{ b: 1 }, 2, null, 'x', [3]] }, 'a')).toEqual([{ b: 1 }]);
    expect(objectsAt({ a: { b: 1 } }, 'a')).toEqual([]);
    expect(objectsAt({}, 'a')).toEqual([]);
  });
});

describe('isSameJson', () => {
  it.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[], {}, false],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, true],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, false],
    ['1', 1, false],
    [undefined, undefined, true],
    [null, undefined, false],
  ])('%j and %j: %s', (a, b, same) => {
    expect(isSameJson(a, b)).toBe(same);
  });

  it('holds for every value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: true }), (value) =>
        isSameJson(value, structuredClone(value)),
      ),
    );
  });
});

describe('isSameBut', () => {
  const except = new Set(['version']);
  const part = {};

  it.each([
    [{ part, version: 1 }, { part, version: 2 }, true],
    [{ part }, { part, version: 2 }, true],
    [{ part, other: undefined }, { part }, true],
    [{ part }, { part: {} }, false],
    [{ part }, { part, more: 1 }, false],
    [{ part, more: 1 }, { part }, false],
    [undefined, { version: 1 }, true],
    [undefined, { part }, false],
  ])('%j and %j: %s', (a, b, same) => {
    expect(isSameBut(except, a, b)).toBe(same);
  });
});

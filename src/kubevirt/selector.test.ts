import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LabelSelector } from './objects.ts';
import { matchesSelector, parseSelector, SelectorSyntaxError } from './selector.ts';

const WEB = { app: 'web', tier: 'front' };

describe('matchesSelector', () => {
  it.each<[string, LabelSelector | undefined, boolean]>([
    ['no selector', undefined, false],
    ['an empty selector', {}, true],
    ['a label that is there', { matchLabels: { app: 'web' } }, true],
    ['all of several labels', { matchLabels: { app: 'web', tier: 'front' } }, true],
    ['one of several labels wrong', { matchLabels: { app: 'web', tier: 'back' } }, false],
    ['a label that is missing', { matchLabels: { zone: '' } }, false],
    [
      'In with the value',
      { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] },
      true,
    ],
    ['In with other values', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db'] }] }, false],
    ['In without the label', { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
    [
      'NotIn with the value',
      { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] },
      false,
    ],
    [
      'NotIn with other values',
      { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] },
      true,
    ],
    [
      'NotIn without the label',
      { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] },
      true,
    ],
    ['Exists', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
    ['Exists without the label', { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, false],
    ['DoesNotExist', { matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, true],
    ['DoesNotExist with it', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
    [
      'labels and expressions together',
      { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['back'] }] },
      false,
    ],
    [
      'one of two expressions wrong',
      {
        matchExpressions: [
          { key: 'app', operator: 'Exists' },
          { key: 'tier', operator: 'DoesNotExist' },
        ],
      },
      false,
    ],
    ['an unknown operator', { matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] }, false],
    ['In without values', { matchExpressions: [{ key: 'app', operator: 'In' }] }, false],
    ['NotIn without values', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [] }] }, false],
    [
      'Exists with values',
      { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['web'] }] },
      false,
    ],
  ])('%s', (_name, selector, expected) => {
    expect(matchesSelector(selector, WEB)).toBe(expected);
  });

  it('takes an object without labels as one with none', () => {
    expect(matchesSelector({}, undefined)).toBe(true);
    expect(matchesSelector({ matchLabels: { app: 'web' } }, undefined)).toBe(false);
    expect(matchesSelector(parseSelector('!app'), undefined)).toBe(true);
  });
});

it('knows a label by its own key only', () => {
  expect(matchesSelector(parseSelector('constructor'), WEB)).toBe(false);
  expect(matchesSelector(parseSelector('constructor'), { constructor: 'x' })).toBe(true);
});

describe('parseSelector', () => {
  it.each<[string, LabelSelector]>([
    ['', {}],
    ['  ', {}],
    ['a=b', { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
    ['a==b', { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
    [' a = b ', { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
    ['a=', { matchExpressions: [{ key: 'a', operator: 'In', values: [''] }] }],
    ['a!=b', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }],
    ['a != b', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }],
    ['a', { matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
    ['!a', { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }],
    ['! a', { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }],
    ['a in (x)', { matchExpressions: [{ key: 'a', operator: 'In', values: ['x'] }] }],
    ['a in(x, y)', { matchExpressions: [{ key: 'a', operator: 'In', values: ['x', 'y'] }] }],
    ['a notin (x,y)', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x', 'y'] }] }],
    ['a in ()', { matchExpressions: [{ key: 'a', operator: 'In', values: [''] }] }],
    ['in=notin', { matchExpressions: [{ key: 'in', operator: 'In', values: ['notin'] }] }],
    [
      'example.org/a_b.c-d=1',
      { matchExpressions: [{ key: 'example.org/a_b.c-d', operator: 'In', values: ['1'] }] },
    ],
    [
      `${'k'.repeat(63)}=${'v'.repeat(63)}`,
      { matchExpressions: [{ key: 'k'.repeat(63), operator: 'In', values: ['v'.repeat(63)] }] },
    ],
    [
      'a=b,c!=d,e in (x,y),f notin (z),g,!h',
      {
        matchExpressions: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'c', operator: 'NotIn', values: ['d'] },
          { key: 'e', operator: 'In', values: ['x', 'y'] },
          { key: 'f', operator: 'NotIn', values: ['z'] },
          { key: 'g', operator: 'Exists' },
          { key: 'h', operator: 'DoesNotExist' },
        ],
      },
    ],
  ])('reads "%s"', (text, expected) => {
    expect(parseSelector(text)).toEqual(expected);
  });

  const FORMS = 'a requirement is one of key=value, key!=value, key in (a,b), key notin (a,b), key or !key';
  const KEY =
    'cannot be a label key; it needs a name of at most 63 letters, digits, "-", "_" or ".", with an optional DNS prefix and "/"';
  const VALUE =
    'cannot be a label value; it may have at most 63 letters, digits, "-", "_" or "." and begins and ends with a letter or digit';

  it.each([
    ['a=b,', `cannot read ""; ${FORMS}`],
    [',', `cannot read ""; ${FORMS}`],
    ['a b', `cannot read "a b"; ${FORMS}`],
    ['a===b', `cannot read "a===b"; ${FORMS}`],
    ['a=b=c', `cannot read "a=b=c"; ${FORMS}`],
    ['=b', `cannot read "=b"; ${FORMS}`],
    ['!=b', `cannot read "!=b"; ${FORMS}`],
    ['!!a', `cannot read "!!a"; ${FORMS}`],
    ['!a=b', `cannot read "!a=b"; ${FORMS}`],
    ['a in x', `cannot read "a in x"; ${FORMS}`],
    ['a in (x', `cannot read "a in (x"; ${FORMS}`],
    ['a in (x) y', `cannot read "a in (x) y"; ${FORMS}`],
    ['a inn (x)', `cannot read "a inn (x)"; ${FORMS}`],
    ['x a in (x)', `cannot read "x a in (x)"; ${FORMS}`],
    ['x a=b', `cannot read "x a=b"; ${FORMS}`],
    ['x a!=b', `cannot read "x a!=b"; ${FORMS}`],
    ['a!=b c', `cannot read "a!=b c"; ${FORMS}`],
    ['-a=b', `"-a" ${KEY}`],
    ['a-', `"a-" ${KEY}`],
    ['x/y/z', `"x/y/z" ${KEY}`],
    ['Upper.Case/a', `"Upper.Case/a" ${KEY}`],
    ['/a', `"/a" ${KEY}`],
    ['a/', `"a/" ${KEY}`],
    [`${'p'.repeat(254)}/a`, `"${'p'.repeat(254)}/a" ${KEY}`],
    ['k'.repeat(64), `"${'k'.repeat(64)}" ${KEY}`],
    ['a=-b', `"-b" ${VALUE}`],
    ['a in (x,y z)', `"y z" ${VALUE}`],
    [`a=${'v'.repeat(64)}`, `"${'v'.repeat(64)}" ${VALUE}`],
  ])('refuses "%s"', (text, why) => {
    const refused = () => parseSelector(text);
    expect(refused).toThrow(SelectorSyntaxError);
    expect(refused).toThrow(`label selector "${text}": ${why}`);
  });

  it('names its errors', () => {
    expect(new SelectorSyntaxError('x').name).toBe('SelectorSyntaxError');
  });

  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  it('reads back what it was written from, and = and != are opposites', () => {
    fc.assert(
      fc.property(word, word, word, (key, value, other) => {
        const labels = { [key]: other };
        expect(matchesSelector(parseSelector(`${key}=${value}`), labels)).toBe(value === other);
        expect(matchesSelector(parseSelector(`${key}!=${value}`), labels)).toBe(value !== other);
        expect(matchesSelector(parseSelector(`${key} in (${value},${other})`), labels)).toBe(true);
        expect(matchesSelector(parseSelector(`${key} notin (${value},${other})`), labels)).toBe(false);
      }),
    );
  });
});

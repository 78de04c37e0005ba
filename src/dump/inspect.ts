import { formatPath } from '../kubevirt/projection.ts';
import type { DumpErrorCode } from './errors.ts';
import { LIMITS } from './limits.ts';

/** What no real object has: a fault by code, the field, and what is wrong with it. */
export interface Oddity {
  readonly code: DumpErrorCode;
  readonly problem: string;
}

/**
 * Whether an object's text may hold an oddity at all, so that `findOddity` has to look. Nearly no object's does.
 * The escape of `_` counts, since keys may be written with escapes.
 */
export function isSuspect(text: Buffer): boolean {
  return text.length > LIMITS.textChars || MARKS.some((mark) => text.includes(mark));
}

const MARKS = ['__proto__', 'constructor', '\\u005', '\\x5', '\\U0000005'].map((mark) => Buffer.from(mark));

/**
 * The first key that would reach a prototype (`__proto__`, or `constructor` with a `prototype` in it; a label that is
 * merely called `constructor` is fine), the first enormous text, or the point at which aliases have multiplied the
 * values beyond measure.
 */
export function findOddity(value: unknown): Oddity | undefined {
  return new Inspection().look(value, []);
}

class Inspection {
  #values = 0;

  look(value: unknown, path: readonly PropertyKey[]): Oddity | undefined {
    if (++this.#values > LIMITS.values)
      return odd('DumpTooLarge', [], `expands to more than ${LIMITS.values} values`);
    if (path.length > LIMITS.nesting)
      return odd('DumpTooLarge', [], `is nested deeper than ${LIMITS.nesting} levels`);
    if (typeof value === 'string') return value.length > LIMITS.textChars ? tooLong(value, path) : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      const found = this.#member(key, member, [...path, Array.isArray(value) ? Number(key) : key]);
      if (found) return found;
    }
    return undefined;
  }

  #member(key: string, member: unknown, path: readonly PropertyKey[]): Oddity | undefined {
    if (key === '__proto__' || (key === 'constructor' && hasPrototype(member))) {
      return odd('DumpUnsafeKey', path, 'the key would change the prototype of JavaScript objects');
    }
    return this.look(member, path);
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

function tooLong(text: string, path: readonly PropertyKey[]): Oddity {
  return odd(
    'DumpTooLarge',
    path,
    `a text of ${text.length} characters, more than any object of Kubernetes holds`,
  );
}

function odd(code: DumpErrorCode, path: readonly PropertyKey[], problem: string): Oddity {
  return { code, problem: path.length === 0 ? problem : `${formatPath(path)}: ${problem}` };
}

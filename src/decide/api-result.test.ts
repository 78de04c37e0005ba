import { describe, expect, it } from 'vitest';
import { isNotFound, isTooManyRequests } from './api-result.ts';

const failure = (code?: number, reason?: string) => ({ ok: false, message: 'no', code, reason }) as const;

describe('a failure', () => {
  it.each([
    [404, 'NotFound', true],
    [404, undefined, true],
    [404, '', true],
    [500, 'NotFound', true],
    [404, 'InternalError', false],
    [500, undefined, false],
    [undefined, undefined, false],
  ])('of code %s and reason %s means "not found": %s', (code, reason, expected) => {
    expect(isNotFound(failure(code, reason))).toBe(expected);
  });

  it.each([
    [429, undefined, true],
    [500, 'TooManyRequests', false],
    [undefined, undefined, false],
  ])('of code %s and reason %s means "too many requests": %s', (code, reason, expected) => {
    expect(isTooManyRequests(failure(code, reason))).toBe(expected);
  });
});

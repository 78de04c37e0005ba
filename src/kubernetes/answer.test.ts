import { describe, expect, it } from 'vitest';
import { failureOf, failureOfStatus, isExpired } from './answer.ts';

const STATUS = { kind: 'Status', message: 'm', reason: 'R', code: 409 };

describe('the failure that an answer means', () => {
  it.each([
    [
      'a Status',
      JSON.stringify(STATUS),
      undefined,
      { message: 'm', reason: 'R', retryAfterSeconds: undefined },
    ],
    [
      'a Status that asks to wait',
      JSON.stringify({ ...STATUS, details: { retryAfterSeconds: 3 } }),
      '9',
      { message: 'm', retryAfterSeconds: 3 },
    ],
    ['a text', ' out of order\n', '7', { message: 'out of order', reason: undefined, retryAfterSeconds: 7 }],
    ['a long text', 'x'.repeat(1000), '', { message: 'x'.repeat(300), retryAfterSeconds: undefined }],
    ['nothing', '', undefined, { message: 'the server answered 503' }],
    ['a Status without words', '{"kind":"Status"}', undefined, { message: '{"kind":"Status"}' }],
    ['another object', '{"kind":"Pod"}', undefined, { message: '{"kind":"Pod"}' }],
    ['a date to wait for', 'x', 'Mon, 01 Jan 2029', { retryAfterSeconds: undefined }],
  ])('of %s', (_, body, retryAfter, failure) => {
    expect(failureOf(503, body, retryAfter)).toMatchObject({ ok: false, code: 503, ...failure });
  });

  it('of an object in a watch', () => {
    expect(failureOfStatus(STATUS)).toEqual({
      ok: false,
      message: 'm',
      reason: 'R',
      code: 409,
      retryAfterSeconds: undefined,
    });
    expect(failureOfStatus({ kind: 'Pod' })).toBeUndefined();
  });
});

it.each([
  [{ code: 410 }, true],
  [{ reason: 'Expired' }, true],
  [{ reason: 'Gone' }, true],
  [{ code: 409 }, false],
  [{}, false],
])('%j is too old: %s', (failure, expired) => {
  expect(isExpired({ ok: false, message: '', ...failure })).toBe(expired);
});

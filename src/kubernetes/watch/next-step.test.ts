import { expect, it } from 'vitest';
import type { CallFailure } from '../answer.ts';
import { nextStep } from './next-step.ts';
import type { WatchEnd } from './watch-once.ts';

const refused = (failure: Partial<CallFailure>): WatchEnd => ({
  end: 'refused',
  failure: { ok: false, message: '', ...failure },
});
const stalled = { end: 'stalled', message: '' } as const;
const broken = { end: 'broken', message: 'reset' } as const;

it.each<[string, WatchEnd, boolean, number, object]>([
  [
    'closed after it was of use',
    { end: 'closed' },
    true,
    0,
    { step: 'watch', wait: false, reason: 'Closed' },
  ],
  ['closed at once', { end: 'closed' }, false, 0, { step: 'watch', wait: true, reason: 'Closed' }],
  ['broken', broken, true, 0, { step: 'watch', wait: true, reason: 'Broken' }],
  ['broken for ever', broken, false, 1000, { step: 'watch', wait: true, reason: 'Broken' }],
  ['silent', stalled, true, 0, { step: 'watch', wait: false, reason: 'Stalled' }],
  ['silent from its beginning', stalled, false, 0, { step: 'watch', wait: false, reason: 'Stalled' }],
  ['silent as the one before', stalled, false, 1, { step: 'list', wait: false, reason: 'Silent' }],
  ['silent after an event', stalled, true, 1, { step: 'watch', wait: false, reason: 'Stalled' }],
  ['rubbish', { end: 'bad', message: '' }, true, 0, { step: 'list', wait: true, reason: 'BadLine' }],
  ['too old, by code', refused({ code: 410 }), true, 0, { step: 'list', wait: false, reason: 'Expired' }],
  [
    'too old, by reason',
    refused({ reason: 'Expired' }),
    true,
    0,
    { step: 'list', wait: false, reason: 'Expired' },
  ],
  ['gone', refused({ reason: 'Gone' }), true, 0, { step: 'list', wait: false, reason: 'Expired' }],
  [
    'too many requests',
    refused({ code: 429, retryAfterSeconds: 7 }),
    false,
    4,
    { step: 'watch', wait: true, retryAfterSeconds: 7, reason: 'Busy' },
  ],
  ['an error of the server', refused({ code: 500 }), false, 0, { step: 'watch', wait: true, reason: 'Busy' }],
  ['errors without end', refused({ code: 504 }), false, 5, { step: 'list', wait: true, reason: 'Refused' }],
  ['not allowed', refused({ code: 403 }), false, 0, { step: 'list', wait: true, reason: 'Refused' }],
  [
    'no such kind any more',
    refused({ code: 404 }),
    false,
    0,
    { step: 'list', wait: true, reason: 'Refused' },
  ],
  ['a refusal without code', refused({}), false, 0, { step: 'list', wait: true, reason: 'Refused' }],
])('after a watch that was %s', (_, ended, fruitful, fruitless, step) => {
  expect(nextStep(ended, fruitful, fruitless)).toMatchObject(step);
});

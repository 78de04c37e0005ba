import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDurationSeconds } from './time.ts';

describe('a duration as Go prints it', () => {
  it.each`
    seconds   | text
    ${0}      | ${'0s'}
    ${0.2}    | ${'200ms'}
    ${0.0001} | ${'0s'}
    ${0.9999} | ${'1s'}
    ${1}      | ${'1s'}
    ${1.5}    | ${'1.5s'}
    ${45}     | ${'45s'}
    ${59.9}   | ${'59.9s'}
    ${60}     | ${'1m0s'}
    ${100}    | ${'1m40s'}
    ${300}    | ${'5m0s'}
    ${3599}   | ${'59m59s'}
    ${3600}   | ${'1h0m0s'}
    ${93784}  | ${'26h3m4s'}
    ${-90}    | ${'-1m30s'}
  `('$seconds s is $text', ({ seconds, text }) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it('reads back as what it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (milliseconds) => {
        expect(parseDurationSeconds(formatDuration(milliseconds / 1000))).toBeCloseTo(milliseconds / 1000, 6);
      }),
    );
  });
});

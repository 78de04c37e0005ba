import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../kubevirt/time.ts';
import { isApproved, isGlassBroken } from './consent.ts';

const now = parseInstant('2026-10-03T12:00:00Z') ?? Number.NaN;

describe('an approval', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['true', true],
    ['True', false],
    ['yes', false],
    ['false', false],
    ['2026-10-03T12:00:01Z', true],
    ['2026-10-03T14:00:01+02:00', true],
    ['2026-10-03T12:00:00Z', false],
    ['2026-10-03T11:59:59Z', false],
    ['2026-13-45T99:00:00Z', false],
    ['until 2099-01-01T00:00:00Z', false],
    ['2099', false],
  ])('%s: %s', (value, approved) => {
    expect(isApproved(value, now)).toBe(approved);
  });
});

describe('broken glass', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['false', false],
    ['true', true],
    ['INC-1234', true],
    ['1', true],
    ['on fire since 2026-01-01T00:00:00Z', true],
    ['2026-10-03T12:00:01Z', true],
    ['2026-10-03T12:00:00Z', false],
    ['2026-01-01T00:00:00Z', false],
  ])('%s: %s', (value, broken) => {
    expect(isGlassBroken(value, now)).toBe(broken);
  });
});

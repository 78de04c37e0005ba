import { describe, expect, it } from 'vitest';
import { heldSpec, type LeaseRecord, mayTake, readLease, releasedSpec } from './lease-record.ts';

const record: LeaseRecord = {
  resourceVersion: '7',
  holder: 'a',
  durationSeconds: 15,
  acquiredAt: '2026-03-01T12:00:00.000000Z',
  renewedAt: '2026-03-01T12:01:00.000000Z',
  transitions: 2,
  annotations: {},
};
const AT = Date.parse('2026-03-01T12:05:00.250Z');

describe('who may take a lease', () => {
  it.each([
    ['free', { holder: '' }, 'b', 0, true],
    ['one’s own', {}, 'a', 0, true],
    ['another’s, just seen', {}, 'b', 0, false],
    ['another’s, just before its end', {}, 'b', 14_999, false],
    ['another’s, at its end', {}, 'b', 15_000, true],
    ['another’s of no duration', { durationSeconds: 0 }, 'b', 0, true],
  ])('%s: %j for %s after %i ms: %s', (_, change, me, waitedMs, may) => {
    expect(mayTake({ ...record, ...change }, me, 1_000, 1_000 + waitedMs)).toBe(may);
  });
});

describe('what is written', () => {
  it('when it is new', () => {
    expect(heldSpec(undefined, 'b', 15, AT)).toEqual({
      holderIdentity: 'b',
      leaseDurationSeconds: 15,
      acquireTime: '2026-03-01T12:05:00.250000Z',
      renewTime: '2026-03-01T12:05:00.250000Z',
      leaseTransitions: 0,
    });
  });

  it('when it is renewed: the time of taking stays', () => {
    expect(heldSpec(record, 'a', 15, AT)).toMatchObject({
      acquireTime: record.acquiredAt,
      renewTime: '2026-03-01T12:05:00.250000Z',
      leaseTransitions: 2,
    });
  });

  it('when it changes hands: that is counted', () => {
    expect(heldSpec(record, 'b', 15, AT)).toMatchObject({
      acquireTime: '2026-03-01T12:05:00.250000Z',
      leaseTransitions: 3,
    });
  });

  it('when it is given up: nobody has it, and nobody waits long', () => {
    expect(releasedSpec(record, AT)).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: '2026-03-01T12:05:00.250000Z',
      renewTime: '2026-03-01T12:05:00.250000Z',
      leaseTransitions: 2,
    });
  });
});

describe('what is read', () => {
  it('of a lease in use', () => {
    const metadata = { resourceVersion: '7', annotations: { a: 'b' } };
    const spec = {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: record.acquiredAt,
      renewTime: record.renewedAt,
      leaseTransitions: 2,
    };
    expect(readLease({ metadata, spec })).toEqual({ ...record, annotations: { a: 'b' } });
  });

  it.each([{}, { spec: null }, { spec: { holderIdentity: null } }])('of one that nobody has: %j', (rest) => {
    expect(readLease({ metadata: { resourceVersion: '1' }, ...rest })).toEqual({
      resourceVersion: '1',
      holder: '',
      durationSeconds: 0,
      acquiredAt: undefined,
      renewedAt: undefined,
      transitions: 0,
      annotations: {},
    });
  });

  it('of something else: nothing', () => {
    expect(() => readLease({ metadata: {} })).toThrow();
  });
});

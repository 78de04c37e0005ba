import { describe, expect, it } from 'vitest';
import { failureIn, foundIn, isMissing, type Lookup, lookupEvidence } from './lookup.ts';

const POD = { metadata: { name: 'p' } };
type PodLookup = Lookup<typeof POD>;

describe('a lookup', () => {
  it.each<[string, PodLookup, typeof POD | undefined, boolean, string | undefined, unknown]>([
    ['found', { found: POD }, POD, false, undefined, 'p'],
    [
      'missing',
      { missing: true, message: 'pods "p" not found' },
      undefined,
      true,
      'pods "p" not found',
      undefined,
    ],
    ['failed', { error: 'timed out' }, undefined, false, 'timed out', 'timed out'],
    ['failed without a text', { error: '' }, undefined, false, '', ''],
  ])('%s', (_name, lookup, found, missing, failure, value) => {
    expect(foundIn(lookup)).toBe(found);
    expect(isMissing(lookup)).toBe(missing);
    expect(failureIn(lookup)).toBe(failure);
    expect(lookupEvidence('Pod shop/p', lookup)).toEqual({
      object: 'Pod shop/p',
      path: 'metadata.name',
      value,
    });
  });
});

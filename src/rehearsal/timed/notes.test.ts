import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../forecast/forecast.ts';
import { untimedNote } from './notes.ts';

const told = (name: string, outcome: Outcome, start?: number) => ({
  namespace: 'shop',
  name,
  outcome,
  start: start === undefined ? undefined : { p50: start, p90: start },
});
const played = new Map([['shop/a', { outcome: 'NeverCompletes' as const }]]);

describe('a VM that moves by its verdict, and did not when it was played', () => {
  it('is told, with how it came out', () => {
    expect(untimedNote([told('a', 'LiveMigrates'), told('b', 'Restarts', 3)], played)).toEqual([
      'No times for 1 VM: shop/a (LiveMigrates). Played, it came out otherwise: NeverCompletes. One of the two is wrong; please report it with the input.',
    ]);
    expect(untimedNote([told('c', 'Restarts')], played)[0]).toContain('it came out otherwise: Untouched.');
  });

  it('is none where all have times, or stay where they are', () => {
    expect(untimedNote([told('a', 'LiveMigrates', 3), told('b', 'Blocks')], played)).toEqual([]);
  });
});

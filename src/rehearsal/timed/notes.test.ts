import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../forecast/forecast.ts';
import { timeNotes, untimedNote } from './notes.ts';

const told = (name: string, outcome: Outcome, start?: number) => ({
  namespace: 'shop',
  name,
  outcome,
  start: start === undefined ? undefined : { p50: start, p90: start },
});
const played = new Map([['shop/a', { outcome: 'NeverCompletes' as const }]]);

describe('a VM that moves by its verdict, and did not when it was played', () => {
  it('is told, with how it came out', () => {
    expect(untimedNote([told('a', 'LiveMigrates'), told('b', 'Restarts', 3)], played, 0)).toEqual([
      'No times for 1 VM: shop/a (LiveMigrates). Played, it came out otherwise: NeverCompletes. One of the two is wrong; please report it with the input.',
    ]);
    expect(untimedNote([told('c', 'Restarts')], played, 0)[0]).toContain('it came out otherwise: Untouched.');
  });

  it('is no fault of anybody beside a roll-out', () => {
    const [note] = untimedNote([told('a', 'LiveMigrates')], played, 3);
    expect(note).toMatch(
      /otherwise: NeverCompletes\. The roll-out that is under way may have met them first\.$/,
    );
  });

  it('is none where all have times, or stay where they are', () => {
    expect(untimedNote([told('a', 'LiveMigrates', 3), told('b', 'Blocks')], played, 0)).toEqual([]);
  });
});

describe('how long it takes', () => {
  const none = { p50: 0, p90: 0 };
  const bottleneck = { reason: 'OutboundSlots', message: '3 moves out of n1, 2 at once', seconds: 60 };

  it('is no time where nobody whom it is about moves, whatever holds others up', () => {
    const whatIf = [{ settings: 'batchEvictionSize=20', total: none, leftBehind: 0 }];
    expect(timeNotes({ runs: 1, total: none, bottleneck, whatIf }, false)).toEqual([
      'No VM moves or is shut down, so that it takes no time.',
      'With batchEvictionSize=20 it takes no time either.',
    ]);
  });

  it('is what it would take where a deadline comes before', () => {
    const [first] = timeNotes({ runs: 1, total: { p50: 91, p90: 91 }, bottleneck, whatIf: [] }, true);
    expect(first).toMatch(/^It would take 1m31s until /);
  });
});

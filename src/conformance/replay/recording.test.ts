import { describe, expect, it } from 'vitest';
import { courseOf, type RecordedChange } from './recording.ts';

/** 2026-11-29T13:00:00Z in nanoseconds, and so many milliseconds later. */
const hex = (milliseconds: number): string =>
  (1_795_957_200_000_000_000n + BigInt(milliseconds) * 1_000_000n).toString(16);

const event = (t: number, suffix: string, reason: string, change: RecordedChange['change'] = 'added') => ({
  ...{ t, change, kind: 'Event', name: `db.${suffix}` },
  state: { object: 'VirtualMachineInstance/db', reason, message: '' },
});

function told(...changes: readonly RecordedChange[]): string[] {
  const course = courseOf({ name: 'shop', timeline: [], before: [], end: 99, changes });
  const { events = [] } = course.objects.get('VirtualMachineInstance/db') ?? {};
  return events.map(({ at, text }) => `${text}@${at.toFixed(1)}`);
}

describe('events of a recording', () => {
  it('come in the order in which they were told, not in that in which they were written', () => {
    expect(told(event(10, hex(9900), 'Created'), event(10.4, hex(9500), 'Refused'))).toEqual([
      'Refused: @9.6',
      'Created: @10.0',
    ]);
  });

  it('keep the time at which they came where their names tell none, and where they are counted up', () => {
    expect(
      told(
        event(1, hex(1000), 'A'),
        event(2, '12', 'B'),
        event(3, hex(1000), 'C', 'modified'),
        event(4, hex(2500), 'D'),
      ),
    ).toEqual(['A: @1.0', 'B: @2.0', 'D: @2.5', 'C: @3.0']);
  });
});

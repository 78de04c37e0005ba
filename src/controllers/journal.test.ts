import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { Journal, type JournalEntry, journalLine } from './journal.ts';

const object = 'VirtualMachineInstance shop/db';
const evidence = [{ object, path: 'status.phase', value: 'Running' }];

function journal() {
  const clock = new VirtualClock(Date.UTC(2026, 2, 1, 12));
  const entries: JournalEntry[] = [];
  return { clock, entries, journal: new Journal('test', clock, (entry) => entries.push(entry)) };
}

describe('a journal', () => {
  it('tells a deed each time, with its time and who decided', async () => {
    const { clock, entries, journal: told } = journal();
    told.tell({ object, decision: 'evict', reason: 'EvictionRefused', evidence, message: 'no' });
    await clock.advance(5);
    told.tell({ object, decision: 'evict', reason: 'EvictionRefused', evidence });
    const entry = { controller: 'test', object, decision: 'evict', reason: 'EvictionRefused', evidence };
    expect(entries).toEqual([
      { at: Date.UTC(2026, 2, 1, 12), ...entry, message: 'no' },
      { at: Date.UTC(2026, 2, 1, 12, 0, 5), ...entry },
    ]);
  });

  it('tells what stands when it changes, and looks for evidence only then', () => {
    const { entries, journal: told } = journal();
    let looks = 0;
    const stand = (decision: string, reason: string) =>
      told.tellStanding(object, decision, reason, () => {
        looks++;
        return evidence;
      });
    stand('category', 'MethodEvict');
    stand('category', 'MethodEvict');
    stand('gate', 'GateOpen');
    stand('category', 'Migrating');
    stand('category', 'MethodEvict');
    expect(entries.map(({ decision, reason }) => `${decision} ${reason}`)).toEqual([
      'category MethodEvict',
      'gate GateOpen',
      'category Migrating',
      'category MethodEvict',
    ]);
    expect(looks).toBe(4);
  });

  it('tells anew of an object that was forgotten', () => {
    const { entries, journal: told } = journal();
    told.tellStanding(object, 'category', 'MethodEvict', () => evidence);
    told.forget(object, 'category');
    told.tellStanding(object, 'category', 'MethodEvict', () => evidence);
    expect(entries).toHaveLength(2);
  });

  it('costs nothing without a sink', () => {
    const told = new Journal('test', new VirtualClock(), undefined);
    expect(told.isOn).toBe(false);
    told.tell({ object, decision: 'evict', reason: 'R', evidence });
    told.tellStanding(object, 'gate', 'GateOpen', () => {
      throw new Error('looked');
    });
    expect(journal().journal.isOn).toBe(true);
  });
});

it('a line is JSON, with what was absent as null', () => {
  const absent = [{ object, path: 'status.phase', value: undefined }];
  const at = Date.UTC(2026, 2, 1, 12);
  const line = journalLine({
    at,
    controller: 'test',
    object,
    decision: 'gate',
    reason: 'R',
    evidence: absent,
  });
  expect(line).toBe(
    `{"at":"2026-03-01T12:00:00Z","controller":"test","object":"${object}","decision":"gate","reason":"R","evidence":[{"object":"${object}","path":"status.phase","value":null}]}`,
  );
});

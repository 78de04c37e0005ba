import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../../kubevirt/builders.ts';
import { VirtualClock } from '../../virtual-clock.ts';
import { StopNotes } from './stop-notes.ts';

/** 2026-03-01T12:00:00.700Z. */
const NOW = 1_772_366_400_700;

const vmi = aVmi().on('n1').build();
const pod = (at: string, grace: number) =>
  aPod().meta({ uid: 'p', deletionTimestamp: at, deletionGracePeriodSeconds: grace }).build();

function begin() {
  const clock = new VirtualClock(NOW);
  return { clock, notes: new StopNotes(clock) };
}

describe('when a stop was asked for', () => {
  it('is not known of what is not deleted', () => {
    const { notes } = begin();
    expect(notes.stopAskedAt(vmi, aPod().build())).toBeUndefined();
    expect(notes.stopAskedAt(vmi, undefined)).toBeUndefined();
    expect(notes.deadlineOf(aPod().build())).toBeUndefined();
  });

  it('is now, finer than the object tells, and stays so', async () => {
    const { clock, notes } = begin();
    const deleted = pod('2026-03-01T12:01:00Z', 60);
    expect(notes.stopAskedAt(vmi, deleted)).toBe(NOW);
    await clock.advance(10);
    expect(notes.stopAskedAt(vmi, deleted)).toBe(NOW);
    expect(notes.deadlineOf(deleted)).toBe(NOW + 60_000);
  });

  it('is as the object tells where that is long ago', () => {
    const { notes } = begin();
    const deleted = pod('2026-03-01T12:00:30Z', 60);
    expect(notes.stopAskedAt(vmi, deleted)).toBe(NOW - 30_700);
    expect(notes.deadlineOf(deleted)).toBe(NOW + 29_300);
  });

  it('is the first request, while the deadline goes by the last', async () => {
    const { clock, notes } = begin();
    notes.stopAskedAt(vmi, pod('2026-03-01T12:01:00Z', 60));
    await clock.advance(20);
    const cut = pod('2026-03-01T12:00:25Z', 5);
    expect(notes.deadlineOf(cut)).toBe(NOW + 25_000);
    expect(notes.stopAskedAt(vmi, cut)).toBe(NOW);
  });

  it('is the earlier deletion of VMI and pod', () => {
    const { notes } = begin();
    const leaving = aVmi().on('n1').deleting('2026-03-01T11:59:50Z').build();
    expect(notes.stopAskedAt(leaving, pod('2026-03-01T12:01:00Z', 60))).toBe(NOW - 10_700);
  });

  it('is forgotten with its object', async () => {
    const { clock, notes } = begin();
    const deleted = pod('2026-03-01T12:01:00Z', 60);
    notes.stopAskedAt(vmi, deleted);
    notes.forget('p');
    notes.forget(undefined);
    await clock.advance(1);
    expect(notes.stopAskedAt(vmi, deleted)).toBe(NOW + 1000);
  });
});

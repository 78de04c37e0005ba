import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { MigrationConfiguration } from '../../kubevirt/objects.ts';
import { afterDecision, judgeCopy, lookOn, nextJudgementAt, watchCopy } from './copy-watch.ts';

/** 1 GB of memory at 150 s for each: time is up after 150 s. */
const watchOf = (set: MigrationConfiguration = {}) =>
  watchCopy(
    aVmi()
      .spec({ domain: { memory: { guest: '1G' } } })
      .migrationState({
        migrationConfiguration: { completionTimeoutPerGiB: 150, progressTimeout: 100, ...set },
      })
      .build(),
    1000,
  );

const UNKNOWN = () => undefined;

describe('a watch on a copy', () => {
  it('begins with the settings of the migration', () => {
    expect(watchOf()).toMatchObject({
      startedAt: 1000,
      lookedAt: 1000,
      progressAt: 1000,
      mode: 'PreCopy',
      timeoutSeconds: 150,
    });
    expect(watchCopy(aVmi().build(), 0)).toMatchObject({ configuration: {}, timeoutSeconds: 0 });
  });

  it('looks every 400 ms, never twice', () => {
    const at: number[] = [];
    const note = (now: number) => {
      at.push(now);
      return 1;
    };
    const first = lookOn(watchOf(), 2200, note);
    lookOn(first, 2600, note);
    expect(at).toEqual([1400, 1800, 2200, 2600]);
    expect(first.lookedAt).toBe(2200);
  });

  it('sees progress where less is left than ever before', () => {
    const left = new Map([
      [1400, 50],
      [1800, 60],
      [2200, 50],
      [2600, 49],
      [3000, 80],
    ]);
    const seen = lookOn(watchOf(), 3000, (at) => left.get(at));
    expect(seen).toMatchObject({ lowestMB: 49, progressAt: 2600, lookedAt: 3000 });
    expect(lookOn(watchOf(), 3000, UNKNOWN)).toMatchObject({ progressAt: 3000 });
  });

  it('gives up what stands still, or takes too long', () => {
    const still = lookOn(watchOf(), 200_000, () => 5);
    expect(judgeCopy(lookOn(watchOf(), 101_400, () => 5))).toEqual({ action: 'Continue' });
    expect(judgeCopy(lookOn(watchOf(), 101_800, () => 5))).toMatchObject({ action: 'Cancel' });
    expect(still.progressAt).toBe(1400);
    expect(judgeCopy(lookOn(watchOf(), 151_000, UNKNOWN))).toEqual({ action: 'Continue' });
    expect(judgeCopy(lookOn(watchOf(), 151_400, UNKNOWN))).toMatchObject({ action: 'Cancel' });
  });

  it('remembers what was decided', () => {
    const watch = watchOf();
    expect(afterDecision(watch, { action: 'Continue' })).toBe(watch);
    expect(afterDecision(watch, { action: 'StartPostCopy' }).mode).toBe('PostCopy');
    expect(afterDecision(watch, { action: 'Suspend', timeoutSeconds: 300 })).toMatchObject({
      mode: 'Paused',
      timeoutSeconds: 300,
    });
    expect(
      afterDecision(watch, { action: 'RaiseDowntime', maxDowntimeMs: 1, timeoutSeconds: 300 }),
    ).toMatchObject({ mode: 'Paused', timeoutSeconds: 300 });
  });

  it.each([
    [{}, 101_400],
    [{ progressTimeout: 0 }, 151_400],
    [{ completionTimeoutPerGiB: 0 }, 101_400],
    [{ completionTimeoutPerGiB: 0, progressTimeout: 0 }, undefined],
    [{ progressTimeout: 200 }, 151_400],
  ])('is to be judged next by its settings: %j', (set, at) => {
    expect(nextJudgementAt(watchOf(set))).toBe(at);
  });

  it('is not judged any more after post-copy, and each look once', () => {
    expect(nextJudgementAt({ ...watchOf(), mode: 'PostCopy' })).toBeUndefined();
    const late = lookOn(watchOf(), 151_400, UNKNOWN);
    expect(nextJudgementAt(late)).toBe(151_800);
  });
});

import { describe, expect, it } from 'vitest';
import type { Outcome } from '../forecast/forecast.ts';
import { newStory, type Story } from './story.ts';
import { vmResults } from './vm-results.ts';

const moved = { from: 'n1', to: 'n2', startAt: 3000, endAt: 6000 };
const off = { downAt: 10_000, how: 'Succeeded' };

/** The result of a VM after 60 s. */
function resultOf(result: Outcome, change: Partial<Story>) {
  const story = { ...newStory('shop/db-0', 'n1'), ...change };
  const ending = { story, vmi: undefined, result, reason: '', trace: [], evidence: [] };
  return vmResults(new Map([[story.vm, ending]]), 0, 60_000)[0];
}

describe('the end of a VM', () => {
  it.each<[string, Outcome, Partial<Story>, number | undefined]>([
    ['that moved', 'LiveMigrates', { moves: [moved] }, 6],
    ['that came back', 'Restarts', { outages: [{ ...off, upAt: 12_000 }] }, 12],
    ['that is off for good', 'StaysOff', { outages: [off] }, 10],
    ['that went down with its node', 'Cut', { outages: [{ ...off, how: 'Cut' }] }, 10],
    ['that waits for a node is not told', 'Restarts', { outages: [off] }, undefined],
    [
      'that is copied is not told',
      'LiveMigrates',
      { moves: [moved, { ...moved, endAt: undefined }] },
      undefined,
    ],
    ['to which nothing happened is not told', 'Untouched', {}, undefined],
  ])('%s', (_, outcome, story, seconds) => {
    expect(resultOf(outcome, story)?.endSeconds).toBe(seconds);
  });
});

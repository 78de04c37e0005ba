import { describe, expect, it } from 'vitest';
import { runHistories } from '../conformance/histories.ts';
import { askDrover } from './ask.ts';

const results = await runHistories('testdata/histories', askDrover);

describe('forecasts name what the real control plane then did', () => {
  it.each(results)('$name: every VM that was asked about', ({ differing }) => {
    expect(differing).toEqual([]);
  });

  it('asks about most of the recordings', () => {
    expect(results.filter(({ agree }) => agree > 0).length).toBeGreaterThanOrEqual(14);
  });
});

import { describe, expect, it } from 'vitest';
import type { HowFar } from '../rehearsal/how-far.ts';
import { ProgressLine } from './progress.ts';

const look = (): HowFar => ({ seconds: 750.4, done: 340, vms: 1000 });

function aLine({ watched = true, width = 100 } = {}) {
  const written: string[] = [];
  let at = 1_000_000;
  const progress = new ProgressLine({
    terminal: { width, colour: false, watched },
    process: { stdout: { write: () => {} }, stderr: { write: (text) => void written.push(text) } },
    now: () => at,
  });
  const wait = (milliseconds: number): void => {
    at += milliseconds;
  };
  return { progress, written, wait };
}

describe('a progress line', () => {
  it('stands in place of the one before, and is gone in the end', () => {
    const { progress, written } = aLine();
    progress.show('reading a …');
    progress.clear();
    expect(written).toEqual(['\r\u001b[Kreading a …', '\r\u001b[K']);
  });

  it('stays on one line, and harmless', () => {
    const { progress, written } = aLine({ width: 20 });
    progress.show(`reading \u001b[31m${'x'.repeat(40)}`);
    expect(written).toHaveLength(1);
    expect(written[0]?.slice(4)).not.toContain('\u001b');
    expect(written[0]?.slice(4)).toHaveLength(19);
  });

  it('says how far a run is, five times a second at most', () => {
    const { progress, written, wait } = aLine();
    const onCourse = progress.onCourse(() => 'played 1 of 5 · ');
    let looks = 0;
    for (const milliseconds of [0, 199, 1, 10]) {
      wait(milliseconds);
      onCourse?.(() => {
        looks++;
        return look();
      });
    }
    expect(looks).toBe(2);
    expect(written).toEqual(
      Array(2).fill('\r\u001b[Kplayed 1 of 5 · 12m30s in: 340 of 1000 VMs moved or restarted'),
    );
  });

  it('is not there where nobody watches, and nobody counts then', () => {
    const { progress, written } = aLine({ watched: false });
    progress.show('x');
    progress.clear();
    expect([written, progress.onCourse()]).toEqual([[], undefined]);
  });
});

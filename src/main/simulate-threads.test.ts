import { expect, it } from 'vitest';
import { simulate, stoppedWords } from './simulate.ts';

const file = 'scenarios/drain-in-time/scenario.yaml';

it('on threads gives what it gives without, in the order of the seeds', async () => {
  const asked = { file, snapshot: [], seed: 3, runs: 5 };
  const alone = await simulate(asked);
  const ended: number[] = [];
  const together = await simulate({ ...asked, jobs: 2 }, { onRuns: (done) => void ended.push(done) });
  expect(together).toEqual(alone);
  expect(ended).toEqual([0, 1, 2, 3, 4, 5]);
});

it('a simulation that is stopped sums up the runs that have ended', async () => {
  const stop = new AbortController();
  const report = await simulate(
    { file, snapshot: [], runs: 100_000, jobs: 1 },
    { signal: stop.signal, onRuns: (done) => void (done === 2 && stop.abort()) },
  );
  expect(report.status.runs).toBe(2);
  expect(report.status.warnings).toContain('stopped after 2 of 100000 runs');
});

it('a simulation that is stopped before its first run has ended says so', async () => {
  const signal = AbortSignal.abort();
  await expect(simulate({ file, snapshot: [], runs: 5, jobs: 2 }, { signal })).rejects.toMatchObject({
    code: 'Stopped',
    message: 'it was stopped before the first run had ended',
  });
});

it('a thread says how far its run is', async () => {
  const seen: number[] = [];
  const onCourse = (look: () => { vms: number }) => void seen.push(look().vms);
  const { status } = await simulate({ file, snapshot: [], runs: 1, jobs: 1 }, { onCourse });
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen)).toEqual(new Set([status.vms.length]));
});

it.each([
  [[1, 2], []],
  [[1], ['stopped after 1 of 2 runs']],
  [[2], ['stopped after 1 of 2 runs; that of seed 1, the only one whose course is kept, is not among them']],
])('of seeds 1 and 2, where %j have ended, it says %j', (ended, words) => {
  expect(
    stoppedWords(
      [1, 2],
      ended.map((seed) => ({ seed })),
    ),
  ).toEqual(words);
});

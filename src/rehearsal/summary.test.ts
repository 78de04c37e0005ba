import { describe, expect, it } from 'vitest';
import { aRun, aSimulation, aVmResult } from './builders.ts';
import type { VmResult } from './result.ts';
import { spreadOf, summarize } from './summary.ts';

describe('a spread', () => {
  it.each([
    [[], { p50: 0, p90: 0 }],
    [[7], { p50: 7, p90: 7 }],
    [[2, 1], { p50: 1, p90: 2 }],
    [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], { p50: 5, p90: 9 }],
  ])('of %j', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });
});

describe('a summary', () => {
  const moves = [{ from: 'n1', to: 'n2', startSeconds: 3, endSeconds: 6 }];
  const moved = aVmResult({
    outcome: 'LiveMigrates',
    reason: 'Moved',
    toNode: 'n2',
    startSeconds: 3,
    endSeconds: 6,
    moves,
  });
  const down = aVmResult({
    outcome: 'Restarts',
    reason: 'CameBack',
    restarts: 1,
    downtimeSeconds: 4,
    toNode: 'n3',
  });

  it('names the outcome that came most often, and all that came', () => {
    const runs = [aRun({ vms: [down] }), aRun({ seed: 2, vms: [moved] }), aRun({ seed: 3, vms: [moved] })];
    expect(summarize(runs).vms).toEqual([
      {
        ...{ name: 'shop/db-0', outcome: 'LiveMigrates', reason: 'Moved', fromNode: 'n1', toNode: 'n2' },
        outcomes: { Restarts: 1, LiveMigrates: 2 },
        startSeconds: { p50: 3, p90: 3 },
        endSeconds: { p50: 6, p90: 6 },
        downtimeSeconds: { p50: 0, p90: 4 },
        moves: { p50: 1, p90: 1 },
        failedMoves: { p50: 0, p90: 0 },
        restarts: { p50: 0, p90: 1 },
      },
    ]);
  });

  it('names the worst of outcomes that came as often', () => {
    const [vm] = summarize([aRun({ vms: [moved] }), aRun({ seed: 2, vms: [down] })]).vms;
    expect(vm?.outcome).toBe('Restarts');
  });

  it('is the same in whatever order the runs ended', () => {
    const runs = [aRun({ seconds: 5, vms: [moved] }), aRun({ seed: 2, seconds: 9, vms: [down] })];
    expect(JSON.stringify(summarize([...runs].reverse()))).toBe(JSON.stringify(summarize(runs)));
  });

  it('has the peaks of all runs', () => {
    const run = (seed: number, outbound: number, inbound: number) =>
      aRun({
        seed,
        nodes: [{ name: 'n1', guests: 1, outbound, inbound }],
        mostWaiting: inbound,
        mostCopies: outbound,
      });
    const { nodes, mostWaiting, mostCopies } = summarize([run(1, 3, 1), run(2, 2, 4)]);
    expect(nodes).toEqual([{ name: 'n1', guests: 1, outbound: 3, inbound: 4 }]);
    expect([mostWaiting, mostCopies]).toEqual([4, 3]);
  });

  it('counts in how many runs an expectation failed, and names the first seed', () => {
    const failures = [{ expectation: 'within', message: 'late' }];
    const runs = [aRun(), aRun({ seed: 2, failures }), aRun({ seed: 3, failures })];
    expect(summarize(runs).failures).toEqual([{ expectation: 'within', message: 'late', runs: 2, seed: 2 }]);
  });
});

describe('the sentence about runs', () => {
  const move = { from: 'n1', to: 'n2', startSeconds: 1, endSeconds: 2 };
  it.each<[Partial<VmResult>[], string]>([
    [[{}], 'Of 1 VM, nothing happened to any.'],
    [[{ outcome: 'LiveMigrates', moves: [move] }, {}], 'Of 2 VMs, 1 moved and 0 were down for a time.'],
    [[{ outcome: 'NeverCompletes' }], 'Of 1 VM, 0 moved, 1 could not move, and 0 were down for a time.'],
    [
      [{ outcome: 'Untouched', moves: [{ ...move, failed: 'it was aborted' }] }],
      'Of 1 VM, 0 moved, 1 had a move called off, and 0 were down for a time.',
    ],
    [[{ outcome: 'Blocks' }], 'Of 1 VM, 0 moved, 1 refused eviction, and 0 were down for a time.'],
  ])('%j: %s', (vms, told) => {
    const named = vms.map((vm, i) => aVmResult({ ...vm, name: `shop/${i}` }));
    expect(aSimulation(aRun({ vms: named })).status.summary).toBe(`All is quiet after 0s. ${told}`);
  });
});

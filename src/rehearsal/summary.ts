import { OUTCOMES, type Outcome } from '../forecast/forecast.ts';
import { groupBy, mostOften, tally } from '../kubevirt/group-by.ts';
import { compareText } from '../kubevirt/order.ts';
import {
  type FailedExpectation,
  failedMovesOf,
  movesOf,
  type NodePeaks,
  type RunResult,
  type VmResult,
} from './result.ts';

/** The middle and the slow end of a number over all runs. */
export interface Spread {
  readonly p50: number;
  readonly p90: number;
}

/** One VM over all runs. */
export interface VmSummary {
  readonly name: string;
  /** What happened most often; of equals the worst. */
  readonly outcome: Outcome;
  readonly reason: string;
  /** Outcome → number of runs. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly fromNode?: string | undefined;
  /** Where it ended most often; absent: nowhere. */
  readonly toNode?: string | undefined;
  /** When it began to concern the VM, and when it was over, in the runs in which it did. */
  readonly startSeconds?: Spread | undefined;
  readonly endSeconds?: Spread | undefined;
  readonly downtimeSeconds: Spread;
  /** Those that got there. */
  readonly moves: Spread;
  readonly failedMoves: Spread;
  readonly restarts: Spread;
}

export interface FailureSummary extends FailedExpectation {
  /** In how many runs, and the first seed. */
  readonly runs: number;
  readonly seed: number;
}

/** What all runs of a scenario come to. */
export interface Summary {
  readonly runs: number;
  readonly seconds: Spread;
  /** How many of them ended with their time, before all was quiet. */
  readonly cutShort: number;
  /** Outcome → VMs. */
  readonly counts: Readonly<Partial<Record<Outcome, Spread>>>;
  readonly vms: readonly VmSummary[];
  /** The most of all runs. */
  readonly nodes: readonly NodePeaks[];
  readonly mostWaiting: number;
  readonly mostUnderWay: number;
  readonly mostCopies: number;
  readonly failures: readonly FailureSummary[];
}

/**
 * Sums up runs, whatever the order in which they ended.
 *
 * Promise: no runs are an error of the caller.
 */
export function summarize(results: readonly RunResult[]): Summary {
  const runs = [...results].sort((a, b) => a.seed - b.seed);
  const most = (of: (run: RunResult) => number): number => Math.max(...runs.map(of));
  return {
    runs: runs.length,
    seconds: spreadOf(runs.map(({ seconds }) => seconds)),
    cutShort: runs.filter(({ isCutShort }) => isCutShort).length,
    counts: countSpreads(runs),
    vms: vmSummaries(runs),
    nodes: nodeSummaries(runs),
    mostWaiting: most(({ mostWaiting }) => mostWaiting),
    mostUnderWay: most(({ mostUnderWay }) => mostUnderWay),
    mostCopies: most(({ mostCopies }) => mostCopies),
    failures: failureSummaries(runs),
  };
}

/** By the nearest rank; of none 0. */
export function spreadOf(values: readonly number[]): Spread {
  const ordered = [...values].sort((a, b) => a - b);
  const at = (share: number): number => ordered[Math.max(0, Math.ceil(share * ordered.length) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9) };
}

function countSpreads(runs: readonly RunResult[]): Summary['counts'] {
  const present = OUTCOMES.filter((outcome) => runs.some(({ counts }) => counts[outcome] !== undefined));
  return Object.fromEntries(
    present.map((outcome) => [outcome, spreadOf(runs.map(({ counts }) => counts[outcome] ?? 0))]),
  );
}

function vmSummaries(runs: readonly RunResult[]): VmSummary[] {
  const byName = groupBy(
    runs.flatMap(({ vms }) => vms),
    ({ name }) => name,
  );
  return [...byName].sort(([a], [b]) => compareText(a, b)).map(([name, vms]) => vmSummary(name, vms));
}

function vmSummary(name: string, vms: readonly VmResult[]): VmSummary {
  const counts = tally(vms.map(({ outcome }) => outcome));
  const present = OUTCOMES.filter((outcome) => counts.has(outcome));
  const [outcome = 'Untouched'] = [...present].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const alike = vms.filter((vm) => vm.outcome === outcome);
  return {
    ...{ name, outcome, reason: mostOften(alike.map(({ reason }) => reason)) ?? '' },
    outcomes: Object.fromEntries(present.map((one) => [one, counts.get(one) ?? 0])),
    fromNode: vms[0]?.fromNode,
    toNode: mostOften(alike.map(({ toNode }) => toNode ?? '')) || undefined,
    startSeconds: spreadOfSome(vms.flatMap(({ startSeconds }) => startSeconds ?? [])),
    endSeconds: spreadOfSome(vms.flatMap(({ endSeconds }) => endSeconds ?? [])),
    downtimeSeconds: spreadOf(vms.map(({ downtimeSeconds }) => downtimeSeconds)),
    moves: spreadOf(vms.map(movesOf)),
    failedMoves: spreadOf(vms.map(failedMovesOf)),
    restarts: spreadOf(vms.map(({ restarts }) => restarts)),
  };
}

function spreadOfSome(values: readonly number[]): Spread | undefined {
  return values.length === 0 ? undefined : spreadOf(values);
}

function nodeSummaries(runs: readonly RunResult[]): NodePeaks[] {
  const byName = new Map<string, NodePeaks>();
  for (const peaks of runs.flatMap(({ nodes }) => nodes)) {
    const held = byName.get(peaks.name) ?? peaks;
    byName.set(peaks.name, {
      name: peaks.name,
      guests: Math.max(held.guests, peaks.guests),
      outbound: Math.max(held.outbound, peaks.outbound),
      inbound: Math.max(held.inbound, peaks.inbound),
    });
  }
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name));
}

/** Alike where the expectation and the message are. */
function failureSummaries(runs: readonly RunResult[]): FailureSummary[] {
  const held = new Map<string, FailureSummary>();
  for (const { seed, failures } of runs) {
    for (const failure of failures) {
      const key = `${failure.expectation} ${failure.message}`;
      const known = held.get(key);
      held.set(key, { ...failure, runs: (known?.runs ?? 0) + 1, seed: known?.seed ?? seed });
    }
  }
  return [...held.values()].sort((a, b) => b.runs - a.runs);
}

import { reportOf, type SimulationReport } from './report.ts';
import type { RunResult, VmResult } from './result.ts';

/** A VM to which nothing happened, for tests. */
export function aVmResult(change: Partial<VmResult> = {}): VmResult {
  return {
    ...{ name: 'shop/db-0', outcome: 'Untouched', reason: 'NothingHappened', fromNode: 'n1', toNode: 'n1' },
    ...{
      moves: [],
      outages: [],
      waits: [],
      restarts: 0,
      downtimeSeconds: 0,
      migrations: 0,
      failedMigrations: 0,
      refusals: [],
    },
    ...change,
  };
}

/** A run in which nothing happened, for tests. */
export function aRun(change: Partial<RunResult> = {}): RunResult {
  return {
    ...{
      seed: 1,
      seconds: 0,
      isCutShort: false,
      counts: {},
      vms: [],
      nodes: [],
      mostWaiting: 0,
      mostUnderWay: 0,
      mostCopies: 0,
    },
    ...{ queue: [], deeds: [], events: [], failures: [] },
    ...change,
  };
}

/** A report about runs, for tests. */
export function aSimulation(...runs: RunResult[]): SimulationReport {
  const scenario = {
    title: 'A scenario',
    cluster: { nodes: [], vms: [] },
    asks: [],
    settings: {},
    guests: [],
    timeline: [],
  };
  return reportOf(scenario, runs.length > 0 ? runs : [aRun()]);
}

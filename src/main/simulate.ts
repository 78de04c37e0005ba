import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SimulateRequest, SimulationWatch } from '../cli/services.ts';
import { loadFleet } from '../dump/load.ts';
import { whyUnread } from '../kubevirt/thrown.ts';
import { parseInstant } from '../kubevirt/time.ts';
import { checkCluster, checkScenario } from '../rehearsal/beginning/check-scenario.ts';
import { checkSnapshot } from '../rehearsal/beginning/check-snapshot.ts';
import {
  type Beginning,
  beginningOfScenario,
  beginningOfSnapshot,
  keepAnnotation,
  keepingVmis,
} from '../rehearsal/beginning/prepare.ts';
import { idleWords, strangeVersion } from '../rehearsal/beginning/warnings.ts';
import { reportOf, type SimulationReport } from '../rehearsal/report.ts';
import { ScenarioError } from '../scenario/errors.ts';
import { scenarioIn } from '../scenario/read.ts';
import type { Scenario } from '../scenario/schema.ts';
import { requireFolder } from './output-file.ts';
import { playSeeds } from './simulate-seeds.ts';

/**
 * Reads a scenario, plays it as often as asked, and sums up; of fewer runs, with a warning, when asked to stop. Throws coded errors for
 * what cannot be read or played.
 */
export async function simulate(
  request: SimulateRequest,
  watch: SimulationWatch = {},
): Promise<SimulationReport> {
  const { runs, jobs } = request;
  const { scenario, beginning, warnings } = await readPlay(request);
  if (request.record !== undefined) await requireFolder(request.record);
  const first = request.seed ?? scenario.settings.seed ?? 1;
  const seeds = Array.from({ length: runs }, (_, i) => first + i);
  const results = await playSeeds({ scenario, beginning, record: request.record }, seeds, jobs, watch);
  return reportOf(scenario, results, [...warnings, ...stoppedWords(seeds, results)]);
}

/** What is to be said of runs that were stopped; nothing where all have ended. */
export function stoppedWords(
  seeds: readonly number[],
  results: readonly { readonly seed: number }[],
): string[] {
  if (results.length === seeds.length) return [];
  const words = `stopped after ${results.length} of ${seeds.length} runs`;
  const [first] = seeds;
  const hasFirst = results.some(({ seed }) => seed === first);
  return [
    hasFirst
      ? words
      : `${words}; that of seed ${first}, the only one whose course is kept, is not among them`,
  ];
}

/** A scenario and the cluster that it begins with. Throws coded errors for what cannot be read or played. */
export async function readPlay(request: Pick<SimulateRequest, 'file' | 'snapshot'>) {
  const scenario = scenarioIn(await textOf(request.file), request.file);
  try {
    return await checkedPlay(scenario, request);
  } catch (error) {
    if (!(error instanceof ScenarioError) || error.code !== 'ScenarioInvalid') throw error;
    throw new ScenarioError(error.code, `${request.file}: ${error.message}`, error.cure);
  }
}

async function checkedPlay(scenario: Scenario, request: Pick<SimulateRequest, 'file' | 'snapshot'>) {
  const { beginning, warnings } = await beginningFor(scenario, request);
  checkScenario(scenario, beginning);
  return {
    scenario,
    beginning,
    warnings: [...warnings, ...strangeVersion(beginning), ...idleWords(scenario, beginning)],
  };
}

async function beginningFor(
  scenario: Scenario,
  { file, snapshot }: Pick<SimulateRequest, 'file' | 'snapshot'>,
): Promise<{ readonly beginning: Beginning; readonly warnings: readonly string[] }> {
  const own = scenario.cluster.snapshot;
  const sources = snapshot.length > 0 || own === undefined ? snapshot : [resolve(dirname(file), own)];
  if (sources.length === 0) {
    const described = keepingVmis(beginningOfScenario(scenario));
    checkCluster(described);
    return { beginning: described, warnings: [] };
  }
  const { fleet, hints, notes } = await loadFleet(sources, { keepAnnotation, histories: true });
  checkSnapshot(fleet);
  const known = { fleet, takenAt: parseInstant(hints.now), launcherImage: hints.launcherImage };
  return { beginning: beginningOfSnapshot(known, scenario), warnings: notes };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ScenarioError('ScenarioUnreadable', `${file}: ${whyUnread(error)}`);
  }
}

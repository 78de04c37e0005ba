import type { Behavior } from '../decide/rules.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { RunResult } from './result.ts';
import { behaviorIn } from './settings.ts';
import { type Summary, summarize, type VmSummary } from './summary.ts';
import { spreadText, timeText } from './views/words.ts';

/** The answer of `drover simulate`. */
export interface SimulationReport {
  readonly apiVersion: 'drover.dev/v1alpha1';
  readonly kind: 'Simulation';
  readonly spec: {
    readonly title: string;
    readonly firstSeed: number;
    readonly runs: number;
    readonly behavior: Behavior;
  };
  readonly status: Summary & {
    /** The answer in one sentence. */
    readonly summary: string;
    /** The run with the first seed, in full. */
    readonly firstRun: RunResult;
    readonly warnings: readonly string[];
  };
}

/** Throws where there are no results. */
export function reportOf(
  scenario: Scenario,
  results: readonly RunResult[],
  warnings: readonly string[] = [],
): SimulationReport {
  const runs = [...results].sort((a, b) => a.seed - b.seed);
  const [firstRun] = runs;
  if (!firstRun) throw new Error('a report is of one run at least');
  const status = summarize(runs);
  return {
    apiVersion: 'drover.dev/v1alpha1',
    kind: 'Simulation',
    spec: {
      title: scenario.title,
      ...{ firstSeed: firstRun.seed, runs: runs.length, behavior: behaviorIn(scenario) },
    },
    status: { summary: sentence(status), ...status, firstRun, warnings },
  };
}

function sentence({ vms, seconds, failures, runs, cutShort }: Summary): string {
  const who = `${vms.length} ${vms.length === 1 ? 'VM' : 'VMs'}`;
  const moved = vms.filter(({ moves }) => moves.p50 > 0).length;
  const down = vms.filter(({ downtimeSeconds }) => downtimeSeconds.p50 > 0).length;
  const time = `after ${spreadText(seconds, timeText)}`;
  const stuck = vms.filter(couldNotMove).length;
  const calledOff = vms.filter(hadMoveCalledOff).length;
  const blocked = vms.filter(({ outcome }) => outcome === 'Blocks').length;
  const parts = [
    `${moved} moved`,
    ...(stuck > 0 ? [`${stuck} could not move`] : []),
    ...(calledOff > 0 ? [`${calledOff} had a move called off`] : []),
    ...(blocked > 0 ? [`${blocked} refused eviction`] : []),
    `${down} ${down === 1 ? 'was' : 'were'} down for a time`,
  ];
  const what = moved + stuck + calledOff + blocked + down === 0 ? 'nothing happened to any' : listed(parts);
  const broken = new Set(failures.map(({ expectation }) => expectation)).size;
  const failed = broken === 0 ? '' : ` ${broken} of what was expected did not come true.`;
  return `${whenWords(time, runs, cutShort)} Of ${who}, ${what}.${failed}`;
}

function couldNotMove({ outcome, moves, failedMoves }: VmSummary): boolean {
  return moves.p50 === 0 && outcome !== 'Untouched' && (failedMoves.p50 > 0 || outcome === 'NeverCompletes');
}

function hadMoveCalledOff({ outcome, failedMoves }: VmSummary): boolean {
  return outcome === 'Untouched' && failedMoves.p50 > 0;
}

function listed(parts: readonly string[]): string {
  const comma = parts.length > 2 ? ',' : '';
  return `${parts.slice(0, -1).join(', ')}${comma} and ${parts.at(-1)}`;
}

/** A run that ends with its time may have had more to come. */
function whenWords(time: string, runs: number, cutShort: number): string {
  if (cutShort === 0) return `All is quiet ${time}.`;
  if (cutShort === runs) return `Stopped before all was quiet; something last happened ${time}.`;
  return `All is quiet ${time}, but in ${cutShort} of ${runs} runs it was stopped first.`;
}

import type { Beginning } from '../rehearsal/beginning/prepare.ts';
import type { OnCourse } from '../rehearsal/how-far.ts';
import type { RunResult } from '../rehearsal/result.ts';
import { runScenario } from '../rehearsal/run.ts';
import type { Scenario } from '../scenario/schema.ts';

/** What is played. */
export interface Play {
  readonly scenario: Scenario;
  readonly beginning: Beginning;
  /** The folder that the first run is recorded in, if any. */
  readonly record?: string | undefined;
}

/** One run. Only of the first one all is kept that makes pictures and lists. */
export async function playSeed(
  { scenario, beginning, record }: Play,
  seed: number,
  isFirst: boolean,
  onCourse?: OnCourse,
): Promise<RunResult> {
  if (isFirst && record !== undefined)
    return (await import('./simulate-record.ts')).recordRun(scenario, beginning, { seed, onCourse }, record);
  const result = await runScenario(scenario, beginning, { seed, onCourse });
  return isFirst ? result : { ...result, events: [], queue: [], deeds: [] };
}

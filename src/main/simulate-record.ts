import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HistoryRecorder } from '../conformance/replay/history-recorder.ts';
import type { Beginning } from '../rehearsal/beginning/prepare.ts';
import { factsOf } from '../rehearsal/history-facts.ts';
import type { RunResult } from '../rehearsal/result.ts';
import { type RunOptions, runScenario } from '../rehearsal/run.ts';
import type { Scenario } from '../scenario/schema.ts';

/** Plays a scenario and writes what happened into a folder, in the form of the recorded histories. */
export async function recordRun(
  scenario: Scenario,
  beginning: Beginning,
  options: Pick<RunOptions, 'seed' | 'onCourse'>,
  folder: string,
): Promise<RunResult> {
  let recorder: HistoryRecorder | undefined;
  const result = await runScenario(scenario, beginning, {
    ...options,
    onStart: ({ simulated }) => {
      recorder = new HistoryRecorder(simulated, beginning.objects);
    },
    onEvent: (event, seconds) => recorder?.event(event, seconds),
  });
  await mkdir(folder, { recursive: true });
  for (const [name, content] of recorder?.files(factsOf(scenario, beginning, result)) ?? [])
    await writeFile(join(folder, name), content);
  return result;
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CourseComparison, compareCourses } from '../conformance/replay/compare-courses.ts';
import { courseOf, readRecording } from '../conformance/replay/recording.ts';
import { replay } from '../conformance/replay/replay.ts';
import type { Log, Metrics } from '../controllers/ports.ts';
import { playedRunIn, replayRun } from './replay-run.ts';

export interface ReplayResult extends CourseComparison {
  readonly name: string;
}

const silent: Log & Metrics = { write: () => {}, count: () => {}, gauge: () => {}, observe: () => {} };

/** The recordings of a folder, by name. */
export function recordingsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Plays a recording's timeline in the simulator, as v1.9.0 behaves, and compares every object with the recorded one. */
export async function replayHistory(folder: string, name: string, log: Log = silent): Promise<ReplayResult> {
  const played = playedRunIn(join(folder, name));
  if (played) return replayRun(join(folder, name), name, played);
  const recording = readRecording(join(folder, name), name);
  const ours = await replay(recording, { behavior: 'exact', log, metrics: silent });
  return { name, ...compareCourses(courseOf(recording), ours, recording.end) };
}

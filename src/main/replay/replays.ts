import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { partingOf } from '../../conformance/replay/align.ts';
import {
  type CourseComparison,
  compareCourses,
  type ObjectDifference,
} from '../../conformance/replay/compare-courses.ts';
import type { Course, Step } from '../../conformance/replay/course.ts';
import { type Attempt, KUBEVIRT, nearest, Races } from '../../conformance/replay/races.ts';
import { courseOf, type Recording, readRecording } from '../../conformance/replay/recording.ts';
import { replay } from '../../conformance/replay/replay.ts';
import type { Log } from '../../controllers/ports.ts';
import { silent } from '../../controllers/silent.ts';
import { playedRunIn, replayRun } from './replay-run.ts';

export interface ReplayResult extends CourseComparison {
  readonly name: string;
  /** How many races there were, and how many went another way than the usual one. */
  readonly races: number;
  readonly turned: number;
}

/** How a recording is played. */
interface ReplayChoices {
  /** What KubeVirt decides within milliseconds goes the usual way, whatever the recording shows. */
  readonly strict?: boolean | undefined;
  readonly log?: Log | undefined;
}

/** The folder of recordings, and which of them; where the folder is one itself, that one. */
export function placeOf(
  folder: string,
  only: string | undefined,
): { folder: string; only: string | undefined } {
  if (!existsSync(join(folder, 'history.jsonl.gz'))) return { folder, only };
  const recording = resolve(folder);
  return { folder: dirname(recording), only: basename(recording) };
}

/** The recordings of a folder, by name. */
export function recordingsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/**
 * Plays a recording's timeline in the simulator, as v1.9.0 behaves, and compares every object with the recorded one. Unless `strict`,
 * looks for outcomes of the races under which they agree.
 */
export async function replayHistory(
  folder: string,
  name: string,
  { strict = false, log = silent.log }: ReplayChoices = {},
): Promise<ReplayResult> {
  const played = playedRunIn(join(folder, name));
  if (played) return replayRun(join(folder, name), name, played);
  const recording = readRecording(join(folder, name), name);
  const play = (races: Races) => attempt(recording, races, log);
  const { agree, differences, races } = await (strict ? play(new Races()) : nearest(play));
  return { name, agree, differing: differences, races: races.met.length, turned: races.turned.length };
}

interface ComparedAttempt extends Attempt {
  readonly agree: number;
  readonly differences: readonly ObjectDifference[];
}

async function attempt(recording: Recording, races: Races, log: Log): Promise<ComparedAttempt> {
  const ours = await replay(recording, { behavior: 'exact', log, metrics: silent.metrics, races });
  const real = courseOf(recording);
  const { agree, differing: differences } = compareCourses(real, ours, recording.end);
  const differing = differences.map(({ object }) => object);
  return { races, agree, differences, differing, partsAt: partsAt(real, ours, recording.end) };
}

/** When the counts of outdated VMIs part. */
function partsAt(recorded: Course, played: Course, end: number): readonly [number, number] {
  const parting = partingOf(countsIn(recorded), countsIn(played), end);
  if (!parting) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const [real = end, ours = end] = [parting.real?.at, parting.ours?.at];
  return [Math.min(real, ours), Math.max(real, ours)];
}

function countsIn({ objects }: Course): readonly Step[] {
  return objects.get(KUBEVIRT)?.fields.get('outdated') ?? [];
}

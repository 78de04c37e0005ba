import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareCourses } from '../../conformance/replay/compare-courses.ts';
import { Course } from '../../conformance/replay/course.ts';
import { COMPARED_KINDS, isCompared } from '../../conformance/replay/fields.ts';
import { courseOf, readRecording } from '../../conformance/replay/recording.ts';
import { nameIn } from '../../kubevirt/object-key.ts';
import type { PlayedRun } from '../../rehearsal/history-facts.ts';
import { runScenario } from '../../rehearsal/run.ts';
import type { SimulatedCluster } from '../../simulation/simulated-cluster.ts';
import type { ReplayResult } from './replays.ts';

/** What a recording says of the run that it is of; undefined: it is one of the real control plane. */
export function playedRunIn(folder: string): PlayedRun | undefined {
  const { drover } = JSON.parse(readFileSync(join(folder, 'scenario.json'), 'utf8'));
  return drover;
}

/** Plays a run again that `drover simulate --record` has recorded, from the dump on, and compares every object. */
export async function replayRun(
  folder: string,
  name: string,
  { scenario, ...played }: PlayedRun,
): Promise<ReplayResult> {
  const recording = readRecording(folder, name);
  const ours = new Course();
  const { startAt } = played;
  await runScenario(
    scenario,
    { ...played, objects: recording.before },
    {
      seed: played.seed,
      onStart: ({ simulated }) => takeDown(simulated, ours, startAt),
      onEvent: ({ kind, name: object, reason, message }, seconds) =>
        ours.event(seconds, { object: `${kind}/${object}`, reason, message }),
    },
  );
  return { name, ...compareCourses(courseOf(recording), ours, recording.end), races: 0, turned: 0 };
}

function takeDown({ api, clock }: SimulatedCluster, ours: Course, startAt: number): void {
  for (const kind of COMPARED_KINDS)
    for (const object of api.list(kind)) ours.change(0, kind, object.metadata.name, object);
  api.watch(({ kind, key, after }) => {
    if (!isCompared(kind)) return;
    ours.change((clock.now() - startAt) / 1000, kind, nameIn(key), after);
  });
}

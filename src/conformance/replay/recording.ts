import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../kubevirt/json.ts';
import { Course, type SeenEvent } from './course.ts';
import { isCompared } from './fields.ts';
import { objectOf } from './recorded-state.ts';

/** One change as it was recorded. */
export interface RecordedChange {
  readonly t: number;
  readonly change: 'exists' | 'added' | 'modified' | 'deleted';
  readonly kind: string;
  readonly name: string;
  readonly state?: JsonObject | undefined;
}

/** One thing that was done to the cluster; what else it has depends on the action. */
export interface TimelineAction {
  readonly t: number;
  readonly action: string;
  readonly [detail: string]: unknown;
}

/** A recording of the real control plane. */
export interface Recording {
  readonly name: string;
  readonly timeline: readonly TimelineAction[];
  readonly changes: readonly RecordedChange[];
  /** The objects of the dump that was taken before the decisive action. */
  readonly before: readonly JsonObject[];
  /** The second at which it was cut. */
  readonly end: number;
}

/** Reads one folder of recordings. Throws where a file is missing or broken. */
export function readRecording(folder: string, name: string): Recording {
  const text = (file: string): string => gunzipSync(readFileSync(join(folder, file))).toString('utf8');
  const { timeline } = JSON.parse(readFileSync(join(folder, 'scenario.json'), 'utf8'));
  const changes: RecordedChange[] = text('history.jsonl.gz')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const before: JsonObject[] = JSON.parse(text('before.json.gz')).items;
  return {
    name,
    timeline,
    changes,
    before,
    end: Math.max(0, ...[...changes.slice(-1), ...timeline].map(({ t }) => t)),
  };
}

/** What became of every object of a recording. */
export function courseOf({ changes }: Recording): Course {
  const course = new Course();
  // An event may have come to the recorder before the object that it names.
  for (const { kind, name, state } of changes) {
    if (isCompared(kind) && state) course.meet(kind, name, objectOf(kind, state));
  }
  for (const { t, change, kind, name, state = {} } of inOrder(changes)) {
    if (kind === 'Event') course.event(t, state as unknown as SeenEvent);
    else if (isCompared(kind)) {
      course.change(t, kind, name, change === 'deleted' ? undefined : objectOf(kind, state));
    }
  }
  return course;
}

/** client-go names an event by its object and the nanosecond at which it was told. */
const TOLD_AT = /\.([0-9a-f]{16})$/;

/**
 * The changes with events where they were told. Components write their events one after another when they find the time, so that those
 * of two components may come to the recorder the other way round; what is counted up keeps the time at which it came.
 */
function inOrder(changes: readonly RecordedChange[]): readonly RecordedChange[] {
  const latest = changes.map((change) => (toldAt(change) ?? Number.NEGATIVE_INFINITY) - change.t);
  const beginning = Math.max(...latest);
  const dated = changes.map((change) => {
    const at = toldAt(change);
    return at === undefined ? change : { ...change, t: at - beginning };
  });
  return dated.sort((a, b) => a.t - b.t);
}

/** Unix seconds. */
function toldAt({ kind, change, name }: RecordedChange): number | undefined {
  const nanoseconds = kind === 'Event' && change === 'added' ? TOLD_AT.exec(name)?.[1] : undefined;
  return nanoseconds === undefined ? undefined : Number(BigInt(`0x${nanoseconds}`)) / 1e9;
}

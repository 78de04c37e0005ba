import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../../kubevirt/order.ts';
import type { Courses } from './test-courses.ts';
import { playRecording } from './test-recording.ts';

const FOLDER = 'testdata/histories';
const WITHIN_SECONDS = 1;

/** `field: value value …` of each field that anything happened to, object by object. */
function told(courses: Courses): Record<string, string[]> {
  return Object.fromEntries(
    [...courses]
      .map(([id, course]) => [id, valuesOf(course)] as const)
      .filter(([, values]) => values.length > 0)
      .sort(([a], [b]) => compareText(a, b)),
  );
}

function valuesOf(course: Courses extends ReadonlyMap<string, infer C> ? C : never): string[] {
  return [...course]
    .filter(([, steps]) => steps.length > 0)
    .map(([field, steps]) => `${field}: ${steps.map(({ value }) => value).join(' → ')}`)
    .sort();
}

/** Steps that come earlier or later than in the recording, by more than a second. */
function late(recorded: Courses, played: Courses): string[] {
  return [...recorded].flatMap(([id, course]) =>
    [...course].flatMap(([field, steps]) =>
      steps.flatMap(({ t, value }, index) => {
        const at = played.get(id)?.get(field)?.[index]?.t ?? Number.NaN;
        return Math.abs(t - at) <= WITHIN_SECONDS ? [] : `${id} ${field} ${value}: ${at} instead of ${t}`;
      }),
    ),
  );
}

describe('the migration controller in a recorded history', () => {
  it.each(readdirSync(FOLDER).sort())(
    'does what KubeVirt did in %s',
    async (name) => {
      const { recorded, played } = await playRecording(join(FOLDER, name));
      expect(told(played)).toEqual(told(recorded));
      expect(late(recorded, played)).toEqual([]);
    },
    60_000,
  );
});

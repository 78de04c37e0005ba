import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Course } from './test-courses.ts';
import { playRecording } from './test-recording.ts';

const FOLDER = 'testdata/histories';
const WITHIN_SECONDS = 1;

/** `field: value value …` of each field that anything happened to. */
function valuesOf(course: Course | undefined): string[] {
  return [...(course ?? [])]
    .filter(([, values]) => values.length > 0)
    .map(([field, values]) => `${field}: ${values.map(({ value }) => value).join(' ')}`)
    .sort();
}

describe('the node agents in a recorded history', () => {
  it.each(readdirSync(FOLDER).sort())(
    'do what the stand-in did in %s',
    async (name) => {
      const { recorded, played } = await playRecording(join(FOLDER, name));
      for (const [id, course] of recorded) {
        expect({ id, values: valuesOf(played.get(id)) }).toEqual({ id, values: valuesOf(course) });
        for (const [field, values] of course) {
          const times =
            played
              .get(id)
              ?.get(field)
              ?.map(({ t }) => t) ?? [];
          const late = values.map(({ t }, index) => Math.abs(t - (times[index] ?? Number.NaN)));
          expect({ id, field, late: Math.max(0, ...late) < WITHIN_SECONDS || late }).toEqual({
            id,
            field,
            late: true,
          });
        }
      }
    },
    60_000,
  );
});

import { partingOf, type ToleranceAt } from './align.ts';
import type { Course, ObjectCourse, Step } from './course.ts';

/** An object that went another way than in the recording. */
export interface ObjectDifference {
  /** `Kind/name`. */
  readonly object: string;
  readonly field: string;
  readonly real: string;
  readonly ours: string;
}

export interface CourseComparison {
  readonly agree: number;
  /** The first difference of each object that differs, in the order of the objects' coming. */
  readonly differing: readonly ObjectDifference[];
}

/**
 * Compares our course with the recorded one, object by object. `end`: the second at which the recording was cut; how far apart steps may
 * be is as `partingOf` says where nothing is.
 */
export function compareCourses(
  real: Course,
  ours: Course,
  end: number,
  toleranceAt?: ToleranceAt,
): CourseComparison {
  const names = new Set([...real.objects.keys(), ...ours.objects.keys()]);
  const differing = [...names].flatMap((name) => {
    const difference = differenceOf(real.objects.get(name), ours.objects.get(name), { end, toleranceAt });
    return difference ? [{ object: name, ...difference }] : [];
  });
  return { agree: names.size - differing.length, differing };
}

interface Bounds {
  readonly end: number;
  readonly toleranceAt: ToleranceAt | undefined;
}

const NOTHING: ObjectCourse = { fields: new Map(), events: [] };

function differenceOf(
  real: ObjectCourse = NOTHING,
  ours: ObjectCourse = NOTHING,
  bounds: Bounds,
): Omit<ObjectDifference, 'object'> | undefined {
  for (const field of new Set([...real.fields.keys(), ...ours.fields.keys()])) {
    const difference = differenceIn(
      field,
      real.fields.get(field) ?? [],
      ours.fields.get(field) ?? [],
      bounds,
    );
    if (difference) return difference;
  }
  const asSteps = ({ events }: ObjectCourse): Step[] => events.map(({ at, text }) => ({ at, value: text }));
  return differenceIn('events', asSteps(real), asSteps(ours), bounds);
}

function differenceIn(
  field: string,
  real: readonly Step[],
  ours: readonly Step[],
  { end, toleranceAt }: Bounds,
): Omit<ObjectDifference, 'object'> | undefined {
  const parting = partingOf(real, ours, end, toleranceAt);
  if (!parting) return undefined;
  return { field, real: told(real, parting.real), ours: told(ours, parting.ours) };
}

/** The steps in a line, with a mark at the one where they part. */
function told(steps: readonly Step[], at: Step | undefined): string {
  const words = steps.map((step) => `${step === at ? '▶' : ''}${step.value ?? '–'}@${step.at.toFixed(2)}`);
  return `${words.join(' → ') || 'nothing'}${at ? '' : ' ▶end'}`;
}

import { describe, expect, it } from 'vitest';
import { compareCourses } from './compare-courses.ts';
import { Course } from './course.ts';

const launcher = (vmi: string, phase: string) => ({
  metadata: { annotations: { 'kubevirt.io/domain': vmi } },
  spec: { nodeName: 'n1' },
  status: { phase },
});

/** A course with one pod under a made-up name, and an event that names it. */
function aCourse(suffix: string, ...phases: readonly string[]): Course {
  const course = new Course();
  const name = `virt-launcher-db-${suffix}`;
  for (const [at, phase] of phases.entries()) course.change(at, 'Pod', name, launcher('db', phase));
  course.event(9, { object: `Pod/${name}`, reason: 'Scheduled', message: `assigned shop/${name} to n1` });
  return course;
}

describe('courses', () => {
  it('of pods with other made-up names agree', () => {
    const compared = compareCourses(
      aCourse('abcde', 'Pending', 'Running'),
      aCourse('vwxyz', 'Pending', 'Running'),
      90,
    );
    expect(compared).toEqual({ agree: 1, differing: [] });
  });

  it('show where they part, with all that came before', () => {
    const compared = compareCourses(
      aCourse('abcde', 'Pending', 'Running'),
      aCourse('vwxyz', 'Pending', 'Failed'),
      90,
    );
    expect(compared).toEqual({
      agree: 0,
      differing: [
        {
          object: 'Pod/Pod of db #1',
          field: 'phase',
          real: 'Pending@0.00 → ▶Running@1.00',
          ours: 'Pending@0.00 → ▶Failed@1.00',
        },
      ],
    });
  });

  it('count an object that one of them lacks as a difference', () => {
    const compared = compareCourses(aCourse('abcde', 'Pending'), new Course(), 90);
    expect(compared).toMatchObject({ agree: 0, differing: [{ ours: 'nothing ▶end' }] });
  });

  it('number the objects of one owner, and keep the name of one that is gone', () => {
    const course = aCourse('abcde', 'Running');
    course.change(3, 'Pod', 'virt-launcher-db-abcde', undefined);
    course.change(4, 'Pod', 'virt-launcher-db-fghij', launcher('db', 'Pending'));
    expect([...course.objects.keys()]).toEqual(['Pod/Pod of db #1', 'Pod/Pod of db #2']);
    expect(course.objects.get('Pod/Pod of db #1')?.fields.get('phase')?.at(-1)).toEqual({
      at: 3,
      value: undefined,
    });
  });

  it('take an event that is repeated in a row once, and hide UIDs', () => {
    const course = new Course();
    const uid = '12c8f4a7-6a51-4398-aaf4-1c60b0c783e0';
    const stopped = { object: 'VirtualMachine/db', reason: 'SuccessfulDelete', message: `Stopped ${uid}` };
    for (const at of [1, 2]) course.event(at, stopped);
    expect(course.objects.get('VirtualMachine/db')?.events).toEqual([
      { at: 1, text: 'SuccessfulDelete: Stopped <uid>' },
    ]);
  });
});

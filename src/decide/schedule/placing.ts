/**
 * Placing moves one after another in a given order, each as early as what it holds stays free until its end: the serial
 * generation scheme of project scheduling (Kolisch and Hartmann). Some order gives a shortest schedule.
 */
import { emptyProfile, firstFree, type Profile, take } from './profile.ts';
import type { Task, Tasks } from './resources.ts';

export interface Placing {
  /** Whole milliseconds, in the order of the moves, not of the placing. */
  readonly starts: readonly number[];
  readonly makespan: number;
}

/**
 * Where each task starts if they are placed in this order, which names each once that has not started already.
 *
 * Promise: at no time is more of a resource taken than there is, and no task could start earlier with the others where
 * they are. A task that needs more than there is starts never (infinite), and takes nothing.
 */
export function placeInOrder({ resources, tasks, started }: Tasks, order: readonly number[]): Placing {
  const profiles = resources.map(emptyProfile);
  const starts = new Array<number>(tasks.length).fill(0);
  let makespan = 0;
  const place = (task: Task, index: number, start: number): void => {
    starts[index] = start;
    makespan = Math.max(makespan, start + task.milliseconds);
    if (Number.isFinite(start)) hold(task, profiles, start);
  };
  for (const [index, task] of tasks.slice(0, started).entries()) place(task, index, 0);
  for (const index of order) {
    const task = tasks[index];
    if (task) place(task, index, earliest(task, profiles, resources));
  }
  return { starts, makespan };
}

/** Takes all that the task holds, from its start to its end. */
export function hold({ milliseconds, claims }: Task, profiles: readonly Profile[], start: number): void {
  for (const { resource, amount } of claims) {
    const profile = profiles[resource];
    if (profile) take(profile, start, start + milliseconds, amount);
  }
}

/** Goes round the resources, each putting the start off, until none does any more. */
function earliest(
  task: Task,
  profiles: readonly Profile[],
  resources: readonly { capacity: number }[],
): number {
  let start = 0;
  for (let before = -1; before !== start && start !== Number.POSITIVE_INFINITY; ) {
    before = start;
    for (const { resource, amount } of task.claims) {
      const [profile, capacity] = [profiles[resource], resources[resource]?.capacity ?? 0];
      if (profile) start = firstFree(profile, start, task.milliseconds, amount, capacity);
    }
  }
  return start;
}

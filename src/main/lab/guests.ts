import { readFileSync } from 'node:fs';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import { behaviorsIn } from '../../simulation/guests/behavior-file.ts';
import { behaviorByAnnotations } from '../../simulation/guests/lab-annotations.ts';

/** How guests behave by a file; by their annotations where there is none. Throws a `GuestError`. */
export function guestsOf(file: string | undefined): BehaviorOf {
  return file === undefined ? behaviorByAnnotations : behaviorsIn(readFileSync(file, 'utf8'), file);
}

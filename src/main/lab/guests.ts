import { readFileSync } from 'node:fs';
import { whyUnread } from '../../kubevirt/thrown.ts';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import { behaviorsIn } from '../../simulation/guests/behavior-file.ts';
import { GuestError } from '../../simulation/guests/errors.ts';
import { behaviorByAnnotations } from '../../simulation/guests/lab-annotations.ts';

/** How guests behave by a file; by their annotations where there is none. Throws a `GuestError`. */
export function guestsOf(file: string | undefined): BehaviorOf {
  return file === undefined ? behaviorByAnnotations : behaviorsIn(textOf(file), file);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new GuestError('GuestsUnreadable', `${file}: ${whyUnread(error)}`);
  }
}

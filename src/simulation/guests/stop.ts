import type { Domain } from '../../decide/domain-phase.ts';
import { type GuestEnd, type GuestStop, guestEndTable } from '../../decide/guest-end.ts';
import { resultOf } from '../../decide/rules.ts';
import type { ShutdownBehavior } from './behavior.ts';

/** virt-handler presses the power button again and again (kubevirt v1.9.0 pkg/virt-handler/vm.go). */
const REQUEST_EVERY_SECONDS = 5;

/** How a guest that is asked to stop ends. */
export interface StoppedGuest {
  /** After the stop began. */
  readonly seconds: number;
  /** `Itself`: it goes along with it, or crashes. Else as virt-handler or kubelet end it. */
  readonly how: 'Itself' | 'Destroyed' | 'Killed';
  /** What is left of its domain; of one that was killed, nothing. */
  readonly domain: Domain | undefined;
}

const LEFT = {
  clean: { state: 'Shutoff', reason: 'Shutdown' },
  crashes: { state: 'Crashed', reason: 'Crashed' },
} as const;

/**
 * What becomes of a guest with this behaviour, of all that may become of a guest; the power button is pressed for the first
 * time so long after the stop began.
 */
export function stoppedGuest(
  stop: GuestStop,
  { kind, seconds, ignoredRequests = 0 }: ShutdownBehavior,
  requestedAfterSeconds = 0,
): StoppedGuest {
  const ends = resultOf(guestEndTable, stop);
  const willing = ends.find(({ how }) => how === 'PowersOff');
  const after = requestedAfterSeconds + seconds + ignoredRequests * REQUEST_EVERY_SECONDS;
  if (kind !== 'ignores' && willing && after <= willing.withinSeconds) {
    return { seconds: after, how: 'Itself', domain: LEFT[kind] };
  }
  return forced(ends.findLast(({ how }) => how !== 'PowersOff'));
}

function forced(end: GuestEnd | undefined): StoppedGuest {
  if (end?.how !== 'Destroyed') return { seconds: end?.withinSeconds ?? 0, how: 'Killed', domain: undefined };
  return { seconds: end.withinSeconds, how: 'Destroyed', domain: { state: 'Shutoff', reason: 'Destroyed' } };
}

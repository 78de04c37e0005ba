import { counted } from '../../kubevirt/words.ts';
import { type RolloutStatus, STATES, type State, type VmStanding } from './report.ts';

/** Of every state, 0 where no VM is in it. */
export function countsOf(vms: readonly VmStanding[]): Record<State, number> {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<State, number>;
  for (const { state } of vms) counts[state] += 1;
  return counts;
}

type Facts = Pick<RolloutStatus['status'], 'counts' | 'gate' | 'secondsLeft' | 'endsAt'>;

/** The answer in a sentence or two: how far it is, what is left, and how long that takes. */
export function summaryOf(facts: Facts): string {
  const { counts } = facts;
  const all = STATES.reduce((sum, state) => sum + counts[state], 0);
  if (all === 0) return 'There is no running VM.';
  if (counts.Done === all) return all === 1 ? 'The one VM is up to date.' : `All ${all} VMs are up to date.`;
  return `${counts.Done} of ${counted(all, 'VM')} ${counts.Done === 1 ? 'is' : 'are'} up to date; ${rest(facts)}.${time(facts)}`;
}

function rest({ counts: { Moving, Waiting, Stuck } }: Facts): string {
  const parts = [
    Moving > 0 && `${Moving} ${Moving === 1 ? 'moves' : 'move'} now`,
    Waiting > 0 && `${Waiting} ${Waiting === 1 ? 'waits' : 'wait'}`,
    Stuck > 0 && `${Stuck} ${Stuck === 1 ? 'stays' : 'stay'} until something changes`,
  ];
  return parts.filter(Boolean).join(', ');
}

function time({ counts: { Moving, Waiting }, gate, secondsLeft, endsAt }: Facts): string {
  if (Moving + Waiting === 0) return '';
  if (!gate.open) return ` The updater may not act now (${gate.reason}).`;
  if (secondsLeft === undefined) return ' Too few migrations have ended of late to tell how long it takes.';
  return ` About ${durationWords(secondsLeft)} left, until ${endsAt}.`;
}

/** In the two largest units that say something: `1 h 20 min`, `3 min`, `40 s`. */
export function durationWords(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

import {
  type ForecastTime,
  LEAVES_NODE,
  type TimeRange,
  type VmVerdict,
  type WhatIf,
} from '../../forecast/forecast.ts';
import { keyOfVm } from '../../forecast/views/remedies.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import { counted, firstOf } from '../../kubevirt/words.ts';
import type { VmSummary } from '../summary.ts';
import { type Pace, paceNotes } from './pace.ts';
import type { TimedAction } from './play-action.ts';
import { LONGEST_DRAIN_SECONDS } from './round.ts';

/** So many turns are told in words; JSON has them all. */
const TURNS_TOLD = 20;

/** How long it takes, what holds it up, and how it would be otherwise, in words. `isCut`: there is not that much time. */
export function timeNotes(
  { runs, total, bottleneck, turns, whatIf }: ForecastTime,
  isCut: boolean,
): string[] {
  const until = turns
    ? 'until the last node is back'
    : 'until the last VM that moves or is shut down is done with';
  if (total.p90 === 0 && !turns)
    return ['No VM moves or is shut down, so that it takes no time.', ...whatIf.map(whatIfNote)];
  return [
    `It ${isCut ? 'would take' : 'takes'} ${took(total)} ${until}.`,
    ...(turns && turns.length > 0 ? [turnsNote(turns), ...givenUpNote(turns, runs)] : []),
    ...(bottleneck === undefined ? [] : [`What holds it up: ${bottleneck.message}.`]),
    ...whatIf.map(whatIfNote),
  ];
}

function whatIfNote({ settings, total, leftBehind }: WhatIf): string {
  const who = leftBehind === 1 ? 'does not come' : 'do not come';
  const left = leftBehind === 0 ? '' : `, but ${counted(leftBehind, 'VM')} ${who} to it at all`;
  if (total.p90 === 0 && leftBehind === 0) return `With ${settings} it takes no time either.`;
  return `With ${settings} it takes ${took(total)}${left}.`;
}

function turnsNote(turns: NonNullable<ForecastTime['turns']>): string {
  const told = turns
    .slice(0, TURNS_TOLD)
    .map(({ node, seconds }) => `${node} ${formatDuration(seconds.p50)}`);
  const more = turns.length > TURNS_TOLD ? `, and ${turns.length - TURNS_TOLD} more (-o json has them)` : '';
  return `From its drain until it is back: ${told.join(', ')}${more}.`;
}

function givenUpNote(turns: NonNullable<ForecastTime['turns']>, runs: number): string[] {
  const stuck = turns.filter(({ givenUp }) => givenUp > 0);
  if (stuck.length === 0) return [];
  const nodes = firstOf(stuck.map(({ node }) => node));
  const most = Math.max(...stuck.map(({ givenUp }) => givenUp));
  return [
    `VMs that should leave ${nodes} stay for more than ${formatDuration(LONGEST_DRAIN_SECONDS)} in up to ${most} of ${counted(runs, 'course')}: kube-scheduler finds them no place.`,
  ];
}

function took({ p50, p90 }: TimeRange): string {
  return p50 === p90
    ? formatDuration(p50)
    : `${formatDuration(p50)} (nine of ten times within ${formatDuration(p90)})`;
}

/**
 * VMs that move or are shut down by the verdict, and did otherwise when it was played: a fault of one of the two, unless a roll-out has
 * met them first.
 */
export function untimedNote(
  vms: readonly Pick<VmVerdict, 'namespace' | 'name' | 'outcome' | 'start'>[],
  played: ReadonlyMap<string, Pick<VmSummary, 'outcome'>>,
  movedByRollout: number,
): string[] {
  const untimed = vms
    .filter(({ outcome, start }) => LEAVES_NODE.has(outcome) && start === undefined)
    .map((vm) => {
      const { outcome } = vm;
      const key = keyOfVm(vm);
      return { told: `${key} (${outcome})`, outcome, as: played.get(key)?.outcome ?? 'Untouched' };
    })
    .filter(({ outcome, as }) => outcome !== as);
  if (untimed.length === 0) return [];
  const ends = [...new Set(untimed.map(({ as }) => as))].sort().join(', ');
  const why =
    movedByRollout > 0
      ? 'The roll-out that is under way may have met them first.'
      : 'One of the two is wrong; please report it with the input.';
  return [
    `No times for ${counted(untimed.length, 'VM')}: ${firstOf(untimed.map(({ told }) => told))}. Played, it came out otherwise: ${ends}. ${why}`,
  ];
}

export function unknownNote(vms: number): string {
  return `How long it takes cannot be told: ${counted(vms, 'VM')} cannot be judged.`;
}

/** What the times rest on, for a person to judge. */
export function assumptions(pace: Pace, timed: TimedAction): string[] {
  if (timed.action !== 'round') return paceNotes(pace);
  const boot = formatDuration(timed.question.rebootSeconds);
  const longest = formatDuration(LONGEST_DRAIN_SECONDS);
  return [
    ...paceNotes(pace),
    `Times: a node is back ${boot} after it is drained (--reboot); what does not leave it by itself is seen to at once, and a drain is given up after ${longest}.`,
  ];
}

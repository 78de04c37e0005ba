import { someOf } from '../../kubevirt/words.ts';
import { type Ending, orElse, withMore } from '../ending.ts';
import type { Otherwise } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';
import type { Trail } from '../trail.ts';

/** Evidence names so many at most. */
const MOST_RIVALS = 16;

/**
 * The verdict on a VM that others may take the room of. `isMet`: in the order in which VMs are met here, there is some left for it.
 */
export function toldOfContest(one: Foreseen, isMet: boolean, rivals: readonly string[]): Foreseen {
  const ending = contestedEnding(one.ending, isMet, rivals);
  if (ending === one.ending) return one;
  const says = isMet ? 'others may take the room before it' : 'others have taken the room by its turn';
  one.trail.note('room that others ask for too', 'RoomContested', says, [
    { object: 'this action', path: 'who asks for the same room', value: rivals.slice(0, MOST_RIVALS) },
  ]);
  return { ...one, ending };
}

function contestedEnding(ending: Ending, isMet: boolean, rivals: readonly string[]): Ending {
  if (ending.reason === 'WaitsForRoom') {
    return ending.outcome === 'LiveMigrates' ? contestedWait(ending, isMet) : ending;
  }
  if (rivals.length === 0) return ending;
  switch (ending.outcome) {
    case 'LiveMigrates':
      return contestedMove(ending, isMet, rivals);
    case 'HandedOver':
      return ending.reason === 'CapkMigrates' ? contestedByCapk(ending, someOf(rivals)) : ending;
    case 'Restarts':
    case 'MayStayOff':
      return contestedRestart(ending, isMet, rivals);
    default:
      return ending;
  }
}

/** It moves once others have left room. */
export function waiting(ending: Ending, names: readonly string[]): Ending {
  const waits = { ...ending, leavers: names };
  return { ...waits, outcome: 'LiveMigrates', reason: 'WaitsForRoom', says: waitWords(waits) };
}

/** Who leaves the room. */
export function noteLeavers(trail: Trail, names: readonly string[]): void {
  trail.note('room after others', 'WaitsForRoom', `${someOf(names)} may leave room`, [
    { object: 'this action', path: 'what leaves', value: names },
  ]);
}

/** Others leave room for it, and others ask for that. */
export function contestedWait(ending: Ending, isMet: boolean): Ending {
  if (isMet) {
    const otherwise: Otherwise[] = [...(ending.otherwise ?? []), 'Stays'];
    return { ...ending, otherwise, says: waitWords(ending, ', unless others take it') };
  }
  const says = waitWords(ending, ' that no other VM takes before it');
  return { ...ending, outcome: 'NeverCompletes', otherwise: ['Moves'], says };
}

function waitWords({ lacks, leavers = [] }: Ending, taken = ''): string {
  const leave = leavers.length === 1 ? 'leaves' : 'leave';
  return `cannot migrate yet: ${lacks}; it goes as soon as ${someOf(leavers)} ${leave} room${taken}`;
}

/** Where it is not known whether others take the room that it waits for. */
export function withoutPromise(one: Foreseen): Foreseen {
  const isPromised = one.ending.outcome === 'LiveMigrates' && one.ending.reason === 'WaitsForRoom';
  return isPromised ? { ...one, ending: contestedWait(one.ending, false) } : one;
}

function contestedMove(ending: Ending, isMet: boolean, rivals: readonly string[]): Ending {
  if (isMet) {
    const when = `should ${someOf(rivals)} take the room before it, it stays until there is some again`;
    return orElse(ending, 'Stays', when);
  }
  const { taken, first } = laterThan(rivals);
  return {
    ...withMore(ending, `; should it come ${first}, it moves`),
    outcome: 'NeverCompletes',
    reason: 'RoomTaken',
    otherwise: ['Moves'],
    says: `cannot migrate once ${taken} the room that there is`,
    remedies: ['Make room on other nodes, or add a node.'],
  };
}

function contestedByCapk(ending: Ending, rivals: string): Ending {
  const fails = withMore(ending, `; it fails should ${rivals} take the room before it`);
  return { ...fails, reason: 'CapkMayMigrate' };
}

function contestedRestart(ending: Ending, isMet: boolean, rivals: readonly string[]): Ending {
  if (isMet || ending.outcome === 'MayStayOff') {
    const when = `should ${someOf(rivals)} take its room before it is back, it waits until a node has room for its launcher`;
    return orElse(ending, 'Waits', when);
  }
  const { taken, first } = laterThan(rivals);
  const waits = `, but waits for room once ${taken} what there is; should it come ${first}, it is back at once`;
  return {
    ...withMore(ending, waits),
    reason: 'WaitsForRoom',
    remedies: ['Make room on other nodes, or add a node.'],
  };
}

function laterThan(rivals: readonly string[]): { readonly taken: string; readonly first: string } {
  return rivals.length === 1
    ? { taken: `${someOf(rivals)} has taken`, first: 'before that' }
    : { taken: `${someOf(rivals)} have taken`, first: 'before them' };
}

import { describe, expect, it } from 'vitest';
import type { Outcome, VmVerdict } from '../../forecast/forecast.ts';
import type { VmEnding } from '../rehearsal.ts';
import { newStory, type Story } from '../story.ts';
import { type Comparison, cameTrue } from './agreement.ts';
import type { Guests } from './guests.ts';

interface Played extends Partial<Omit<Story, 'refusals'>> {
  readonly result?: Outcome;
  readonly refusals?: number;
}

function played({ result = 'Untouched', refusals = 0, ...story }: Played): VmEnding {
  const told = refusals > 0 ? new Map([['no', refusals]]) : new Map<string, number>();
  const whole = { ...newStory('default/a', 'n1'), ...story, refusals: told };
  return { result, reason: 'Any', evidence: [], story: whole };
}

interface Foretold
  extends Partial<Omit<Comparison, 'verdict' | 'without'>>,
    Pick<Partial<VmVerdict>, 'otherwise'> {
  readonly reason?: string;
  readonly message?: string;
  readonly code?: number;
  readonly without?: Played;
}

function shows(outcome: Outcome, what: Foretold, happened: Played, guests: Guests = 'ignores'): boolean {
  const { reason = 'Any', message = '', otherwise, code, without = {}, ...rest } = what;
  const answer = code === undefined ? {} : { answer: { code, message: 'no' } };
  const told = { outcome, reason, message, otherwise, ...answer };
  const verdict = { namespace: 'default', name: 'a', ...told } as VmVerdict;
  const base = { action: 'drain', looksFirst: false, givesBack: false } as const;
  return cameTrue(played(happened), { ...base, ...rest, verdict, without: played(without) }, guests);
}

const moved = { from: 'n1', to: 'n2', startAt: 1, endAt: 2 };
const fell = { ...moved, failed: 'Aborted' };
const down = { downAt: 1, how: 'Succeeded' };
const back = { ...down, upAt: 2 };
const MOVES: Played = { result: 'LiveMigrates', moves: [moved] };
const RESTARTS: Played = { result: 'Restarts', outages: [back] };
const PENDING: Played = { result: 'Restarts', outages: [down] };
const STUCK = 'refuses eviction; the migration that is under way finds no node';
const OFF: Played = { result: 'StaysOff', outages: [down] };

describe.each<[Outcome, Foretold, Played, boolean]>([
  ['Cut', {}, { result: 'Cut' }, true],
  ['Cut', {}, RESTARTS, false],
  ['Unknown', {}, {}, false],
  ['LiveMigrates', { otherwise: ['Cut'] }, { result: 'Cut' }, true],
  ['NeverCompletes', { otherwise: ['Moves'] }, MOVES, true],
  ['Deferred', { otherwise: ['Stays'] }, {}, true],
  ['Untouched', {}, { evictionsAccepted: 1 }, false],
  ['Untouched', { reason: 'BeingDeleted' }, { evictionsAccepted: 1 }, true],
  ['Untouched', { otherwise: ['MetAgain'] }, MOVES, true],
  ['Untouched', { otherwise: ['MetAgain'] }, { outages: [back, back] }, false],
  ['Restarts', { otherwise: ['NotReached'] }, {}, true],
  ['LiveMigrates', {}, { result: 'Cut' }, false],
  ['HandedOver', { otherwise: ['Cut'] }, { result: 'Cut' }, true],
  ['Restarts', { reason: 'WaitsForUncordon', givesBack: true }, RESTARTS, true],

  ['Blocks', { message: STUCK }, { refusals: 2, failures: 1 }, true],

  ['Blocks', {}, { refusals: 2 }, true],
  ['Blocks', {}, { refusals: 1 }, false],
  ['Blocks', { code: 500 }, { refusals: 1 }, true],
  ['Blocks', { code: 500, action: 'upgrade' }, { refusals: 1 }, false],
  ['Blocks', { code: 429 }, { refusals: 1 }, false],
  ['Blocks', {}, { refusals: 2, evictionsAccepted: 1 }, false],
  ['Blocks', {}, { refusals: 2, failures: 1 }, false],
  ['Blocks', {}, { ...MOVES, refusals: 2 }, false],
  ['Blocks', {}, { ...RESTARTS, refusals: 2 }, false],
  ['Blocks', { reason: 'NoMigrationPlaces' }, { attempts: 1 }, true],
  ['Blocks', { reason: 'NotLiveMigratable' }, { attempts: 1 }, false],

  ['Blocks', { otherwise: ['ShutDown'] }, { refusals: 2 }, true],
  ['Blocks', { otherwise: ['ShutDown'] }, { ...RESTARTS, evictionsAccepted: 1 }, true],
  ['Blocks', { otherwise: ['ShutDown'] }, RESTARTS, false],
  ['Blocks', { otherwise: ['ShutDown'] }, { ...OFF, evictionsAccepted: 1 }, true],
  ['Blocks', {}, { ...OFF, evictionsAccepted: 1 }, false],
  ['StaysOff', { otherwise: ['Refused'] }, { refusals: 2 }, true],
  ['MayStayOff', { otherwise: ['Refused'] }, { refusals: 2 }, true],
  ['Restarts', { otherwise: ['Refused'] }, { refusals: 2 }, true],
  ['Restarts', { otherwise: ['Refused'] }, { refusals: 2, failures: 1 }, false],
  ['Restarts', {}, { refusals: 2 }, false],

  ['NeverCompletes', {}, { attempts: 1, refusals: 2 }, true],
  ['NeverCompletes', {}, { attempts: 1, refusals: 1 }, false],
  ['NeverCompletes', { action: 'upgrade' }, { attempts: 1 }, true],
  ['NeverCompletes', { action: 'upgrade' }, {}, false],
  ['NeverCompletes', { action: 'upgrade' }, { ...MOVES, attempts: 1 }, false],
  ['NeverCompletes', { action: 'upgrade', looksFirst: true }, {}, true],
  ['NeverCompletes', { action: 'upgrade', looksFirst: true }, { attempts: 1 }, false],
  ['NeverCompletes', { action: 'upgrade', looksFirst: true, reason: 'QuotaExceeded' }, { attempts: 1 }, true],
  ['NeverCompletes', { reason: 'WaitsForRoom', otherwise: ['Moves'] }, MOVES, true],
  ['NeverCompletes', { reason: 'WaitsForRoom', otherwise: ['Moves'] }, { refusals: 2 }, true],
  ['NeverCompletes', { reason: 'WaitsForRoom', otherwise: ['Moves'] }, {}, false],
  ['NeverCompletes', { reason: 'RoomTaken', otherwise: ['Moves'] }, MOVES, true],
  ['NeverCompletes', { reason: 'RoomTaken', otherwise: ['Moves'], action: 'upgrade' }, {}, true],
  ['NeverCompletes', { reason: 'RoomTaken', otherwise: ['Moves'] }, RESTARTS, false],
  ['NeverCompletes', { reason: 'NoRoom' }, MOVES, false],
  ['NeverCompletes', { otherwise: ['Moves'] }, RESTARTS, false],

  ['StaysOff', {}, OFF, true],
  ['StaysOff', {}, PENDING, false],
  ['StaysOff', { reason: 'NoNodeFits' }, PENDING, true],
  ['StaysOff', { reason: 'NoNodeFits' }, RESTARTS, false],

  ['MayStayOff', {}, RESTARTS, true],
  ['MayStayOff', {}, PENDING, false],
  ['MayStayOff', { otherwise: ['Waits'] }, PENDING, true],
  ['MayStayOff', {}, OFF, false],

  ['Restarts', {}, RESTARTS, true],
  ['Restarts', {}, { ...RESTARTS, outages: [back, back] }, false],
  ['Restarts', { without: RESTARTS }, { ...RESTARTS, outages: [back, back] }, true],
  ['Restarts', {}, PENDING, false],
  ['Restarts', { otherwise: ['Waits'] }, PENDING, true],
  ['Restarts', { otherwise: ['Waits'] }, RESTARTS, true],
  ['Restarts', { otherwise: ['Waits'] }, {}, false],
  ['Restarts', {}, OFF, false],
  ['Restarts', { reason: 'WaitsForRoom' }, PENDING, true],
  ['Restarts', { reason: 'WaitsForRoom' }, RESTARTS, true],
  ['Restarts', { reason: 'WaitsForUncordon' }, PENDING, true],
  ['Restarts', { reason: 'WaitsForUncordon' }, RESTARTS, false],

  ['LiveMigrates', {}, MOVES, true],
  ['LiveMigrates', {}, { ...MOVES, moves: [fell, moved] }, true],
  ['LiveMigrates', {}, { ...MOVES, moves: [moved, moved] }, false],
  ['LiveMigrates', { without: MOVES }, { ...MOVES, moves: [moved, moved] }, true],
  ['LiveMigrates', { without: { attempts: 9 } }, { ...MOVES, moves: [moved, moved] }, true],
  ['LiveMigrates', { without: { attempts: 9 } }, { ...MOVES, moves: [moved, moved, moved] }, false],
  ['LiveMigrates', {}, { ...MOVES, result: 'Restarts' }, false],
  ['LiveMigrates', { otherwise: ['Stays'] }, MOVES, true],
  ['LiveMigrates', { otherwise: ['Stays'] }, { refusals: 2 }, true],
  ['LiveMigrates', { otherwise: ['Stays'] }, {}, false],
  ['LiveMigrates', { otherwise: ['Stays'], action: 'upgrade' }, {}, true],
  ['LiveMigrates', { action: 'upgrade' }, {}, false],

  ['Untouched', {}, {}, true],
  ['Untouched', {}, MOVES, false],
  ['Untouched', { without: MOVES }, MOVES, true],
  ['Untouched', { without: MOVES }, { ...MOVES, moves: [moved, moved] }, false],
  ['Untouched', { without: RESTARTS }, { ...RESTARTS, outages: [back, back] }, false],
  ['Deferred', {}, {}, true],
  ['Deferred', {}, MOVES, false],
  ['NeverCompletes', { reason: 'PlacesHeld', otherwise: ['Moves'] }, MOVES, true],
  ['NeverCompletes', { reason: 'PlacesHeld', otherwise: ['Moves'] }, { refusals: 2 }, true],
  ['NeverCompletes', { reason: 'PlacesHeld', otherwise: ['Moves'] }, {}, false],
  ['NeverCompletes', { reason: 'PlacesHeld', otherwise: ['Moves'], action: 'upgrade' }, {}, true],
  ['NeverCompletes', { reason: 'PlacesHeld', otherwise: ['Moves'], action: 'upgrade' }, RESTARTS, false],

  ['HandedOver', { reason: 'ExternalControllerUnknown' }, { result: 'HandedOver', refusals: 2 }, true],
  ['HandedOver', { reason: 'ExternalControllerUnknown' }, { result: 'HandedOver', refusals: 1 }, false],
  ['HandedOver', { reason: 'ExternalControllerUnknown' }, { result: 'Blocks', refusals: 2 }, false],
  ['HandedOver', { reason: 'CapkMigrates' }, MOVES, true],
  ['HandedOver', { reason: 'CapkMigrates' }, RESTARTS, false],
  ['HandedOver', { reason: 'CapkMigrates' }, { ...RESTARTS, failures: 1 }, false],
  ['HandedOver', { reason: 'CapkMayMigrate' }, MOVES, true],
  ['HandedOver', { reason: 'CapkMayMigrate' }, RESTARTS, true],
  ['HandedOver', { reason: 'CapkMayMigrate' }, {}, false],
  ['HandedOver', { reason: 'CapkMigrationFails' }, RESTARTS, true],
  ['HandedOver', { reason: 'CapkMigrationFails' }, MOVES, false],
  ['HandedOver', { reason: 'MachineReplaced' }, OFF, true],
  ['HandedOver', { reason: 'MachineReplaced' }, { ...OFF, result: 'HandedOver' }, true],
  ['HandedOver', { reason: 'MachineReplaced' }, RESTARTS, false],
  ['HandedOver', { reason: 'MachineReplaced' }, PENDING, false],
  ['HandedOver', {}, RESTARTS, true],
  ['HandedOver', {}, PENDING, true],
  ['HandedOver', {}, OFF, false],
  ['HandedOver', { otherwise: ['Replaced'] }, { ...OFF, result: 'HandedOver' }, true],
  ['HandedOver', { otherwise: ['Replaced'] }, RESTARTS, true],
  ['HandedOver', { otherwise: ['Replaced'] }, {}, false],
  ['Untouched', { otherwise: ['Replaced'], without: RESTARTS }, { ...OFF, result: 'HandedOver' }, true],
  ['Untouched', { otherwise: ['Replaced'], without: OFF }, RESTARTS, true],
  ['Untouched', { otherwise: ['Replaced'], without: OFF }, MOVES, false],
  ['Untouched', { otherwise: ['Replaced'], without: MOVES }, RESTARTS, false],
  ['HandedOver', {}, { result: 'HandedOver' }, false],
  ['HandedOver', { message: 'deletes it; the VM stays off: so it is' }, OFF, true],
  ['HandedOver', { message: 'deletes it; the VM stays off: so it is' }, RESTARTS, false],
])('%s, %j', (outcome, what, happened, expected) => {
  it(`${expected ? 'is' : 'is not'} ${JSON.stringify(happened)}`, () => {
    expect(shows(outcome, what, happened)).toBe(expected);
  });
});

it('a guest that shuts down cleanly decides otherwise than one that does not', () => {
  expect(shows('MayStayOff', {}, OFF, 'clean')).toBe(true);
  expect(shows('MayStayOff', {}, RESTARTS, 'clean')).toBe(false);
  expect(shows('MayStayOff', { otherwise: ['Waits'] }, PENDING, 'clean')).toBe(false);
});

import { expect, it } from 'vitest';
import type { Ending } from '../ending.ts';
import { isGoneForSure, type Manner, mannerOf } from './manner.ts';

const budget = { name: 'web', allowed: 1 };

it.each<[string, Partial<Ending>, Manner | undefined]>([
  ['moves', { outcome: 'LiveMigrates' }, 'moves'],
  ['stays off', { outcome: 'StaysOff' }, 'leaves'],
  ['restarts', { outcome: 'Restarts' }, 'restarts'],
  ['restarts once there is room', { outcome: 'Restarts', reason: 'WaitsForRoom' }, 'restarts'],
  ['restarts once a node is uncordoned', { outcome: 'Restarts', reason: 'WaitsForUncordon' }, 'leaves'],
  ['may stay off', { outcome: 'MayStayOff' }, 'restarts'],
  ['may stay off, and fits nowhere', { outcome: 'MayStayOff', reason: 'NoNodeFits' }, 'leaves'],
  ['is migrated by CAPK', { outcome: 'HandedOver', reason: 'CapkMigrates' }, 'moves'],
  ['may be migrated by CAPK', { outcome: 'HandedOver', reason: 'CapkMayMigrate', goesAway: true }, 'moves'],
  ['is deleted by CAPK', { outcome: 'HandedOver', goesAway: false }, 'restarts'],
  ['is taken away by CAPK', { outcome: 'HandedOver', goesAway: true }, 'leaves'],
  ['is replaced', { outcome: 'HandedOver', reason: 'MachineReplaced', goesAway: true }, 'restarts'],
  ['is in unknown hands', { outcome: 'HandedOver', reason: 'ExternalControllerUnknown' }, undefined],
  [
    'is in the hands of CAPK, of what build',
    { outcome: 'HandedOver', reason: 'CapkBuildUnknown' },
    undefined,
  ],
  ['is refused', { outcome: 'Blocks' }, undefined],
  ['is refused while no other moves', { outcome: 'Blocks', noneToSpare: 'web' }, 'restarts'],
  ['is refused after others', { outcome: 'Blocks', spentBy: ['default/a'] }, 'restarts'],
  ['never completes', { outcome: 'NeverCompletes' }, undefined],
  ['is untouched', { outcome: 'Untouched' }, undefined],
])('a VM that %s', (_, ending, expected) => {
  expect(mannerOf({ reason: 'Any', says: '', outcome: 'Unknown', ...ending })).toBe(expected);
});

it.each<[string, Partial<Ending>, boolean]>([
  ['stays off', { outcome: 'StaysOff' }, true],
  ['stays off, unless a budget refuses', { outcome: 'StaysOff', budget }, false],
  ['may stay off', { outcome: 'MayStayOff' }, false],
  ['is taken away', { outcome: 'HandedOver', goesAway: true }, false],
])('whether one is gone for sure that %s', (_, ending, expected) => {
  expect(isGoneForSure({ reason: 'Any', says: '', outcome: 'Unknown', ...ending })).toBe(expected);
});

import { describe, expect, it } from 'vitest';
import type { Behavior } from '../../decide/rules.ts';
import { examine } from './examine.ts';
import { FURTHER_NAMES, type FurtherName } from './further/further.ts';
import { isWrong, tellDifference } from './tally.ts';
import { COMMON_ACTIONS, drawTrial, type TrialAction } from './trial.ts';

/** `npm run accuracy` plays hundreds; these are the first of them. */
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

describe.each(COMMON_ACTIONS)('what is foretold of a %s', (action) => {
  it.each(['exact', 'intended'] as const)('is what happens then in the simulator, %s', async (behavior) => {
    const wrong: string[] = [];
    for (const seed of SEEDS) {
      const finding = await examine(drawTrial(seed, action, behavior));
      wrong.push(...finding.vms.filter(isWrong).map((vm) => tellDifference(finding, vm)));
    }
    expect(wrong).toEqual([]);
  });
});

/** What once went another way than was foretold, by what was wrong. */
it.each<[string, TrialAction, Behavior, number]>([
  ["CAPK overlooks a strategy that is the cluster's: a worker that fails", 'upgrade', 'exact', 10],
  ["CAPK overlooks a strategy that is the cluster's: a worker that could migrate", 'drain', 'exact', 64],
  ["CAPK overlooks a strategy that is the cluster's: the backport", 'drain', 'exact', 154],
  ['v0.1.10 without its defects migrates: an upgrade', 'upgrade', 'intended', 81],
  ['v0.1.10 without its defects migrates: a drain', 'drain', 'intended', 82],
  ['a mark of another node is a mark', 'upgrade', 'exact', 155],
  ['a Machine fails for a mark of any strategy, and takes the VM along: evicted', 'upgrade', 'exact', 90],
  ['a Machine fails for a mark of any strategy, and takes the VM along: refused', 'upgrade', 'exact', 236],
  ['a migration that never ends holds the only place', 'upgrade', 'exact', 264],
  ['one leaves room for another', 'upgrade', 'exact', 271],
  ['a quota has room when one stays away', 'drain', 'exact', 47],
  ['a quota has room when CAPK takes a VM away: an upgrade', 'upgrade', 'exact', 791],
  ['a quota has room when CAPK takes a VM away: a drain', 'drain', 'exact', 845],
  ['a budget has one to spare while another moves', 'upgrade', 'intended', 571],
  ['a budget lets one of two go, and chance says which', 'upgrade', 'intended', 591],
  ['CAPK gives up a migration that no node takes', 'drain', 'exact', 598],
  ['CAPK deletes a VMI before the upgrade evicts the next', 'upgrade', 'exact', 244],
  ['CAPK acts on a mark from before the upgrade', 'upgrade', 'exact', 239],
  ['CAPK acts on a mark from before the upgrade', 'upgrade', 'intended', 239],
  ['one that waits for room takes it from one that restarts', 'upgrade', 'exact', 729],
  ['migrations tried for ever take a place in a quota from one that restarts', 'upgrade', 'exact', 309],
  ['a quota has no place for what is plugged in', 'upgrade', 'exact', 331],
  ['a quota has a place for one that moves while another restarts', 'upgrade', 'exact', 397],
  ['one that goes whatever is drained leaves room', 'drain', 'exact', 1278],
  ['one that moves twice holds the only place', 'upgrade', 'exact', 1560],
  ['CAPK looks when a guest has ended and its VMI is not gone yet', 'upgrade', 'exact', 399],
  ['VMs that are evicted leave a quota its place', 'evict', 'exact', 47],
  ['VMs that are evicted leave room', 'evict', 'exact', 23],
  ['a configuration sets a VM going that leaves room for a marked one', 'config', 'exact', 6],
  ['nodes are looked at again when the key of the drain taint changes', 'config', 'exact', 51],
])('%s (%s, %s, seed %i)', async (_, action, behavior, seed) => {
  const finding = await examine(drawTrial(seed, action, behavior));
  expect(finding.vms.filter(isWrong).map((vm) => tellDifference(finding, vm))).toEqual([]);
});

type Besides =
  | FurtherName
  | 'all'
  | 'all and several'
  | 'all and ending'
  | 'all and starting'
  | 'all with devices'
  | 'several and migrations';
/** All that there was when these were found. */
const FURTHER: Partial<Record<string, readonly FurtherName[]>> = {
  all: FURTHER_NAMES.slice(0, 10),
  'all and several': FURTHER_NAMES.slice(0, 11),
  'all and ending': FURTHER_NAMES.slice(0, 12),
  'all and starting': FURTHER_NAMES.slice(0, 13),
  'all with devices': FURTHER_NAMES.slice(0, 14),
  'several and migrations': ['several', 'migrations'],
};

/** The same of clusters that have more to them. */
it.each<[string, TrialAction, Behavior, number, Besides]>([
  ['VMs that keep apart take the only nodes from each other', 'upgrade', 'exact', 52, 'neighbours'],
  ['a volume that is plugged in is out of reach', 'upgrade', 'exact', 15, 'volumes'],
  ['an updater that does not look at a cap has a migration made', 'upgrade', 'exact', 13, 'caps'],
  ['the same with Drover', 'upgrade', 'intended', 13, 'caps'],
  [
    'a migration that no node takes is given up, and CAPK takes the VM away then',
    'upgrade',
    'exact',
    125,
    'all with devices',
  ],
  ['a migration from before moves a VM whose eviction is refused', 'drain', 'exact', 49, 'migrations'],
  ['a migration from before is quicker than a shutdown', 'drain', 'exact', 62, 'migrations'],
  ['a migration from before brings the launcher of before', 'upgrade', 'exact', 75, 'migrations'],
  [
    'a quota has room while CAPK, whose migration fails, takes a VM away',
    'drain',
    'intended',
    48,
    'migrations',
  ],
  ['a cap of 0 keeps a migration from before in line', 'drain', 'exact', 37, 'migrations'],
  [
    'a migration from before fails while an eviction is refused: marked',
    'drain',
    'intended',
    6,
    'migrations',
  ],
  ['a migration from before fails while an eviction is refused: a budget', 'drain', 'exact', 73, 'all'],
  [
    'a migration from before holds the only place for ever, with Drover too',
    'upgrade',
    'intended',
    68,
    'all',
  ],
  ['a node of Talos goes down before a migration has its turn', 'drain', 'exact', 528, 'all'],
  ['a node of Talos goes down before CAPK gives a migration up', 'drain', 'exact', 598, 'all'],
  ['whoever boots a node anew gives it back', 'drain', 'exact', 525, 'all'],
  ['CAPK takes a worker away before a node of Talos goes down', 'drain', 'exact', 5, 'drains'],
  [
    'a target out of reach of a plugged volume holds the only place',
    'upgrade',
    'intended',
    1116,
    'all and several',
  ],
  [
    'a migration from before finds room before its guest is down',
    'drain',
    'intended',
    1141,
    'all and several',
  ],
  ['a VM follows one that it must be beside', 'upgrade', 'intended', 1163, 'all and several'],
  ['a pod that is no VM keeps the next node from its turn', 'drain', 'intended', 749, 'all and several'],
  ['a VM that is being deleted is back with the launcher of before', 'upgrade', 'exact', 3, 'ending'],
  ['a VM that is being deleted leaves a quota its place', 'drain', 'exact', 10, 'ending'],
  ['the updater takes a migration of its own back', 'drain', 'exact', 618, 'all'],
  ['a guest that is given more asks for more of a quota', 'edit', 'exact', 61, 'all and ending'],
  ['a quota refuses a migration, which holds a place of Drover', 'drain', 'intended', 649, 'all'],
  ['a VM whose node never has its turn moves for its mark', 'drain', 'exact', 5, 'several'],
  [
    'an earlier node is done only if somebody acts on a mark there',
    'drain',
    'intended',
    119,
    'several and migrations',
  ],
  [
    'a VM whose node never has its turn has a migration that finds no node',
    'drain',
    'intended',
    118,
    'several and migrations',
  ],
  ['a VM comes back to a node that is drained later', 'drain', 'exact', 12, 'all and ending'],
  ['the old drain taint takes a VM off a node whose drain stops', 'drain', 'exact', 57, 'all and ending'],
  [
    'a VM that is being deleted leaves a quota its place before a deadline',
    'drain',
    'exact',
    75,
    'all and ending',
  ],
  ['a VM that is being deleted uses up a budget', 'drain', 'exact', 107, 'all and ending'],
  ['a volume is out of reach once a quota has room', 'upgrade', 'exact', 87, 'all and ending'],
  ['a cap that is closed keeps a migration from before in line', 'config', 'exact', 0, 'all and ending'],
  ['a migration that is taken back is quicker', 'config', 'exact', 86, 'all and ending'],
  ['a VM that is starting is not changed by a configuration', 'config', 'exact', 35, 'all and starting'],
  ['a launcher that waits for a node takes the room', 'drain', 'exact', 6, 'starting'],
  ['a VM that is starting is evicted', 'drain', 'exact', 7, 'starting'],
  ['a VM that is starting is updated once it runs', 'upgrade', 'exact', 5, 'starting'],
  [
    'a VM that is being deleted is back on a node that is drained later',
    'drain',
    'exact',
    5125,
    'all and starting',
  ],
  ['a VM that is starting leaves room once it is updated', 'upgrade', 'exact', 5138, 'all and starting'],
  ['a VM that is starting keeps the next node from its turn', 'drain', 'exact', 5149, 'all and starting'],
  ['a launcher that no node takes holds its place in a quota', 'upgrade', 'exact', 5216, 'all and starting'],
  [
    'a Machine fails before those of nodes that are drained later',
    'drain',
    'exact',
    5231,
    'all and starting',
  ],
  ['a migration from before is quicker than CAPK', 'drain', 'exact', 5247, 'all and starting'],
  [
    'a VM that a selector passes over is kept from moving by cordons',
    'drain',
    'exact',
    5382,
    'all and starting',
  ],
  [
    'a VM that a selector passes over moves before it is called off',
    'drain',
    'exact',
    5409,
    'all and starting',
  ],
  ['a budget lets go once another VM is up', 'upgrade', 'exact', 5327, 'all and starting'],
  ['a VM that is being deleted is back before it is edited', 'edit', 'exact', 5037, 'all and starting'],
  ['CAPK acts on the mark of a VM that is being deleted', 'evict', 'exact', 5051, 'all and starting'],
  ['a migration that is taken back is quicker than a shutdown', 'evict', 'exact', 6106, 'all with devices'],
  ['a Machine fails beside one whose VM is being deleted', 'evict', 'exact', 6059, 'all with devices'],
  ['a launcher that is made anew asks a quota for more', 'upgrade', 'exact', 5078, 'all and starting'],
  ['an upgrade gives a migration from before a purpose', 'upgrade', 'exact', 5032, 'all and starting'],
  ['the old drain taint takes a VM that moves back', 'upgrade', 'intended', 638, 'all and ending'],
  ["CAPK gives up beside somebody else's migration", 'drain', 'intended', 221, 'all with devices'],
  ['one that moves by chance leaves room', 'upgrade', 'intended', 7004, 'all with devices'],
  ['a VM that is starting leaves room once CAPK has it', 'upgrade', 'intended', 7007, 'all with devices'],
  ['CAPK sees the guest of a VM that is being deleted ended', 'drain', 'intended', 7017, 'all with devices'],
  ['a VM that is being deleted is back on its node in time', 'drain', 'intended', 7020, 'all with devices'],
  ['Machines fail together in an upgrade', 'upgrade', 'exact', 9111, 'all with devices'],
  ['Machines fail together, or one before the others', 'upgrade', 'exact', 5334, 'all with devices'],
  ['a drain does not get past attachment pods', 'drain', 'exact', 9241, 'all with devices'],
  ['pods that a drain takes away leave room', 'drain', 'exact', 5356, 'all with devices'],
  ['a migration for plugged volumes is never given up', 'upgrade', 'exact', 10127, 'all with devices'],
  ['a migration from before never has its turn', 'upgrade', 'exact', 12021, 'all with devices'],
  ['a migration that is given up gets room before', 'upgrade', 'exact', 12065, 'all with devices'],
  ['a quota lets a migration in that no node takes', 'upgrade', 'exact', 10091, 'all with devices'],
  ['a migration is given up of a VM whose mark is none', 'upgrade', 'exact', 13277, 'all with devices'],
  ['CAPK deletes a VM that has moved first', 'upgrade', 'exact', 13069, 'all with devices'],
  ['a budget is used up by marked VMs', 'drain', 'exact', 13098, 'all with devices'],
  ['a budget is used up by pods of no VM', 'drain', 'intended', 15465, 'all with devices'],
  ['a VM is back on its node before that is booted', 'drain', 'exact', 17071, 'all with devices'],
  ['a quota has a place for one moment on a node drained later', 'drain', 'exact', 16076, 'all with devices'],
  ['a quota has a place for a VM that is left alone', 'drain', 'exact', 13130, 'all with devices'],
])('%s (%s, %s, seed %i, with %s)', async (_, action, behavior, seed, further) => {
  const finding = await examine(
    drawTrial(seed, action, behavior, FURTHER[further] ?? [further as FurtherName]),
  );
  expect(finding.vms.filter(isWrong).map((vm) => tellDifference(finding, vm))).toEqual([]);
});

it('the same seed gives the same trial', () => {
  expect(drawTrial(7, 'drain', 'exact')).toEqual(drawTrial(7, 'drain', 'exact'));
  expect(drawTrial(8, 'drain', 'exact').cluster).not.toEqual(drawTrial(7, 'drain', 'exact').cluster);
});

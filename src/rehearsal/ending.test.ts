import { describe, expect, it } from 'vitest';
import { decide } from '../decide/rules.ts';
import { resolveSettings } from '../decide/settings.ts';
import { aKubeVirt, aVm, aVmi } from '../kubevirt/builders.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { MemoryApi } from '../simulation/memory-api.ts';
import { MemoryCluster } from '../simulation/memory-cluster.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { endingTable } from './ending.ts';
import { Observer } from './observer.ts';
import { newStory, type Story } from './story.ts';

const settings = resolveSettings(aKubeVirt().build());
const refused = new Map([['no', 2]]);
const off = { downAt: 1, how: 'Succeeded' };
const back = { ...off, upAt: 2 };
const moved = { from: 'n1', to: 'n2', startAt: 1, endAt: 2 };
const up = () => aVmi().on('n1');
const others = { isLeftToOthers: true, isGone: true };

describe('what the owner of a VM has seen in the end', () => {
  it.each<[string, Partial<Story>, Vmi | undefined, string]>([
    ['CutDown', { outages: [{ downAt: 1, how: 'Cut', upAt: 2 }], ...others }, up().build(), 'Cut'],
    ['ReplacedByOthers', { outages: [off], ...others }, undefined, 'HandedOver'],
    ['OffInTheEnd', { outages: [off], isGone: true }, undefined, 'StaysOff'],
    ['OffInTheEnd', { outages: [off], isLeftToOthers: true }, undefined, 'StaysOff'],
    ['OffInTheEnd', { outages: [off] }, aVmi().phase('Succeeded').build(), 'StaysOff'],
    ['OffInTheEnd', { outages: [off] }, aVmi().phase('Failed').build(), 'StaysOff'],
    ['CameBack', { outages: [off] }, aVmi().phase('Pending').build(), 'Restarts'],
    ['CameBack', { outages: [back], moves: [moved] }, up().build(), 'Restarts'],
    ['Moved', { moves: [moved] }, up().build(), 'LiveMigrates'],
    ['LeftToOthers', { refusals: refused }, up().strategy('External').marked('n1').build(), 'HandedOver'],
    ['StillTrying', { moves: [{ ...moved, failed: 'why' }], attempts: 1 }, up().build(), 'NeverCompletes'],
    ['StillTrying', { attempts: 2, calledOff: 1 }, up().build(), 'NeverCompletes'],
    [
      'StillTrying',
      { attempts: 1, calledOff: 1, refusals: refused },
      up().strategy('LiveMigrate').marked('n1').build(),
      'NeverCompletes',
    ],
    ['Refused', { attempts: 1, calledOff: 1, refusals: refused }, up().build(), 'Blocks'],
    [
      'NothingHappened',
      { moves: [{ ...moved, failed: 'why' }], attempts: 1, calledOff: 1 },
      up().build(),
      'Untouched',
    ],
    [
      'StillTrying',
      { refusals: refused },
      up().strategy('LiveMigrate').marked('n1').build(),
      'NeverCompletes',
    ],
    ['Refused', { refusals: refused }, up().strategy('LiveMigrate').marked('n2').build(), 'Blocks'],
    ['Refused', { refusals: refused }, undefined, 'Blocks'],
    ['NothingHappened', {}, up().marked('n1').build(), 'Untouched'],
  ])('%s', (reason, change, vmi, outcome) => {
    const story = { ...newStory('shop/db', 'n1'), ...change };
    expect(decide(endingTable, { story, vmi, settings })).toMatchObject({ reason, result: outcome });
  });
});

describe('a story', () => {
  async function storyOf(strategy: string, act: (api: MemoryApi) => void): Promise<Story | undefined> {
    const clock = new VirtualClock(0);
    const api = new MemoryApi(clock, seededRandom(1));
    for (const object of [aKubeVirt().build(), aVm('db').build(), up().strategy(strategy).build()])
      api.put((object as { kind: 'VirtualMachine' }).kind, object);
    const cluster = new MemoryCluster({ api, clock });
    const { stories } = new Observer(cluster, clock);
    act(api);
    await clock.settle();
    return stories.get('shop/db');
  }
  const mark = (api: MemoryApi) =>
    api.patch('VirtualMachineInstance', 'shop/db', [
      { op: 'add', path: '/status/evacuationNodeName', value: 'n1' },
    ]);

  it.each([
    ['External', true],
    ['LiveMigrate', false],
  ])('of a marked VM with strategy %s: left to others %s', async (strategy, isLeftToOthers) => {
    expect(await storyOf(strategy, mark)).toMatchObject({ isLeftToOthers, isGone: false });
  });

  it('tells that the VM is gone, until there is one again', async () => {
    const remove = (api: MemoryApi) => api.delete('VirtualMachine', 'shop/db');
    expect(await storyOf('External', remove)).toMatchObject({ isGone: true });
    const again = (api: MemoryApi) => {
      remove(api);
      api.put('VirtualMachine', aVm('db').build());
    };
    expect(await storyOf('External', again)).toMatchObject({ isGone: false, isLeftToOthers: false });
  });
});

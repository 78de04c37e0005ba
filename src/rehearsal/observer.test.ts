import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../kubevirt/builders.ts';
import type { Migration, Vmi } from '../kubevirt/objects.ts';
import { MemoryApi } from '../simulation/memory-api.ts';
import { MemoryCluster } from '../simulation/memory-cluster.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { Observer } from './observer.ts';

const START = '2026-03-01T12:00:00Z';
const END = '2026-03-01T12:01:00Z';
const migration = aMigration('move').phase('Running').build();
const state = { migrationUid: 'uid-move', sourceNode: 'n1', targetNode: 'n2' };
const idle = aVmi().on('n1').build();
const copying = aVmi()
  .on('n1')
  .migrationState({ ...state, startTimestamp: START })
  .build();
const moved = aVmi()
  .on('n2')
  .migrationState({ ...state, startTimestamp: START, endTimestamp: END, completed: true })
  .build();
const crashed = aVmi().on('n1').phase('Failed').build();

/** Somebody who watches from a second after the start on; each thing that `becomes` is a second later. */
async function watched(objects: readonly (Vmi | Migration)[]) {
  const at = Date.parse(START) + 1000;
  const clock = new VirtualClock(at);
  const api = new MemoryApi(clock, seededRandom(1));
  for (const object of objects) api.put((object as { kind: 'VirtualMachineInstance' }).kind, object);
  const observer = new Observer(new MemoryCluster({ api, clock }), clock);
  const becomes = async (vmi: Vmi) => {
    await clock.advance(1);
    api.put('VirtualMachineInstance', vmi);
    await clock.settle();
  };
  return { observer, becomes, story: () => observer.stories.get('shop/db'), at };
}

describe('a copy that was under way before anybody looked', () => {
  it('is a move from the beginning, and its migration an attempt', async () => {
    const { story, becomes, at } = await watched([copying, migration]);
    const move = { from: 'n1', to: 'n2', startAt: at };
    expect(story()).toMatchObject({ attempts: 1, moves: [move], waits: [{ fromAt: at, untilAt: at }] });
    await becomes(moved);
    expect(story()).toMatchObject({ node: 'n2', moves: [{ ...move, endAt: at + 1000 }] });
  });

  it.each<[string, Migration[]]>([
    ['is nothing where its migration has ended', [aMigration('move').phase('Failed').build()]],
    ['is nothing where its migration is gone', []],
  ])('%s', async (_, migrations) => {
    const { story } = await watched([copying, ...migrations]);
    expect(story()).toMatchObject({ attempts: 0, moves: [], waits: [] });
  });
});

it('a migration that was pending before anybody looked waits from the beginning', async () => {
  const { story, at } = await watched([idle, aMigration('move').phase('Pending').build()]);
  expect(story()).toMatchObject({ attempts: 1, moves: [], waits: [{ fromAt: at }] });
});

it('a migration of nobody is no story', async () => {
  const { observer } = await watched([aMigration('move', 'gone').build()]);
  expect([...observer.stories]).toEqual([]);
});

describe('a copy whose guest goes down', () => {
  it('with the VMI has failed, and is under way no more', async () => {
    const { story, becomes, at } = await watched([idle]);
    await becomes(copying);
    await becomes(crashed);
    const failed = 'the guest went down';
    expect(story()).toMatchObject({
      moves: [{ startAt: at + 1000, endAt: at + 2000, failed }],
      outages: [{ downAt: at + 2000, how: 'Failed' }],
    });
  });

  it('with its node has failed when the node fell', async () => {
    const { observer, story, becomes, at } = await watched([idle]);
    await becomes(copying);
    observer.nodeFalls('n1');
    await becomes(crashed);
    expect(story()).toMatchObject({
      moves: [{ endAt: at + 1000, failed: 'the guest went down' }],
      outages: [{ downAt: at + 1000, how: 'Cut' }],
    });
  });
});

import { expect, it } from 'vitest';
import { aPod, aVmi } from '../kubevirt/builders.ts';
import { MemoryApi, type StoredChange } from './memory-api.ts';
import { OwnerCollector } from './owner-collector.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

function begin() {
  const clock = new VirtualClock(0);
  const api = new MemoryApi(clock, seededRandom(1));
  new OwnerCollector(api);
  return { api, clock };
}

const owned = (...uids: string[]) =>
  aPod('p')
    .meta({ ownerReferences: uids.map((uid) => ({ kind: 'VirtualMachineInstance', name: uid, uid })) })
    .build();

it('collects what is made for an owner that is gone, after that was told', async () => {
  const { api, clock } = begin();
  api.put('VirtualMachineInstance', aVmi('db').build());
  api.delete('VirtualMachineInstance', 'shop/db');
  const told: string[] = [];
  api.watch(
    ({ before, after }: StoredChange) => void told.push(before ? (after ? 'changed' : 'gone') : 'came'),
  );
  api.create('Pod', 'shop', owned('uid-db'));
  expect(told).toEqual(['came']);
  await clock.settle();
  expect(told).toEqual(['came', 'gone']);
});

it.each([
  ['an owner that is there', owned('uid-db')],
  ['one of two owners there', owned('uid-gone', 'uid-db')],
  ['an owner that was never seen', owned('uid-unknown')],
  ['a gone owner and one that was never seen', owned('uid-gone', 'uid-unknown')],
  ['no owner', aPod('p').build()],
])('leaves alone what has %s', async (_, pod) => {
  const { api, clock } = begin();
  api.put('VirtualMachineInstance', aVmi('db').build());
  api.put('VirtualMachineInstance', aVmi('gone').build());
  api.delete('VirtualMachineInstance', 'shop/gone');
  api.create('Pod', 'shop', pod);
  await clock.settle();
  expect(api.get('Pod', 'shop/p')).toBeDefined();
});

it('does not take another one of the same name', async () => {
  const { api, clock } = begin();
  api.put('VirtualMachineInstance', aVmi('db').build());
  api.delete('VirtualMachineInstance', 'shop/db');
  api.create('Pod', 'shop', owned('uid-db'));
  api.delete('Pod', 'shop/p', { graceSeconds: 0 });
  api.put('Pod', aPod('p').build());
  await clock.settle();
  expect(api.get('Pod', 'shop/p')).toBeDefined();
});

it('collects when the last owner goes', () => {
  const { api } = begin();
  for (const name of ['a', 'b']) api.put('VirtualMachineInstance', aVmi(name).build());
  api.create('Pod', 'shop', owned('uid-a', 'uid-b'));
  api.delete('VirtualMachineInstance', 'shop/a');
  expect(api.get('Pod', 'shop/p')).toBeDefined();
  api.delete('VirtualMachineInstance', 'shop/b');
  expect(api.get('Pod', 'shop/p')).toBeUndefined();
});

import { beforeEach, describe, expect, it } from 'vitest';
import { aMigration, aNode, aPod, aVmi } from '../kubevirt/builders.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { type Deed, DeedsInHand } from './in-hand.ts';
import type { Change } from './ports.ts';

const MIGRATE: Deed = { kind: 'migrate', name: 'move-1' };
const NAMELESS: Deed = { kind: 'migrate' };
const EVICT: Deed = { kind: 'evict', name: 'virt-launcher-db-1' };
const vmi = aVmi('db').on('n1').build();
const pod = aPod().on('n1').launcherOf(vmi).build();

let clock: VirtualClock;
let deeds: DeedsInHand;
beforeEach(() => {
  clock = new VirtualClock();
  deeds = new DeedsInHand(clock);
});

const change = (kind: Change['kind'], key: string, before?: object, after?: object) =>
  ({ kind, key, before, after }) as Change;
const migration = (name: string, vmiName = 'db') =>
  change('VirtualMachineInstanceMigration', `shop/${name}`, undefined, aMigration(name, vmiName).build());
const vmiNow = (after?: object) => change('VirtualMachineInstance', 'shop/db', vmi, after);
const podNow = (after?: object, key = 'shop/virt-launcher-db-1') => change('Pod', key, pod, after);

describe('a deed is in hand', () => {
  it('from when it is taken, for this VMI only', () => {
    expect(deeds.has(vmi)).toBe(false);
    deeds.take(vmi, MIGRATE);
    expect(deeds.has(vmi)).toBe(true);
    expect(deeds.has(aVmi('web').build())).toBe(false);
    expect(deeds.has(aVmi('db').meta({ uid: 'another' }).build())).toBe(false);
  });

  it('until it was refused', () => {
    deeds.take(vmi, MIGRATE);
    deeds.release(vmi);
    expect(deeds.has(vmi)).toBe(false);
  });

  it('and who waits for it hears when it ends sooner than was to be expected', () => {
    const told: string[] = [];
    const leave = deeds.onShortened(({ metadata }) => told.push(metadata.name));
    deeds.release(vmi);
    deeds.take(vmi, MIGRATE);
    expect([deeds.heldUntil(vmi), told]).toEqual([300_000, []]);
    deeds.doubt(vmi, MIGRATE);
    expect([deeds.heldUntil(vmi), told]).toEqual([60_000, ['db']]);
    deeds.release(vmi);
    expect([deeds.heldUntil(vmi), told]).toEqual([undefined, ['db', 'db']]);
    leave();
    deeds.take(vmi, MIGRATE);
    deeds.release(vmi);
    expect(told).toHaveLength(2);
  });

  it('for five minutes at most', async () => {
    deeds.take(vmi, EVICT);
    await clock.advance(299.9);
    expect(deeds.has(vmi)).toBe(true);
    await clock.advance(0.1);
    expect(deeds.has(vmi)).toBe(false);
  });

  it('for a minute where nobody knows whether it was done, unless it was seen', async () => {
    deeds.take(vmi, EVICT);
    await clock.advance(10);
    deeds.doubt(vmi, EVICT);
    await clock.advance(59.9);
    expect(deeds.has(vmi)).toBe(true);
    await clock.advance(0.1);
    expect(deeds.has(vmi)).toBe(false);
    deeds.take(vmi, MIGRATE);
    deeds.observe(migration('move-1'));
    deeds.doubt(vmi, MIGRATE);
    expect(deeds.has(vmi)).toBe(false);
  });
});

describe.each<[string, Deed, Change, boolean]>([
  ['the migration', MIGRATE, migration('move-1'), true],
  [
    'its deletion',
    MIGRATE,
    change('VirtualMachineInstanceMigration', 'shop/move-1', aMigration().build()),
    true,
  ],
  ['another migration', MIGRATE, migration('move-2'), false],
  ['the migration of another VMI', MIGRATE, migration('move-1', 'web'), false],
  ['any new migration', NAMELESS, migration('move-2'), true],
  [
    'a change of an old migration',
    NAMELESS,
    change(
      'VirtualMachineInstanceMigration',
      'shop/move-2',
      aMigration('move-2').build(),
      aMigration('move-2').build(),
    ),
    false,
  ],
  ['a mark', MIGRATE, vmiNow(aVmi('db').on('n1').marked().build()), false],
  ['the VMI gone', MIGRATE, vmiNow(), true],
  ['another VMI of that name', MIGRATE, vmiNow(aVmi('db').meta({ uid: 'another' }).build()), true],
  ['the pod gone', MIGRATE, podNow(), false],
  ['the pod gone', EVICT, podNow(), true],
  ['the pod on its way out', EVICT, podNow(aPod().deleting().build()), true],
  ['the pod at its end', EVICT, podNow(aPod().phase('Succeeded').build()), true],
  ['the pod as it was', EVICT, podNow(pod), false],
  ['another pod gone', EVICT, podNow(undefined, 'shop/virt-launcher-web-1'), false],
  ['a pod gone elsewhere', EVICT, podNow(undefined, 'lab/virt-launcher-db-1'), false],
  ['a mark', EVICT, vmiNow(aVmi('db').on('n1').marked().build()), true],
  ['the VMI at its end', EVICT, vmiNow(aVmi('db').phase('Failed').build()), true],
  ['the VMI on its way out', EVICT, vmiNow(aVmi('db').deleting().build()), true],
  ['the VMI gone', EVICT, vmiNow(), true],
  ['the VMI as it was', EVICT, vmiNow(vmi), false],
  ['a migration', EVICT, migration('virt-launcher-db-1'), false],
  ['a node', EVICT, change('Node', 'n1', aNode().build()), false],
])('%s', (_, deed, seen, isEffect) => {
  it(`is ${isEffect ? 'the' : 'no'} effect of: ${deed.kind}`, () => {
    deeds.take(vmi, deed);
    deeds.observe(seen);
    expect(deeds.has(vmi)).toBe(!isEffect);
  });
});

it('knows the migrations that were sent and are not seen', async () => {
  deeds.take(vmi, MIGRATE);
  deeds.take(aVmi('web').build(), { kind: 'migrate', name: 'move-2' });
  deeds.take(aVmi('ci').build(), EVICT);
  expect(deeds.unseenMigrations()).toEqual(['shop/db', 'shop/web']);
  deeds.observe(migration('move-1'));
  expect(deeds.unseenMigrations()).toEqual(['shop/web']);
  await clock.advance(300);
  expect(deeds.unseenMigrations()).toEqual([]);
});

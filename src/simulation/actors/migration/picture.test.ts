import { describe, expect, it } from 'vitest';
import { Fleet, type Kind, type KindMap } from '../../../fleet/fleet.ts';
import { aKubeVirt, aMigration, aPod, aVmi } from '../../../kubevirt/builders.ts';
import type { Migration } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { MigrationPicture } from './picture.ts';

function aPicture() {
  const fleet = new Fleet();
  const picture = new MigrationPicture(fleet);
  const put = <K extends Kind>(kind: K, after: KindMap[K]): void => {
    const before = fleet.get(kind, keyOf(after));
    fleet.apply(kind, after);
    picture.see({ kind, key: keyOf(after), before, after } as never);
  };
  const remove = <K extends Kind>(kind: K, key: string): void => {
    const before = fleet.get(kind, key);
    fleet.remove(kind, key);
    picture.see({ kind, key, before, after: undefined } as never);
  };
  return { fleet, picture, put, remove };
}

const MIGRATION = 'VirtualMachineInstanceMigration';
const names = (migrations: readonly Migration[]) => migrations.map(({ metadata }) => metadata.name);
const takers = (picture: MigrationPicture) => names([...picture.takers()].map(({ migration }) => migration));
const vmi = aVmi().on('n1').build();
const order = aMigration('m').phase('Pending').build();
const target = () => aPod('target').targetOf(vmi, order);

describe('who takes a place', () => {
  it('is who runs, and who has a target pod', () => {
    const { picture, put, remove } = aPicture();
    put('VirtualMachineInstance', vmi);
    put(MIGRATION, order);
    put(MIGRATION, aMigration('running').phase('Running').build());
    put(MIGRATION, aMigration('over').phase('Failed').build());
    expect(takers(picture)).toEqual(['running']);
    put('Pod', target().build());
    expect(takers(picture)).toEqual(['running', 'm']);
    remove('Pod', 'shop/target');
    expect(takers(picture)).toEqual(['running']);
    remove(MIGRATION, 'shop/running');
    expect(takers(picture)).toEqual([]);
  });

  it('is nobody whose VMI is gone, unless it runs', () => {
    const { picture, put } = aPicture();
    put(MIGRATION, order);
    put('Pod', target().build());
    put(MIGRATION, aMigration('running').phase('Scheduled').build());
    expect(takers(picture)).toEqual(['running']);
    expect([...picture.takers()][0]).toMatchObject({ vmi: undefined, hasTargetPod: false });
  });

  it('ends with the migration, whatever its pods do', () => {
    const { picture, put } = aPicture();
    put('VirtualMachineInstance', vmi);
    put('Pod', target().build());
    put(MIGRATION, order);
    expect(takers(picture)).toEqual(['m']);
    put(MIGRATION, aMigration('m').phase('Succeeded').build());
    expect(takers(picture)).toEqual([]);
  });

  it('is found in a fleet that is there already', () => {
    const { fleet, put } = aPicture();
    put('VirtualMachineInstance', vmi);
    put('Pod', target().build());
    put(MIGRATION, order);
    const picture = new MigrationPicture(fleet);
    expect(takers(picture)).toEqual(['m']);
    expect(picture.byUid('uid-m')).toBe(order);
    expect([...picture.awake]).toEqual(['shop/m']);
  });

  it('changes are counted, and only those', () => {
    const { picture, put, remove } = aPicture();
    const changes = (act: () => void): boolean => {
      const before = picture.occupations;
      act();
      return picture.occupations !== before;
    };
    expect(changes(() => put('VirtualMachineInstance', vmi))).toBe(true);
    expect(changes(() => put('VirtualMachineInstance', aVmi().on('n1').marked().build()))).toBe(false);
    const moving = aVmi().on('n1').migrationState({ sourceNode: 'n1' }).build();
    expect(changes(() => put('VirtualMachineInstance', moving))).toBe(true);
    expect(changes(() => put('VirtualMachineInstance', aVmi().on('n2').build()))).toBe(true);
    expect(changes(() => put(MIGRATION, order))).toBe(false);
    expect(changes(() => put('Pod', target().build()))).toBe(true);
    expect(changes(() => put('Pod', target().phase('Pending').build()))).toBe(false);
    expect(changes(() => put(MIGRATION, aMigration('m').phase('Scheduling').build()))).toBe(false);
    expect(changes(() => put('Pod', aPod('other').build()))).toBe(false);
    expect(changes(() => remove(MIGRATION, 'shop/m'))).toBe(true);
    expect(changes(() => put('KubeVirt', aKubeVirt().build()))).toBe(true);
    expect(changes(() => put('Namespace', { metadata: { name: 'shop' } }))).toBe(false);
  });
});

describe('target pods', () => {
  it('are launchers of a VMI with the UID of the migration, the first by name', () => {
    const { picture, put, remove } = aPicture();
    put('Pod', aPod('z').targetOf(vmi, order).build());
    put('Pod', aPod('a').targetOf(vmi, order).build());
    put('Pod', aPod('other').targetOf(aVmi('other').build(), order).build());
    put('Pod', aPod('attachment').targetOf(vmi, order).labelled('kubevirt.io', 'hotplug-disk').build());
    const pod = () => picture.targetPodOf(order, vmi)?.metadata.name;
    expect(pod()).toBe('a');
    remove('Pod', 'shop/a');
    expect(pod()).toBe('z');
    remove('Pod', 'shop/z');
    expect(pod()).toBeUndefined();
    expect(picture.targetPodOf({ metadata: { name: 'bare' } }, vmi)).toBeUndefined();
  });
});

describe('pending migrations', () => {
  const pending = (name: string, priority?: string) =>
    aMigration(name).spec({ vmiName: name, priority }).phase('Pending').build();

  it('come by priority, then in the order in which they became so, as far as they are among the first', () => {
    const { picture, put, remove } = aPicture();
    for (const name of ['c', 'a', 'b']) put(MIGRATION, pending(name));
    for (const name of ['y', 'x']) put(MIGRATION, pending(name, 'system-critical'));
    put(MIGRATION, { ...pending('c'), status: { phase: 'Pending', conditions: [] } });
    const first = (most: number, ...keys: string[]) => {
      picture.pending.countAsFirst(most);
      return names(picture.firstPending(keys.map((key) => `shop/${key}`)));
    };
    expect(first(9, 'a', 'c', 'x', 'gone')).toEqual(['x', 'c', 'a']);
    expect(first(4, 'b', 'a', 'c', 'y')).toEqual(['y', 'c', 'a']);
    expect(first(2, 'b', 'a', 'c')).toEqual([]);
    put(MIGRATION, aMigration('c').phase('Scheduling').build());
    remove(MIGRATION, 'shop/y');
    expect(first(3, 'a', 'b', 'c', 'x', 'y')).toEqual(['x', 'a', 'b']);
    expect(first(0, 'x')).toEqual([]);
    expect(first(3)).toEqual([]);
  });

  it('are awake until a cap holds them back, and again once they may ask', () => {
    const { picture, put } = aPicture();
    for (const name of ['a', 'b']) put(MIGRATION, pending(name));
    picture.letSleep('shop/a');
    expect([...picture.awake]).toEqual(['shop/b']);
    picture.letAsk('shop/a');
    picture.letAsk('shop/unknown');
    expect([...picture.awake]).toEqual(['shop/b', 'shop/a']);
    put(MIGRATION, aMigration('b').phase('Scheduling').build());
    expect([...picture.awake]).toEqual(['shop/a']);
  });

  it('that a quota has refused are known by namespace', () => {
    const { picture, put } = aPicture();
    const refused = aMigration('r').phase('Pending').condition('migrationRejectedByResourceQuota');
    put(MIGRATION, refused.build());
    put(MIGRATION, pending('other'));
    expect(picture.rejectedIn('shop')).toEqual(['shop/r']);
    expect(picture.rejectedIn('sho')).toEqual([]);
    put(MIGRATION, refused.phase('Scheduling').build());
    expect(picture.rejectedIn('shop')).toEqual([]);
  });

  it('are known by their UID as long as they are there', () => {
    const { picture, put, remove } = aPicture();
    put(MIGRATION, order);
    expect(picture.byUid('uid-m')).toBe(order);
    expect(picture.byUid(undefined)).toBeUndefined();
    remove(MIGRATION, 'shop/m');
    expect(picture.byUid('uid-m')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import { aMigration, aPod, aVmi } from '../kubevirt/builders.ts';
import type { Migration, Pod } from '../kubevirt/objects.ts';
import { migrationsWithoutNode } from './under-way.ts';

const vmi = aVmi('db').on('n1').build();
const source = aPod('virt-launcher-db-1').launcherOf(vmi).on('n1').build();
const target = () => aPod('virt-launcher-db-2').launcherOf(vmi);

function found(migrations: readonly Migration[], pods: readonly Pod[], unseen: readonly string[] = []) {
  const fleet = new Fleet();
  fleet.apply('VirtualMachineInstance', vmi);
  for (const migration of migrations) fleet.apply('VirtualMachineInstanceMigration', migration);
  for (const pod of [source, ...pods]) fleet.apply('Pod', pod);
  return migrationsWithoutNode(fleet, { unseenMigrations: () => [...unseen] }).map(
    ({ vmi: { metadata }, hasPod }) => `${metadata.name} ${hasPod}`,
  );
}
const under = (phase: string, of = 'db') => aMigration(`m-${phase}`, of).phase(phase).build();

describe('migrations without a node', () => {
  it.each<[string, string[], readonly Migration[], readonly Pod[], string[]?]>([
    ['there is none', [], [], []],
    ['it is without a pod', ['db false'], [under('Pending')], []],
    ['its pod waits', ['db true'], [under('Scheduling')], [target().build()]],
    ['its pod has a node', [], [under('Scheduled')], [target().on('n2').build()]],
    [
      'the pod of an earlier one has ended',
      ['db false'],
      [under('Pending')],
      [aPod('virt-launcher-db-3').launcherOf(vmi).on('n2').phase('Failed').build()],
    ],
    ['it is over', [], [under('Succeeded'), under('Failed')], []],
    ['its VMI is gone', [], [under('Pending', 'web')], []],
    ['it was sent and is not seen', ['db false'], [], [], ['shop/db']],
    ['it was sent, and another is there', ['db false'], [under('Pending')], [], ['shop/db']],
    ['it was sent, and the VMI is gone', [], [], [], ['shop/web']],
  ])('%s', (_, expected, migrations, pods, unseen = []) => {
    expect(found(migrations, pods, unseen)).toEqual(expected);
  });
});

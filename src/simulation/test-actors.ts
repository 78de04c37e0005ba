import type { Random } from '../controllers/ports.ts';
import { objectAt } from '../kubevirt/json.ts';
import { formatInstant } from '../kubevirt/time.ts';
import type { StoredChange } from './memory-api.ts';
import type { StoredObject } from './stored-object.ts';
import { anOldVmi, launcherOf, MIGRATION, NEW_IMAGE, type World } from './test-world.ts';

const VMI = 'VirtualMachineInstance';

/**
 * Rough stand-ins for what acts on what controllers do: migrations run and end, well or not; pods that are on their way out go, and
 * their VMs start again with the new launcher.
 */
export function playKubeVirt(world: World, random: Random, failureRate: number): void {
  const { api, clock } = world;
  const between = (least: number, most: number): number => least + random.next() * (most - least);
  const later = (least: number, most: number, act: () => void): void =>
    void clock.after(between(least, most), act);

  function runMigration(name: string, vmiName: string): void {
    later(0.5, 10, () => {
      if (!setPhase(name, 'Running')) return;
      setVmiStatus(vmiName, { migrationState: { startTimestamp: formatInstant(clock.now()) } });
      later(5, 60, () => endMigration(name, vmiName));
    });
  }

  function endMigration(name: string, vmiName: string): void {
    const succeeds = random.next() >= failureRate;
    const vmi = api.get(VMI, `shop/${vmiName}`);
    const ended = formatInstant(clock.now());
    const migrationState = { startTimestamp: ended, endTimestamp: ended };
    if (vmi && succeeds) {
      const nodeName = objectAt(vmi, 'status').nodeName === 'n1' ? 'n2' : 'n1';
      const moved = {
        nodeName,
        launcherContainerImageVersion: NEW_IMAGE,
        evacuationNodeName: '',
        migrationState,
      };
      setVmiStatus(vmiName, moved);
      api.delete('Pod', `shop/virt-launcher-${vmiName}-1`, { graceSeconds: 0 });
      world.put(launcherOf({ ...anOldVmi(vmiName, nodeName).build(), metadata: vmi.metadata as never }));
    } else setVmiStatus(vmiName, { migrationState });
    setPhase(name, succeeds ? 'Succeeded' : 'Failed');
  }

  function setPhase(name: string, phase: string): boolean {
    const path = '/status';
    return api.patch(MIGRATION, `shop/${name}`, [{ op: 'add', path, value: { phase } }], {
      subresource: 'status',
    }).ok;
  }

  function setVmiStatus(name: string, change: object): void {
    const status = { ...objectAt(api.get(VMI, `shop/${name}`) ?? {}, 'status'), ...change };
    api.patch(VMI, `shop/${name}`, [{ op: 'add', path: '/status', value: status }]);
  }

  function endPod(pod: StoredObject): void {
    later(1, 20, () => {
      const vmiName = pod.metadata.name.replace(/^virt-launcher-(.*)-1$/, '$1');
      api.delete('Pod', `shop/${pod.metadata.name}`, { graceSeconds: 0 });
      if (!api.delete(VMI, `shop/${vmiName}`).ok) return;
      const vmi = anOldVmi(vmiName)
        .launcher(NEW_IMAGE)
        .meta({ uid: `again-${vmiName}` })
        .build();
      world.put(vmi, launcherOf(vmi));
    });
  }

  api.watch(({ kind, before, after }: StoredChange) => {
    if (kind === MIGRATION && after && !before) {
      runMigration(after.metadata.name, String(objectAt(after, 'spec').vmiName));
    }
    const goes = after?.metadata.deletionTimestamp !== undefined && !before?.metadata.deletionTimestamp;
    if (kind === 'Pod' && after && goes) endPod(after);
  });
}

import { aNode, aPod, aVmi } from '../../../kubevirt/builders.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { formatInstant } from '../../../kubevirt/time.ts';
import { evictionWebhook } from '../../eviction-webhook.ts';
import type { StoredObject } from '../../stored-object.ts';
import { World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';

/** A pod of a controller on n1. */
export const aManagedPod = (name: string) => aPod(name).on('n1').ownedBy('ReplicaSet', 'web');

/** A VMI of strategy LiveMigrate on n1, with its launcher. */
export function aVm(name: string, migratable: 'True' | 'False') {
  const vmi = aVmi(name).on('n1').strategy('LiveMigrate').migratable(migratable).build();
  return [vmi, aPod(`virt-launcher-${name}-x`).on('n1').launcherOf(vmi).build()];
}

/** A world with a node n1 and KubeVirt's webhook, in which pods that are deleted go after so many seconds. */
export function drainWorld(objects: readonly object[], goesAfterSeconds: (pod: string) => number = () => 2) {
  const world = new World(aNode('n1').build(), aNode('n2').build(), ...objects);
  world.api.watch(({ kind, key, before, after }) => {
    if (kind !== 'Pod' || !after?.metadata.deletionTimestamp || before?.metadata.deletionTimestamp) return;
    world.clock.after(goesAfterSeconds(after.metadata.name), () => {
      world.api.delete('Pod', key, { graceSeconds: 0 });
    });
  });
  const context = actorContext(world, { evictionWebhook: evictionWebhook(world.api, 'intended') });
  return {
    world,
    context,
    /** When the evictions were sent, as `name@second`. */
    evictions: () => world.wrote('evict'),
    node: (name: string): StoredObject | undefined => world.api.get('Node', name),
    end: (name: string) => world.patch('Pod', `shop/${name}`, '/status/phase', 'Succeeded'),
    now: () => formatInstant(world.clock.now()),
  };
}

/** The result of something, which takes less than so many seconds. */
export async function within<T>(
  { world }: Pick<ReturnType<typeof drainWorld>, 'world'>,
  done: Promise<T>,
  seconds: number,
): Promise<{ readonly result: T; readonly at: number }> {
  const found: { result: T; at: number }[] = [];
  void done.then((result) => found.push({ result, at: world.second() }));
  await world.clock.until(() => found.length > 0, seconds);
  await world.clock.settle();
  const [first] = found;
  if (!first) throw new Error(`not done within ${seconds} s`);
  return first;
}

export const namesOf = (ends: readonly { readonly pod: Pod; readonly end: string }[]) =>
  ends.map(({ pod, end }) => `${pod.metadata.name} ${end}`);

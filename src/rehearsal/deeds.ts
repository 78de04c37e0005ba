import type { Kind } from '../fleet/fleet.ts';
import { isKnownKind, isNamespaced } from '../kubevirt/kinds.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { ActionName, Actions } from '../scenario/timeline-schema.ts';
import { cordon, takeOutOfService, uncordon } from '../simulation/actors/drain/cordon.ts';
import { callVm, configure, editVm, migrateVm } from '../simulation/actors/tenants/tenants.ts';
import { drain } from './drains.ts';
import { after, type DeedEnd, DONE, endOf, keyIn, reboot, type Stage, type Tell } from './stage.ts';

type Deeds = {
  readonly [Name in ActionName]: (stage: Stage, action: Actions[Name], tell: Tell) => Promise<DeedEnd>;
};

/** What each action of a timeline does; it resolves when that has come to its end. */
export const DEEDS: Deeds = {
  async upgrade({ operator }, { version = 'next', launcherImage }, tell) {
    const { end } = await operator.startUpgrade(version, launcherImage, (waits) => tell([waits])).done;
    return end === 'observed'
      ? { end: 'succeeded' }
      : { end: 'failed', says: ['another release was asked for'] };
  },
  async launcherImage({ rehearsal }, image) {
    await rehearsal.controller.restart(image);
    return DONE;
  },
  drain,
  cordon: async ({ context }, node) => endOf(await cordon(context.cluster, node)),
  uncordon: async ({ context }, node) => endOf(await uncordon(context.cluster, node)),
  config: async ({ context }, spec) => endOf(await configure(context.cluster, spec)),
  edit: async ({ context, namespace }, { vm, patch }) =>
    endOf(await editVm(context.cluster, keyIn(namespace, vm), patch)),
  start: async (stage, vm) => endOf(await call(stage, vm, 'start')),
  stop: async (stage, vm) => endOf(await call(stage, vm, 'stop')),
  restart: async (stage, vm) => endOf(await call(stage, vm, 'restart')),
  migrate: async ({ context, namespace }, vm) =>
    endOf(await migrateVm(context.cluster, keyIn(namespace, vm))),
  async evict({ context: { cluster }, namespace }, vm) {
    const vmi = cluster.fleet.get('VirtualMachineInstance', keyIn(namespace, vm));
    const pod = vmi && cluster.fleet.launcherPodOf(vmi);
    if (!pod) return { end: 'failed', says: [`${vm} has no launcher pod`] };
    const { name, namespace: ns = '' } = pod.metadata;
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: ns } };
    return endOf(await cluster.evict({ namespace: ns, pod: name, body }));
  },
  /** Somebody notices and says so, or the guests of the node would stay on it for as long as the node is there. */
  async failNode({ rehearsal, context, silent }, node) {
    silent.fallsSilent(node);
    await takeOutOfService(context.cluster, node);
    await lose(rehearsal, node);
    return DONE;
  },
  async rebootNode(stage, node) {
    if (await reboot(stage, node)) return DONE;
    return { end: 'failed', says: [`${node} has failed for good`] };
  },
  async killController({ rehearsal, context }, { for: seconds }) {
    await rehearsal.controller.stop();
    await rehearsal.observer.awaits(after(context.clock, seconds));
    rehearsal.controller.start();
    return DONE;
  },
  async create({ context, namespace }, objects) {
    const says: string[] = [];
    for (const object of objects) {
      const kind = kindOf(String(object.kind));
      const metadata = (object.metadata ?? {}) as { readonly namespace?: string };
      const place = isNamespaced(kind) ? (metadata.namespace ?? namespace) : undefined;
      const answer = await context.cluster.create(kind, place, object);
      if (!answer.ok) says.push(answer.message);
    }
    return says.length === 0 ? DONE : { end: 'failed', says };
  },
  /** Kubernetes takes the pods of a node that is gone away, and with them the guests. */
  async delete({ rehearsal, context, namespace }, { kind, name }) {
    const known = kindOf(kind);
    if (known === 'Node' && context.cluster.fleet.get(known, name)) await lose(rehearsal, name);
    const key = isNamespaced(known) ? keyIn(namespace, name) : name;
    return endOf(await context.cluster.delete(known, nameLike(context.cluster.fleet.all(known), key)));
  },
};

/** The machine of a node is gone for good, with all that is on it. */
function lose({ observer, agents }: Stage['rehearsal'], node: string): Promise<void> {
  observer.nodeFalls(node);
  return agents.failNode(node);
}

function kindOf(kind: string): Kind {
  if (isKnownKind(kind)) return kind;
  throw new Error(`${kind} is no kind that a simulated cluster has`);
}

function call({ context, namespace }: Stage, vm: string, verb: 'start' | 'stop' | 'restart') {
  return callVm(context.cluster, keyIn(namespace, vm), verb);
}

/** A key that ends in `*` stands for the first object, by name, whose key begins so: names that are made up are not known before. */
function nameLike(
  objects: Iterable<{ readonly metadata: { name: string; namespace?: string | undefined } }>,
  key: string,
): string {
  if (!key.endsWith('*')) return key;
  const keys = [...objects]
    .map((object) => keyOf(object))
    .filter((held) => held.startsWith(key.slice(0, -1)));
  return keys.sort()[0] ?? key;
}

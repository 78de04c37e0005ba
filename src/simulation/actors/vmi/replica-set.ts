import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import { replicaChange } from '../../../decide/vmi/replicas.ts';
import { type JsonObject, objectAt } from '../../../kubevirt/json.ts';
import type { ReplicaSet, Vmi } from '../../../kubevirt/objects.ts';
import { controllerOf, keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { readWhole } from '../read-whole.ts';

const SET = 'VirtualMachineInstanceReplicaSet';
const VMI = 'VirtualMachineInstance';

/** Keeps the VMIs of VirtualMachineInstanceReplicaSets at their number: what ends is replaced. Its status and events are left out. */
export function replicaSetController(context: ActorContext): Actor {
  const controller = new ReplicaSetController(context);
  const actor = keyedActor({
    name: 'replica-set-controller',
    context,
    keysOf: (change) => controller.keysOf(change),
    allKeys: (fleet) => [...fleet.all(SET)].map(keyOf).sort(),
    reconcile: (key) => controller.reconcile(key),
  });
  return {
    start() {
      controller.follow();
      actor.start();
    },
    async stop() {
      controller.leave();
      await actor.stop();
    },
  };
}

class ReplicaSetController {
  readonly #context: ActorContext;
  /** The VMIs of each set, by its key and theirs. */
  readonly #vmis = new Map<string, Map<string, Vmi>>();
  /** VMIs that were made and are not seen yet, by the key of their set. */
  readonly #made = new Map<string, Set<string>>();
  leave = (): void => {};

  constructor(context: ActorContext) {
    this.#context = context;
  }

  follow(): void {
    this.leave = this.#context.cluster.fleet.follow(VMI, {
      add: (vmi) => this.#vmisOf(setKeyOf(vmi))?.set(keyOf(vmi), vmi),
      delete: (vmi) => this.#vmisOf(setKeyOf(vmi))?.delete(keyOf(vmi)),
    });
  }

  keysOf({ kind, key, before, after }: Change): readonly string[] {
    if (kind === SET) return [key];
    if (kind !== VMI) return [];
    const set = setKeyOf((after ?? before) as Vmi);
    if (set === undefined) return [];
    if (after) this.#made.get(set)?.delete(key);
    return [set];
  }

  async reconcile(key: string): Promise<ReconcileResult> {
    const set = this.#context.cluster.fleet.get(SET, key);
    if (!set || (this.#made.get(key)?.size ?? 0) > 0) return {};
    const { create, remove } = replicaChange(set, [...(this.#vmisOf(key)?.values() ?? [])]);
    for (const vmi of remove) {
      const result = await this.#context.cluster.delete(VMI, keyOf(vmi), { uid: vmi.metadata.uid });
      if (!result.ok && !isNotFound(result)) return { error: result.message };
    }
    return create > 0 ? this.#create(set, create) : {};
  }

  async #create(set: ReplicaSet, count: number): Promise<ReconcileResult> {
    const { cluster } = this.#context;
    const whole = await readWhole(cluster, SET, keyOf(set));
    if (!whole) return {};
    const { namespace } = set.metadata;
    const vmi = vmiOf(whole);
    for (let made = 0; made < count; made++) {
      const result = await cluster.create(VMI, namespace, vmi);
      if (!result.ok) return { error: result.message };
      const key = `${namespace}/${result.name}`;
      if (!cluster.fleet.get(VMI, key)) this.#awaited(keyOf(set)).add(key);
    }
    return {};
  }

  #awaited(set: string): Set<string> {
    const held = this.#made.get(set) ?? new Set();
    this.#made.set(set, held);
    return held;
  }

  #vmisOf(set: string | undefined): Map<string, Vmi> | undefined {
    if (set === undefined) return undefined;
    const held = this.#vmis.get(set) ?? new Map<string, Vmi>();
    this.#vmis.set(set, held);
    return held;
  }
}

function setKeyOf({ metadata }: Vmi): string | undefined {
  const owner = controllerOf(metadata);
  return owner?.kind === SET ? `${metadata.namespace}/${owner.name}` : undefined;
}

/** A VMI as the set's template has it. */
function vmiOf(set: ReplicaSet): JsonObject {
  const { name, uid } = set.metadata;
  const template = objectAt({ ...set.spec } as JsonObject, 'template');
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: SET,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: VMI,
    metadata: { ...objectAt(template, 'metadata'), generateName: name, ownerReferences: [owner] },
    spec: objectAt(template, 'spec'),
  };
}

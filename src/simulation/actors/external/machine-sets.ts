import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { replacementTable } from '../../../decide/external/machine-set.ts';
import { resultOf } from '../../../decide/rules.ts';
import { CONDITION, FINALIZER } from '../../../kubevirt/names.ts';
import type { KubevirtMachine, Machine, MachineSet } from '../../../kubevirt/objects.ts';
import { newestFirst } from '../../../kubevirt/order.ts';
import { controllerOf, findCondition, keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { Groups } from '../groups.ts';

/** What the machines of a set are made like: as the last one that was seen of them. */
interface Mould {
  readonly machine: Machine;
  readonly infra: KubevirtMachine | undefined;
  readonly virtualMachineTemplate: NonNullable<KubevirtMachine['spec']>['virtualMachineTemplate'];
}

/** Cluster API's MachineSet: deletes machines that are to be remediated, and makes as many new ones as it wants. v1.10.1. */
export function machineSets(context: ActorContext): Actor {
  const { cluster, random } = context;
  const { fleet } = cluster;
  const moulds = new Map<string, Mould>();
  const machinesOf = new Groups<string, string>();
  /** Made, and not told of yet. */
  const unborn = new Groups<string, string>();

  async function reconcile(key: string): Promise<ReconcileResult> {
    const set = fleet.get('MachineSet', key);
    if (!set) return {};
    const machines = [...machinesOf.get(key)].flatMap((name) => fleet.get('Machine', name) ?? []);
    for (const machine of machines) remember(key, machine);
    const going = machines.filter(isToBeReplaced).sort(newestFirst);
    for (const machine of going) await cluster.delete('Machine', keyOf(machine));
    const staying = machines.filter((machine) => !isDeleting(machine) && !going.includes(machine));
    const mould = moulds.get(key);
    for (const machine of machines) unborn.delete(key, keyOf(machine));
    const missing = (set.spec?.replicas ?? 1) - staying.length - unborn.get(key).size;
    for (let made = 0; mould && made < missing; made++) await make(set, mould);
    return {};
  }

  function remember(key: string, machine: Machine): void {
    const name = machine.spec?.infrastructureRef?.name ?? machine.metadata.name;
    const infraKey = `${machine.metadata.namespace}/${name}`;
    const infra = fleet.get('KubevirtMachine', infraKey);
    const vm = fleet.get('VirtualMachine', infraKey);
    const ofVm = vm && { metadata: { labels: vm.metadata.labels }, spec: vm.spec };
    const virtualMachineTemplate = infra?.spec?.virtualMachineTemplate ?? ofVm;
    if (virtualMachineTemplate) moulds.set(key, { machine, infra, virtualMachineTemplate });
  }

  async function make(set: MachineSet, { machine, infra, virtualMachineTemplate }: Mould): Promise<void> {
    const { namespace } = set.metadata;
    const name = `${set.metadata.name}-${suffix()}`;
    unborn.add(keyOf(set), `${namespace}/${name}`);
    const labels = machine.metadata.labels;
    await cluster.create('Machine', namespace, {
      apiVersion: machine.apiVersion,
      kind: 'Machine',
      metadata: { name, namespace, labels, finalizers: [FINALIZER.machine], ownerReferences: [ownedBy(set)] },
      spec: { ...machine.spec, infrastructureRef: { ...machine.spec?.infrastructureRef, name } },
    });
    await cluster.create('KubevirtMachine', namespace, {
      apiVersion: infra?.apiVersion,
      kind: 'KubevirtMachine',
      metadata: { name, namespace, labels: infra?.metadata.labels, finalizers: [FINALIZER.kubevirtMachine] },
      spec: { ...infra?.spec, virtualMachineTemplate },
    });
  }

  function suffix(): string {
    const letters = 'bcdfghjklmnpqrstvwxz2456789';
    return Array.from({ length: 5 }, () => letters[Math.floor(random.next() * letters.length)]).join('');
  }

  function keysOf({ kind, key, before, after }: Change): string[] {
    if (kind === 'MachineSet') return [key];
    if (kind !== 'Machine') return [];
    const set = setOf((after ?? before) as Machine);
    if (set === undefined) return [];
    if (after) machinesOf.add(set, key);
    else machinesOf.delete(set, key);
    return [set];
  }

  return keyedActor({
    name: 'machine-sets',
    context,
    keysOf,
    allKeys: () => {
      for (const machine of fleet.all('Machine')) {
        const set = setOf(machine);
        if (set !== undefined) machinesOf.add(set, keyOf(machine));
      }
      return [...fleet.all('MachineSet')].map(keyOf).sort();
    },
    reconcile,
  });
}

function setOf({ metadata }: Machine): string | undefined {
  const owner = controllerOf(metadata);
  return owner?.kind === 'MachineSet' ? `${metadata.namespace}/${owner.name}` : undefined;
}

function isDeleting({ metadata }: Machine): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isToBeReplaced(machine: Machine): boolean {
  const waiting = findCondition(machine.status?.conditions, CONDITION.ownerRemediated)?.status === 'False';
  return waiting && !isDeleting(machine) && resultOf(replacementTable, { machine }) === 'replaced';
}

function ownedBy({ apiVersion, metadata }: MachineSet) {
  return { apiVersion, kind: 'MachineSet', name: metadata.name, uid: metadata.uid, controller: true };
}

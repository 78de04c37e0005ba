/** A round's nodes and VMs by number, with amounts as rows of numbers: what a search asks a million times. */
import { addToGroup } from '../../../kubevirt/group-by.ts';
import { compareText } from '../../../kubevirt/order.ts';
import type { Amounts } from '../../placement/resources.ts';

/** A node of the cluster, as it is before the round. */
export interface RoundNode {
  readonly name: string;
  /** It is drained and given back in this round. The others only take VMs; nodes that may not be used are left out. */
  readonly isDue: boolean;
  /** A resource that is absent here is taken to be there in plenty: ask placement whether the node has it at all. */
  readonly allocatable: Amounts;
  /** What all pods there reserve, those of the VMs too. */
  readonly load: Amounts;
}

/** `Goes`: leaves the node when that is drained, for another one. `Leaves`: is gone for good then. `Stays`: does not go. */
export type Fate = 'Goes' | 'Leaves' | 'Stays';

export interface RoundVm {
  /** `namespace/name` */
  readonly key: string;
  readonly node: string;
  readonly requests: Amounts;
  readonly fate: Fate;
  /** Where placement lets it go, were it not for other VMs; its own node for the way back. */
  readonly mayGoTo: ReadonlySet<string>;
  /** Groups of VMs, by key, of which no other may be on its node. VMs that mind the same others share the set. */
  readonly apart: readonly ReadonlySet<string>[];
}

export interface RoundInput {
  /** In the order in which they were named; the first wins where all else is equal. */
  readonly nodes: readonly RoundNode[];
  /** VMs on nodes that are left out are left out, too. */
  readonly vms: readonly RoundVm[];
}

export interface GroundVm {
  readonly vm: RoundVm;
  readonly home: number;
  readonly asks: readonly number[];
  /** Numbers of nodes, in their order. */
  readonly mayGoTo: readonly number[];
  /** The largest share that it takes of a roomy node: large ones are the hardest to place. */
  readonly size: number;
  /** Numbers of the groups that it must be apart from. */
  readonly minds: readonly number[];
  /** Numbers of the groups that it is in. */
  readonly groups: readonly number[];
}

export interface Ground {
  readonly nodes: readonly RoundNode[];
  readonly vms: readonly GroundVm[];
  /** Numbers of the nodes that are due, in their order. */
  readonly due: readonly number[];
  /** What is free on each node in the beginning, by resource; less than nothing where it holds too much. */
  readonly room: readonly (readonly number[])[];
  /** The most that any node has of each resource. */
  readonly most: readonly number[];
  /** What each node has, by resource; 0 where it does not tell. */
  readonly has: readonly (readonly number[])[];
  /** Numbers of the resources by which kube-scheduler tells how empty a node is. */
  readonly weighed: readonly number[];
  /** For each node, how many VMs that go depend on it: one that may go to three nodes counts a third on each. */
  readonly wanted: readonly number[];
}

const WEIGHED: ReadonlySet<string> = new Set(['cpu', 'memory']);

/** The round by numbers. VMs are in the order of their keys. */
export function groundOf({ nodes, vms }: RoundInput): Ground {
  const numbers = new Map(nodes.map(({ name }, index) => [name, index]));
  const resources = [...new Set(vms.flatMap(({ requests }) => [...requests.keys()]))].sort();
  const most = resources.map((resource) =>
    Math.max(0, ...nodes.map(({ allocatable }) => allocatable.get(resource) ?? 0)),
  );
  const known = vms.filter(({ node }) => numbers.has(node)).sort((a, b) => compareText(a.key, b.key));
  const groups = groupsOf(known);
  const byNumber = known.map((vm) => ({ ...groundVm(vm, numbers, resources, most), ...groups(vm) }));
  return {
    nodes,
    vms: byNumber,
    due: [...nodes.keys()].filter((index) => nodes[index]?.isDue),
    room: nodes.map((node) => resources.map((resource) => roomOf(node, resource))),
    most,
    has: nodes.map(({ allocatable }) => resources.map((resource) => allocatable.get(resource) ?? 0)),
    weighed: [...resources.keys()].filter((index) => WEIGHED.has(resources[index] ?? '')),
    wanted: wantedNodes(nodes, byNumber),
  };
}

function wantedNodes(nodes: readonly RoundNode[], vms: readonly GroundVm[]): number[] {
  const wanted = nodes.map(() => 0);
  for (const { vm, mayGoTo, home } of vms) {
    if (vm.fate !== 'Goes' || !nodes[home]?.isDue) continue;
    for (const node of mayGoTo) wanted[node] = (wanted[node] ?? 0) + 1 / mayGoTo.length;
  }
  return wanted;
}

function roomOf({ allocatable, load }: RoundNode, resource: string): number {
  const has = allocatable.get(resource);
  return has === undefined ? Number.POSITIVE_INFINITY : has - (load.get(resource) ?? 0);
}

function groundVm(
  vm: RoundVm,
  numbers: ReadonlyMap<string, number>,
  resources: readonly string[],
  most: readonly number[],
): Omit<GroundVm, 'minds' | 'groups'> {
  const asks = resources.map((resource) => vm.requests.get(resource) ?? 0);
  const shares = asks.map((amount, index) => amount / Math.max(1, most[index] ?? 0));
  return {
    vm,
    home: numbers.get(vm.node) ?? 0,
    asks,
    mayGoTo: [...vm.mayGoTo].flatMap((name) => numbers.get(name) ?? []).sort((a, b) => a - b),
    size: Math.max(0, ...shares),
  };
}

/** Tells of each VM which groups it must be apart from and which it is in, by number. */
function groupsOf(vms: readonly RoundVm[]): (vm: RoundVm) => Pick<GroundVm, 'minds' | 'groups'> {
  const numbers = new Map(
    [...new Set(vms.flatMap(({ apart }) => apart))].map((group, number) => [group, number]),
  );
  const byMember = new Map<string, number[]>();
  for (const [group, number] of numbers) for (const key of group) addToGroup(byMember, key, number);
  return ({ key, apart }) => ({
    minds: apart.flatMap((group) => numbers.get(group) ?? []),
    groups: byMember.get(key) ?? [],
  });
}

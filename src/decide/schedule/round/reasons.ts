/** Why a node has its turn when it has, and why a VM goes where it goes. */
import { counted, firstOf } from '../../../kubevirt/words.ts';
import type { Evidence, Table } from '../../rules.ts';
import type { NodeState } from './standing.ts';

const SOURCE = "Drover's own order of a maintenance round";

/** A node at its turn. */
export interface TurnInput {
  readonly node: string;
  /** VMs that leave it for nodes that are done or not part of the round, and for nodes that are still due. */
  readonly settling: readonly string[];
  readonly lodging: readonly string[];
  readonly stuck: readonly string[];
  readonly staying: readonly string[];
  /** Nodes where VMs go that are still due. */
  readonly lodgings: readonly string[];
}

function vms(keys: readonly string[]): string {
  return counted(keys.length, 'VM');
}

function onNode({ node }: TurnInput, path: string, value: unknown): Evidence {
  return { object: `Node ${node}`, path, value };
}

/** Why the turn is this one; the message goes on from the node's name. */
export const turnTable: Table<TurnInput, string> = [
  {
    name: 'HeldUp',
    asks: 'a VM stays there, so that the node does not get empty by itself',
    source: SOURCE,
    when: ({ staying }) => staying.length > 0,
    reads: (input) => [onNode(input, 'vms that stay', input.staying)],
    then: ({ staying }) =>
      `comes when nothing else waits for it: ${firstOf(staying)} ${staying.length === 1 ? 'stays' : 'stay'} there until somebody sees to ${staying.length === 1 ? 'it' : 'them'}`,
  },
  {
    name: 'LacksRoom',
    asks: 'VMs of the node find no place at its turn in any order that was tried',
    source: SOURCE,
    when: ({ stuck }) => stuck.length > 0,
    reads: (input) => [onNode(input, 'vms without a place', input.stuck)],
    then: ({ stuck }) =>
      `does not get empty by itself: ${firstOf(stuck)} ${stuck.length === 1 ? 'finds' : 'find'} no room on any other node then`,
  },
  {
    name: 'NothingGoes',
    asks: 'no VM moves because of it',
    source: SOURCE,
    when: ({ settling, lodging }) => settling.length + lodging.length === 0,
    reads: (input) => [onNode(input, 'vms that go', [])],
    then: () => 'is done without moving any VM, and takes VMs of other nodes afterwards',
  },
  {
    name: 'AllSettle',
    asks: 'all its VMs go where they can stay',
    source: SOURCE,
    when: ({ lodging }) => lodging.length === 0,
    reads: (input) => [onNode(input, 'vms that settle', input.settling)],
    then: ({ settling }) =>
      `has ${vms(settling)} to move, and ${settling.length === 1 ? 'it stays' : 'all stay'} where ${settling.length === 1 ? 'it goes' : 'they go'}`,
  },
  {
    name: 'SomeMoveAgain',
    asks: 'some of its VMs go to nodes that are still due',
    source: SOURCE,
    when: () => true,
    reads: (input) => [
      onNode(input, 'vms that settle', input.settling),
      onNode(input, 'vms that move again', input.lodging),
    ],
    then: ({ lodging, settling, lodgings }) =>
      `has ${vms([...settling, ...lodging])} to move; for ${lodging.length} of them there is no room yet on nodes that are done: ${lodging.length === 1 ? 'it goes' : 'they go'} to ${firstOf(lodgings)} and ${lodging.length === 1 ? 'moves' : 'move'} once more`,
  },
];

export interface TargetInput {
  readonly vm: string;
  readonly node: string;
  readonly state: NodeState;
}

function onTarget({ node, state }: TargetInput): Evidence[] {
  return [{ object: `Node ${node}`, path: 'state in the round', value: state }];
}

/** Why a VM goes to a node; the message goes on from the VM's name. */
export const targetTable: Table<TargetInput, string> = [
  {
    name: 'NodeDone',
    asks: 'the target is done already',
    source: SOURCE,
    when: ({ state }) => state === 'Done',
    reads: onTarget,
    then: ({ node }) => `goes to ${node}, which is done: it can stay there`,
  },
  {
    name: 'NodeOutside',
    asks: 'the target is not part of the round',
    source: SOURCE,
    when: ({ state }) => state === 'Outside',
    reads: onTarget,
    then: ({ node }) => `goes to ${node}, which is not part of the round: it can stay there`,
  },
  {
    name: 'NodeStillDue',
    asks: 'no node that is done had room for it beside the others',
    source: SOURCE,
    when: () => true,
    reads: onTarget,
    then: ({ node }) =>
      `goes to ${node}, which is still due: no node that is done has room for it; it moves again when ${node} is drained`,
  },
];

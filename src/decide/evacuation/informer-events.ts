import { isSameJson } from '../../kubevirt/json.ts';
import type { ChangeOf } from '../../kubevirt/kinds.ts';
import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Node, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf, isEvacuationMigration, isMarked, isPodFinished } from '../../kubevirt/predicates.ts';
import { field } from '../evidence.ts';
import type { Behavior, Evidence, Table } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { hasDrainTaint } from './candidate.ts';

/** A change of an object that the evacuation controller watches. */
export type EvacuationEvent = ChangeOf<
  'Node' | 'VirtualMachineInstance' | 'VirtualMachineInstanceMigration' | 'Pod'
>;

export interface EvacuationEventInput {
  readonly event: EvacuationEvent;
  /** The VMI that a migration is for or a pod belongs to; undefined: gone. */
  readonly vmi?: Vmi | undefined;
  /** The node of the VMI; undefined: none, or gone. */
  readonly node?: Node | undefined;
  readonly settings: Pick<Settings, 'migrations'>;
  readonly behavior: Behavior;
}

/** What an event leads to; empty: nothing. */
export interface EvacuationEffect {
  /** Name of a node to look at. */
  readonly enqueue?: string;
  /** A creation that is expected for this node has been seen. */
  readonly observedFor?: string;
}

const EVA = 'kubevirt v1.9.0 pkg/virt-controller/watch/drain/evacuation/evacuation.go:140-295';
const DROVER = 'drover: what no decision reads need not wake anybody';
const NOTHING: EvacuationEffect = {};

/**
 * Which node an event brings up: evacuation-and-migration §1 of the spec. KubeVirt looks at a node with every event of any VMI
 * on it; in `intended` only with those that can lead to something, and also when a pod of a VMI ends that is to leave its node, since
 * one with pods left over waits for that.
 */
export const evacuationInformerTable: Table<EvacuationEventInput, EvacuationEffect> = [
  {
    name: 'NodeUnconcerned',
    asks: 'nothing of the node has changed that an evacuation looks at',
    source: DROVER,
    when: ({ event, behavior }) => behavior === 'intended' && event.kind === 'Node' && isSameNode(event),
    reads: readObject,
    then: () => NOTHING,
  },
  {
    name: 'NodeChanged',
    asks: 'a node was added, changed or deleted',
    source: EVA,
    when: ({ event }) => event.kind === 'Node',
    reads: readObject,
    then: ({ event }) => ({ enqueue: nameOf(event) }),
  },
  {
    name: 'PodUnconcerned',
    asks: 'no pod of a VMI that is to leave its node has ended',
    source: DROVER,
    when: (input) => input.event.kind === 'Pod' && !hasLeavingPodEnded(input),
    reads: readObject,
    then: () => NOTHING,
  },
  {
    name: 'OwnMigrationAdded',
    asks: 'a migration that the evacuation controller made has appeared',
    source: EVA,
    when: ({ event }) => ownMigrationAdded(event) !== undefined,
    reads: readObject,
    then: (input) => ({ ...enqueueVmi(input), observedFor: ownMigrationAdded(input.event) ?? '' }),
  },
  {
    name: 'VmiWithoutNode',
    asks: 'the VMI is gone or has no node',
    source: EVA,
    when: (input) => !nodeOf(input),
    reads: readObject,
    then: () => NOTHING,
  },
  {
    name: 'VmiUnconcerned',
    asks: 'the VMI is and was not marked, and its node has no drain taint',
    source: DROVER,
    when: (input) => input.behavior === 'intended' && !isConcerned(input),
    reads: readObject,
    then: () => NOTHING,
  },
  {
    name: 'VmiChanged',
    asks: 'otherwise something about the VMI has changed',
    source: EVA,
    when: () => true,
    reads: readObject,
    then: enqueueVmi,
  },
];

function nameOf({ before, after }: EvacuationEvent): string {
  return (after ?? before)?.metadata.name ?? '';
}

/** By taints, as only they are looked at. */
function isSameNode({ before, after }: Extract<EvacuationEvent, { kind: 'Node' }>): boolean {
  return before !== undefined && after !== undefined && isSameJson(before.spec?.taints, after.spec?.taints);
}

function hasLeavingPodEnded(input: EvacuationEventInput): boolean {
  const { event, vmi, behavior } = input;
  if (event.kind !== 'Pod' || behavior === 'exact' || !vmi || !isConcerned(input)) return false;
  const { before, after } = event;
  return before !== undefined && !isPodFinished(before) && (after === undefined || isPodFinished(after));
}

/** The node that the creation was expected for. */
function ownMigrationAdded(event: EvacuationEvent): string | undefined {
  if (event.kind !== 'VirtualMachineInstanceMigration' || event.before || !event.after) return undefined;
  return isEvacuationMigration(event.after)
    ? annotationOf(event.after, ANNOTATION.evacuationMigration)
    : undefined;
}

/** A VMI of an event counts as it is now, one that is gone as it was. */
function vmiOf({ event, vmi }: EvacuationEventInput): Vmi | undefined {
  return event.kind === 'VirtualMachineInstance' ? (event.after ?? event.before) : vmi;
}

function nodeOf(input: EvacuationEventInput): string | undefined {
  return vmiOf(input)?.status?.nodeName;
}

function enqueueVmi(input: EvacuationEventInput): EvacuationEffect {
  const enqueue = nodeOf(input);
  return enqueue ? { enqueue } : NOTHING;
}

function isConcerned(input: EvacuationEventInput): boolean {
  const { event, node, settings } = input;
  const vmi = vmiOf(input);
  const was = event.kind === 'VirtualMachineInstance' ? event.before : undefined;
  return (
    [vmi, was].some((one) => one && isMarked(one)) || (node !== undefined && hasDrainTaint(node, settings))
  );
}

function readObject({ event }: EvacuationEventInput): Evidence[] {
  const object = event.after ?? event.before;
  return object ? [field(object, 'metadata.name', object.metadata.name, event.kind)] : [];
}

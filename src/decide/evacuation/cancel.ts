/** Whether the mark of an eviction is taken off a VMI for somebody who asks for that. Eviction-webhook §7 of the spec. */
import type { JsonPatchOperation } from '../../kubevirt/json-patch.ts';
import type { Node, Vmi } from '../../kubevirt/objects.ts';
import { isMarked } from '../../kubevirt/predicates.ts';
import { field, vmiField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { hasDrainTaint } from './candidate.ts';

/** What came with a call of `evacuate/cancel`: the options, or why they cannot be read. */
export interface CancelReading {
  readonly options?: { readonly evacuationNodeName?: unknown };
  readonly error?: string;
}

export interface CancelInput {
  readonly vmi: Vmi;
  /** The node that `nodeToLookAt` names; undefined: there is none. */
  readonly node: Node | undefined;
  /** Undefined: the call has no body. */
  readonly reading: CancelReading | undefined;
  readonly settings: Pick<Settings, 'migrations'>;
}

/** A refusal, or what the VMI is patched with; an empty patch: there is nothing to do. */
export type CancelVerdict =
  | { readonly refusal: string; readonly code: 400 | 500 }
  | { readonly patch: readonly JsonPatchOperation[] };

const SOURCE = 'kubevirt v1.9.0 pkg/virt-api/rest/evacuate_cancel.go:40-134';
const MARK = '/status/evacuationNodeName';

/** The node that a cancellation depends on: the one that the mark names, else the one that the VMI is on. */
export function nodeToLookAt({ status }: Vmi): string {
  return status?.evacuationNodeName || status?.nodeName || '';
}

/** In this order. A VMI on a node that is drained by taint would be told to leave again at once. */
export const evacuationCancelTable: Table<CancelInput, CancelVerdict> = [
  {
    name: 'NodeGone',
    asks: 'the node that the mark names, or that the VMI is on, does not exist',
    source: SOURCE,
    when: ({ node, settings }) => hasTaintKey(settings) && node === undefined,
    reads: readMark,
    then: ({ vmi }) => ({ refusal: `nodes ${JSON.stringify(nodeToLookAt(vmi))} not found`, code: 500 }),
  },
  {
    name: 'NodeDrainedByTaint',
    asks: 'that node carries the drain taint of the cluster',
    source: SOURCE,
    when: ({ node, settings }) =>
      hasTaintKey(settings) && node !== undefined && hasDrainTaint(node, settings),
    reads: ({ node }) => (node ? [field(node, 'spec.taints', node.spec?.taints, 'Node')] : []),
    then: ({ vmi, settings }) => {
      const taint = JSON.stringify(`${settings.migrations.nodeDrainTaintKey}:NoSchedule`);
      return {
        refusal: `Node ${JSON.stringify(nodeToLookAt(vmi))} has NodeDrainTaintKey ${taint}`,
        code: 400,
      };
    },
  },
  {
    name: 'NotMarked',
    asks: 'the VMI carries no mark',
    source: SOURCE,
    when: ({ vmi }) => !isMarked(vmi),
    reads: readMark,
    then: () => ({ patch: [] }),
  },
  {
    name: 'NoBody',
    asks: 'the call does not say which mark is meant, for it has no body',
    source: SOURCE,
    when: ({ reading }) => reading === undefined,
    reads: readMark,
    then: () => ({ refusal: 'No body', code: 400 }),
  },
  {
    name: 'BodyNotReadable',
    asks: 'the body of the call cannot be read',
    source: SOURCE,
    when: ({ reading }) => reading?.error !== undefined,
    reads: readMark,
    then: ({ reading }) => ({ refusal: reading?.error ?? '', code: 400 }),
  },
  {
    name: 'MarkRemoved',
    asks: 'the mark goes if it names the node that the caller names',
    source: SOURCE,
    when: () => true,
    reads: readMark,
    then: ({ reading }) => ({
      patch: [
        { op: 'test', path: MARK, value: nodeNamedIn(reading) },
        { op: 'remove', path: MARK },
      ],
    }),
  },
];

function hasTaintKey({ migrations }: Pick<Settings, 'migrations'>): boolean {
  return migrations.nodeDrainTaintKey !== '';
}

/** Who names none, as virtctl does, names the empty one. */
function nodeNamedIn(reading: CancelReading | undefined): unknown {
  return reading?.options?.evacuationNodeName ?? '';
}

function readMark({ vmi }: CancelInput): Evidence[] {
  return [
    vmiField(vmi, 'status.evacuationNodeName', vmi.status?.evacuationNodeName),
    vmiField(vmi, 'status.nodeName', vmi.status?.nodeName),
  ];
}

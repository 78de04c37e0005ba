import type { Machine } from '../../kubevirt/objects.ts';
import { controllerOf } from '../../kubevirt/predicates.ts';
import { parseDurationSeconds } from '../../kubevirt/time.ts';
import { field } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';

const SET = 'cluster-api v1.10.1 internal/controllers/machineset/machineset_controller.go';

/** A machine that its health check waits for the owner to remediate. */
export interface ReplacementInput {
  readonly machine: Machine;
  /** Its MachineSet is the one that its MachineDeployment works with; absent: it is. */
  readonly isCurrentRevision?: boolean | undefined;
  /** `remediation.maxInFlight` as a number, and how many are in flight; absent: no limit. */
  readonly maxInFlight?: number | undefined;
  readonly inFlight?: number | undefined;
}

/** `replaced`: deleted, and another made. `waits`: not yet. `kept`: nobody replaces it. */
export type Replacement = 'replaced' | 'waits' | 'kept';

/** What becomes of an unhealthy machine: capk-external §4.3 of the spec. */
export const replacementTable: Table<ReplacementInput, Replacement> = [
  {
    name: 'NoMachineSet',
    asks: 'no MachineSet owns the machine',
    source: SET,
    when: ({ machine }) => controllerOf(machine.metadata)?.kind !== 'MachineSet',
    reads: readOwner,
    then: () => 'kept',
  },
  {
    name: 'DeletedAlready',
    asks: 'the machine is being deleted already',
    source: SET,
    when: ({ machine }) => machine.metadata.deletionTimestamp !== undefined,
    reads: ({ machine }) => [
      field(machine, 'metadata.deletionTimestamp', machine.metadata.deletionTimestamp, 'Machine'),
    ],
    then: () => 'replaced',
  },
  {
    name: 'OldRevision',
    asks: 'the MachineSet is an old one of its MachineDeployment',
    source: SET,
    when: ({ isCurrentRevision }) => isCurrentRevision === false,
    reads: readOwner,
    then: () => 'kept',
  },
  {
    name: 'TooManyInFlight',
    asks: 'as many remediations are in flight as may be',
    source: SET,
    when: ({ maxInFlight, inFlight = 0 }) => maxInFlight !== undefined && inFlight >= maxInFlight,
    reads: readOwner,
    then: () => 'waits',
  },
  {
    name: 'Replaced',
    asks: 'the MachineSet deletes the machine and makes another',
    source: SET,
    when: () => true,
    reads: readOwner,
    then: () => 'replaced',
  },
];

function readOwner({ machine }: ReplacementInput): Evidence[] {
  const owner = controllerOf(machine.metadata);
  const told = owner && `${owner.kind ?? ''} ${owner.name}`;
  return [field(machine, 'metadata.ownerReferences[controller=true]', told, 'Machine')];
}

/** The deletion of a machine, step by step. A step with hooks waits until their annotations are taken away. */
export interface DeletionStep {
  readonly step:
    | 'pre-drain-hooks'
    | 'drain-node'
    | 'volume-detach'
    | 'pre-terminate-hooks'
    | 'delete-infrastructure'
    | 'delete-node';
  readonly hooks?: readonly string[];
  /** After this the step is passed over; absent: it may take for ever. */
  readonly limitSeconds?: number | undefined;
}

const PRE_DRAIN = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const PRE_TERMINATE = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

/** What deleting a machine takes, in order. The drain evicts every 20 seconds, without end unless `nodeDrainTimeout` is set. */
export function deletionStepsOf(machine: Machine): DeletionStep[] {
  return [
    { step: 'pre-drain-hooks', hooks: hooksOf(machine, PRE_DRAIN) },
    { step: 'drain-node', limitSeconds: drainLimitSeconds(machine) },
    { step: 'volume-detach' },
    { step: 'pre-terminate-hooks', hooks: hooksOf(machine, PRE_TERMINATE) },
    { step: 'delete-infrastructure' },
    { step: 'delete-node' },
  ];
}

function hooksOf({ metadata }: Machine, prefix: string): string[] {
  return Object.keys(metadata.annotations ?? {})
    .filter((annotation) => annotation.startsWith(prefix))
    .sort();
}

/** 0 and less are no limit. */
function drainLimitSeconds({ spec }: Machine): number | undefined {
  const seconds = parseDurationSeconds(spec?.nodeDrainTimeout ?? '') ?? 0;
  return seconds > 0 ? seconds : undefined;
}

import type { KubeVirt, Migration, Vmi } from '../../kubevirt/objects.ts';
import { isFinal, isMigrating, isWorkloadUpdateMigration, keyOf } from '../../kubevirt/predicates.ts';
import { extended } from '../../kubevirt/shapes.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { field, vmiField } from '../evidence.ts';
import type { Behavior, Evidence, Table } from '../rules.ts';
import { THROTTLE_SECONDS } from './retry.ts';
import { isChangePending } from './staleness.ts';

/** A change of an object that the updater watches; `object` is as it is after the change, or was before its deletion. */
export type InformerEvent = {
  readonly change: 'add' | 'update' | 'delete';
  /** The deletion itself was missed, and only the object's absence was noticed. */
  readonly finalStateUnknown?: boolean | undefined;
} & (
  | { readonly kind: 'KubeVirt'; readonly object: KubeVirt }
  | { readonly kind: 'VirtualMachineInstance'; readonly object: Vmi }
  | { readonly kind: 'VirtualMachineInstanceMigration'; readonly object: Migration }
);

export interface InformerInput {
  readonly event: InformerEvent;
  /** `namespace/name` of every KubeVirt CR that exists. */
  readonly kubevirtKeys: readonly string[];
  readonly now: Instant;
  readonly behavior: Behavior;
}

/** What an event leads to; empty: nothing. */
export interface InformerEffect {
  /** A pass for this key after that time; a key that is queued already is not queued twice. */
  readonly enqueue?: { readonly key: string; readonly afterSeconds: number };
  /** A creation that is expected for this key has been seen. */
  readonly observedFor?: string;
}

/** The one key that passes are for. Several CRs are an error, as the create webhook lets only one in; none gives neither. */
export function kubevirtKey(keys: readonly string[]): { readonly key?: string; readonly error?: string } {
  if (keys.length > 1) return { error: `more than one KubeVirt custom resource detected: ${keys.length}` };
  const [key] = keys;
  return key === undefined ? {} : { key };
}

const FILE = 'kubevirt v1.9.0 pkg/virt-controller/watch/workload-updater/workload-updater.go';
const NOTHING: InformerEffect = {};

/** What the updater's event handlers do: workload-update §2 of the spec. A VMI that becomes outdated is no trigger. */
export const informerTable: Table<InformerInput, InformerEffect> = [
  {
    name: 'KubeVirtDeletionMissed',
    asks: 'a KubeVirt CR was found gone; v1.9.0 does not recognise it then',
    source: `${FILE}:228-254`,
    when: ({ event, behavior }) =>
      behavior === 'exact' && event.kind === 'KubeVirt' && event.finalStateUnknown === true,
    reads: readObject,
    then: () => NOTHING,
  },
  {
    name: 'KubeVirtChanged',
    asks: 'a KubeVirt CR was added, changed or deleted',
    source: `${FILE}:228-254`,
    when: ({ event }) => event.kind === 'KubeVirt',
    reads: readObject,
    then: ({ event }) => enqueue(keyOf(event.object)),
  },
  {
    name: 'VmiNotUpdated',
    asks: 'a VMI was added or deleted',
    source: `${FILE}:121-150`,
    when: ({ event }) => event.kind === 'VirtualMachineInstance' && event.change !== 'update',
    reads: readObject,
    then: () => NOTHING,
  },
  {
    name: 'NoSingleKubeVirt',
    asks: 'there is no KubeVirt CR, or more than one',
    source: `${FILE}:152-175`,
    when: ({ kubevirtKeys }) => kubevirtKeys.length !== 1,
    reads: readKeys,
    then: () => NOTHING,
  },
  {
    name: 'OwnMigrationAdded',
    asks: 'a migration that the updater made has appeared',
    source: `${FILE}:177-190`,
    when: ({ event }) =>
      event.kind === 'VirtualMachineInstanceMigration' &&
      event.change === 'add' &&
      isWorkloadUpdateMigration(event.object),
    reads: readObject,
    then: ({ kubevirtKeys: [key = ''] }) => extended(enqueue(key), { observedFor: key }),
  },
  {
    name: 'MigrationChanged',
    asks: 'a migration was added, changed or deleted',
    source: `${FILE}:177-210`,
    when: ({ event }) => event.kind === 'VirtualMachineInstanceMigration',
    reads: readObject,
    then: enqueueOnly,
  },
  {
    name: 'VmiFinal',
    asks: 'the VMI has ended',
    source: `${FILE}:217-226`,
    when: (input) => vmiOf(input, isFinal),
    reads: readPhase,
    then: () => NOTHING,
  },
  {
    name: 'VmiWithoutChange',
    asks: 'no change of the VMI waits for a migration',
    source: `${FILE}:217-226`,
    when: (input) => !vmiOf(input, (vmi) => isChangePending(vmi, input.behavior)),
    reads: readConditions,
    then: () => NOTHING,
  },
  {
    name: 'VmiMigrating',
    asks: 'a migration of the VMI is under way',
    source: `${FILE}:217-226`,
    when: (input) => vmiOf(input, (vmi) => isMigrating(vmi, input.now)),
    reads: readMigration,
    then: () => NOTHING,
  },
  {
    name: 'VmiChangePending',
    asks: 'otherwise a change of the VMI waits for a migration',
    source: `${FILE}:217-226`,
    when: () => true,
    reads: readConditions,
    then: enqueueOnly,
  },
];

function enqueue(key: string): InformerEffect {
  return { enqueue: { key, afterSeconds: THROTTLE_SECONDS } };
}

function enqueueOnly({ kubevirtKeys: [key = ''] }: InformerInput): InformerEffect {
  return enqueue(key);
}

function vmiOf({ event }: InformerInput, holds: (vmi: Vmi) => boolean): boolean {
  return event.kind === 'VirtualMachineInstance' && holds(event.object);
}

function readObject({ event }: InformerInput): Evidence[] {
  const name = event.object.metadata.name;
  return [field(event.object, 'metadata.name', name, event.kind)];
}

function readKeys({ kubevirtKeys }: InformerInput): Evidence[] {
  return [{ object: 'KubeVirt', path: 'metadata.name', value: kubevirtKeys }];
}

function readVmi(input: InformerInput, path: string, read: (vmi: Vmi) => unknown): Evidence[] {
  const { event } = input;
  return event.kind === 'VirtualMachineInstance' ? [vmiField(event.object, path, read(event.object))] : [];
}

function readPhase(input: InformerInput): Evidence[] {
  return readVmi(input, 'status.phase', (vmi) => vmi.status?.phase);
}

function readConditions(input: InformerInput): Evidence[] {
  return readVmi(input, 'status.conditions', (vmi) =>
    vmi.status?.conditions?.map(({ type, status }) => `${type}=${status}`),
  );
}

function readMigration(input: InformerInput): Evidence[] {
  return [
    ...readVmi(
      input,
      'status.migrationState.startTimestamp',
      (vmi) => vmi.status?.migrationState?.startTimestamp,
    ),
    ...readVmi(
      input,
      'status.migrationState.endTimestamp',
      (vmi) => vmi.status?.migrationState?.endTimestamp,
    ),
  ];
}

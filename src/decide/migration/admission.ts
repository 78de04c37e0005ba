/** Which migrations the API server accepts. evacuation-and-migration §2 of the spec. */

import { CONDITION, FEATURE_GATE, LABEL, MIGRATION_FINALIZER } from '../../kubevirt/names.ts';
import type { Condition, Migration, Vmi } from '../../kubevirt/objects.ts';
import { isFinal, isMigrationFinal } from '../../kubevirt/predicates.ts';
import { extended } from '../../kubevirt/shapes.ts';
import type { StatusCause } from '../eviction-strategy.ts';
import { conditionField, migrationField, vmiField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { isGateOn, type Settings } from '../settings.ts';
import { isDecentralized } from './subject.ts';

const ADMITTER =
  'kubevirt v1.9.0 pkg/virt-api/webhooks/validating-webhook/admitters/migration-create-admitter.go';
const GATE = FEATURE_GATE.decentralizedLiveMigration;

/**
 * A new migration as it is stored: labelled with its VMI's name, and kept by a finalizer until its end is noted.
 * kubevirt v1.9.0 pkg/virt-api/webhooks/mutating-webhook/mutators/migration-create-mutator.go:57-83.
 */
export function withMigrationDefaults(migration: Migration): Migration {
  const { labels, finalizers = [] } = migration.metadata;
  return {
    ...migration,
    metadata: extended(migration.metadata, {
      labels: extended(labels ?? {}, { [LABEL.vmiName]: migration.spec?.vmiName ?? '' }),
      finalizers: finalizers.includes(MIGRATION_FINALIZER)
        ? finalizers
        : [...finalizers, MIGRATION_FINALIZER],
    }),
  };
}

export type Admission =
  | { readonly allowed: true }
  /** `causes` name fields; a refusal without any is a plain bad request. */
  | { readonly allowed: false; readonly message: string; readonly causes: readonly StatusCause[] };

export interface CreateInput {
  readonly migration: Migration;
  /** Whether the request comes from virt-controller's service account. */
  readonly byVirtController: boolean;
  /** The VMI that it names; undefined: there is none. */
  readonly vmi: Vmi | undefined;
  /** Migrations in the namespace that carry the label `kubevirt.io/vmi-name` with the VMI's name. */
  readonly labelled: readonly Migration[];
  readonly settings: Pick<Settings, 'featureGates' | 'disabledFeatureGates'>;
}

const ALLOWED: Admission = { allowed: true };

function refused(message: string): Admission {
  return { allowed: false, message, causes: [] };
}

function refusedField(reason: string, message: string, field: string): Admission {
  return { allowed: false, message, causes: [{ reason, message, field }] };
}

/** A VMI that cannot move for its disks alone may still move to another cluster. */
function obstacle({ migration, vmi }: CreateInput): Condition | undefined {
  const condition = vmi?.status?.conditions?.find(
    ({ type, status }) => type === CONDITION.liveMigratable && status === 'False',
  );
  const excused = isDecentralized({ migration }) && condition?.reason === 'DisksNotLiveMigratable';
  return excused ? undefined : condition;
}

function inFlight({ labelled }: CreateInput): Migration | undefined {
  return labelled.find((migration) => !isMigrationFinal(migration));
}

function vmiEvidence({ vmi }: CreateInput, path: string, value: (vmi: Vmi) => unknown): Evidence[] {
  return vmi ? [vmiField(vmi, path, value(vmi))] : [];
}

/** Is the creation accepted? The value of the priority is not judged, nor is whether the storage can move. */
export const migrationCreateTable: Table<CreateInput, Admission> = [
  {
    name: 'VmiNameMissing',
    asks: 'the migration names no VMI',
    source: `${ADMITTER}:97-171`,
    when: ({ migration }) => !migration.spec?.vmiName,
    reads: nameEvidence,
    then: () => refusedField('FieldValueRequired', 'vmiName is missing', 'spec.vmiName'),
  },
  {
    name: 'PriorityNotAllowed',
    asks: 'somebody other than virt-controller sets a priority',
    source: `${ADMITTER}:97-171`,
    when: ({ migration, byVirtController }) => migration.spec?.priority !== undefined && !byVirtController,
    reads: ({ migration }) => [migrationField(migration, 'spec.priority', migration.spec?.priority)],
    then: () =>
      refusedField(
        'FieldValueForbidden',
        'Migration priority queue, only virt-controller is allowed to set priority field',
        'spec.migrationPriority',
      ),
  },
  {
    name: 'VmiUnknown',
    asks: 'there is no such VMI',
    source: `${ADMITTER}:97-171`,
    when: ({ vmi }) => vmi === undefined,
    reads: nameEvidence,
    then: ({ migration }) =>
      refused(`the VMI "${migration.metadata.namespace}/${migration.spec?.vmiName}" does not exist`),
  },
  {
    name: 'VmiFinal',
    asks: 'the VMI has ended',
    source: `${ADMITTER}:97-171`,
    when: ({ vmi }) => vmi !== undefined && isFinal(vmi),
    reads: (input) => vmiEvidence(input, 'status.phase', (vmi) => vmi.status?.phase),
    then: () => refused('Cannot migrate VMI in finalized state.'),
  },
  {
    name: 'NotLiveMigratable',
    asks: 'the VMI says that it cannot live-migrate; one that does not say is accepted',
    source: `${ADMITTER}:97-171`,
    when: (input) => obstacle(input) !== undefined,
    reads: ({ vmi }) =>
      vmi ? [conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance')] : [],
    then: (input) => {
      const { reason = '', message = '' } = obstacle(input) ?? {};
      return refused(`Cannot migrate VMI, Reason: ${reason}, Message: ${message}`);
    },
  },
  {
    name: 'MigrationInFlight',
    asks: 'another migration of the VMI has not finished',
    source: `${ADMITTER}:97-171`,
    when: (input) => inFlight(input) !== undefined,
    reads: ({ labelled }) =>
      labelled.map((migration) => migrationField(migration, 'status.phase', migration.status?.phase)),
    then: (input) => {
      const other = inFlight(input);
      return refused(
        `in-flight migration detected. Active migration job (${other?.metadata.uid}) is currently already in progress for VMI ${other?.spec?.vmiName}.`,
      );
    },
  },
  {
    name: 'DecentralizedGateClosed',
    asks: 'the migration leaves the cluster or the namespace, and the feature gate for that is off',
    source: `${ADMITTER}:97-171`,
    when: ({ migration, settings }) => isDecentralized({ migration }) && !isGateOn(settings, GATE),
    reads: ({ settings }) => [
      {
        object: 'KubeVirt',
        path: 'spec.configuration.developerConfiguration.featureGates',
        value: settings.featureGates,
      },
    ],
    then: () => refused(`${GATE} feature gate is not enabled in kubevirt resource`),
  },
  {
    name: 'MigrationIdsDiffer',
    asks: 'the migration sends and receives under different IDs',
    source: `${ADMITTER}:97-171`,
    when: ({ migration: { spec } }) =>
      spec?.sendTo !== undefined &&
      spec.receive !== undefined &&
      spec.sendTo.migrationID !== spec.receive.migrationID,
    reads: ({ migration }) => [
      migrationField(migration, 'spec.sendTo.migrationID', migration.spec?.sendTo?.migrationID),
      migrationField(migration, 'spec.receive.migrationID', migration.spec?.receive?.migrationID),
    ],
    then: () => refused('sendTo and receive must name the same migrationID'),
  },
  {
    name: 'Accepted',
    asks: 'nothing speaks against the migration',
    source: `${ADMITTER}:97-171`,
    when: () => true,
    reads: nameEvidence,
    then: () => ALLOWED,
  },
];

function nameEvidence({ migration }: CreateInput): Evidence[] {
  return [migrationField(migration, 'spec.vmiName', migration.spec?.vmiName)];
}

/**
 * What virt-api does to new and changed objects: it fills in what they lack, or refuses them. Pure, so that the API in memory and a
 * webhook over HTTP in front of a real one do the same.
 */
import { type StatusCause, strategyValidationTable } from '../../decide/eviction-strategy.ts';
import {
  type Admission,
  migrationCreateTable,
  withMigrationDefaults,
} from '../../decide/migration/admission.ts';
import { migrationUpdateTable } from '../../decide/migration/update-admission.ts';
import { type Behavior, resultOf } from '../../decide/rules.ts';
import { runStrategyRefusal } from '../../decide/run-strategy/resolve.ts';
import { resolveSettings } from '../../decide/settings.ts';
import { vmiUpdateTable } from '../../decide/vmi/update-admission.ts';
import type { Kind } from '../../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { KubeVirt, Migration, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { KUBEVIRT_ACCOUNT, type Requester } from '../../kubevirt/requester.ts';
import { extended } from '../../kubevirt/shapes.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { withVmDefaults } from './vm-defaults.ts';
import { withVmiDefaults } from './vmi-defaults.ts';

/** What admission asks about the cluster, and about who asks. */
export interface AdmissionLookup {
  readonly behavior: Behavior;
  readonly now: Instant;
  readonly requester: Requester;
  kubevirt(): KubeVirt | undefined;
  vmi(namespace: string, name: string): Vmi | undefined;
  /** The migrations of a namespace whose label `kubevirt.io/vmi-name` has the value. */
  migrationsLabelled(namespace: string, vmiName: string): readonly Migration[];
}

/** A refusal as a webhook words it, without what the API server puts before it. */
export interface Refusal {
  readonly allowed: false;
  /** The name of the webhook that refuses. */
  readonly webhook: string;
  readonly code: number;
  readonly reason: 'Invalid' | 'BadRequest' | 'InternalError';
  readonly message: string;
  readonly causes: readonly StatusCause[];
}

/** `object` is what is stored: the one that was sent, with what it lacked. */
export type CreationAnswer = { readonly allowed: true; readonly object: JsonObject } | Refusal;

const WEBHOOK = {
  vm: 'virtualmachine-validator.kubevirt.io',
  vmi: 'virtualmachineinstances-create-validator.kubevirt.io',
  vmiUpdate: 'virtualmachineinstances-update-validator.kubevirt.io',
  migrationCreate: 'migration-create-validator.kubevirt.io',
  migrationUpdate: 'migration-update-validator.kubevirt.io',
} as const;

/**
 * What becomes of an object that somebody wants to create. `object` has its name and namespace.
 *
 * Promise: the object is not changed, and no field of it is lost; kinds that KubeVirt does not look at are let through as they are.
 */
export function admitCreation(kind: Kind, object: JsonObject, lookup: AdmissionLookup): CreationAnswer {
  switch (kind) {
    case 'VirtualMachine':
      return refuseVm(object, lookup) ?? { allowed: true, object: withVmDefaults(object, lookup.kubevirt()) };
    case 'VirtualMachineInstance':
      return admitVmi(object, lookup);
    case 'VirtualMachineInstanceMigration':
      return admitMigration(object, lookup);
    default:
      return { allowed: true, object };
  }
}

/**
 * What is stored of a change: the status of a VMI is KubeVirt's alone, and what anybody else writes there is put back without a word
 * (kubevirt v1.9.0 pkg/virt-api/webhooks/mutating-webhook/mutators/vmi-mutator.go:145-155).
 */
export function admittedChange(
  kind: Kind,
  before: JsonObject,
  after: JsonObject,
  { requester }: AdmissionLookup,
): JsonObject {
  const isKept = kind === 'VirtualMachineInstance' && requester.account === undefined;
  return isKept ? { ...after, status: before.status } : after;
}

/** Why an object may not become what somebody makes of it; undefined: it may. Status alone is not looked at. */
export function refuseUpdate(
  kind: Kind,
  before: JsonObject,
  after: JsonObject,
  lookup: AdmissionLookup,
): Refusal | undefined {
  if (kind === 'VirtualMachine' && before.spec !== after.spec) return refuseVm(after, lookup);
  if (kind === 'VirtualMachineInstance') return refuseVmiUpdate(before, after, lookup);
  if (kind !== 'VirtualMachineInstanceMigration') return undefined;
  const input = { before: before as unknown as Migration, after: after as unknown as Migration };
  return refusalOf(WEBHOOK.migrationUpdate, resultOf(migrationUpdateTable, input));
}

function refuseVm(object: JsonObject, lookup: AdmissionLookup): Refusal | undefined {
  const vm = object as unknown as VirtualMachine;
  if (vm.metadata.deletionTimestamp) return undefined;
  const template = vm.spec?.template;
  if (!template) {
    const message = 'missing virtual machine template.';
    return refusedFor(WEBHOOK.vm, [{ reason: 'FieldValueRequired', message, field: 'spec.template' }]);
  }
  const runStrategy = runStrategyRefusal(vm, resolveSettings(lookup.kubevirt()));
  if (runStrategy) return refusedFor(WEBHOOK.vm, [runStrategy]);
  return refuseStrategy(WEBHOOK.vm, vm, 'spec.template.spec', template.spec?.evictionStrategy, lookup);
}

function refuseVmiUpdate(
  before: JsonObject,
  after: JsonObject,
  { requester, kubevirt }: AdmissionLookup,
): Refusal | undefined {
  const input = {
    before: before as unknown as Vmi,
    after: after as unknown as Vmi,
    requester,
    settings: resolveSettings(kubevirt()),
  };
  return refusalOf(WEBHOOK.vmiUpdate, resultOf(vmiUpdateTable, input));
}

function admitVmi(object: JsonObject, lookup: AdmissionLookup): CreationAnswer {
  const completed = withVmiDefaults(object, lookup.kubevirt(), lookup.now);
  const vmi = completed as unknown as Vmi;
  const refusal = refuseStrategy(WEBHOOK.vmi, vmi, 'spec', vmi.spec?.evictionStrategy, lookup);
  return refusal ?? { allowed: true, object: completed };
}

function refuseStrategy(
  webhook: string,
  object: Pick<Vmi, 'kind' | 'metadata'>,
  path: string,
  strategy: string | undefined,
  { behavior, kubevirt }: AdmissionLookup,
): Refusal | undefined {
  const settings = resolveSettings(kubevirt());
  const result = resultOf(strategyValidationTable, { object, path, strategy, settings, behavior });
  if ('panic' in result) {
    const message = `failed calling webhook "${webhook}": ${result.panic}`;
    return { allowed: false, webhook, code: 500, reason: 'InternalError', message, causes: [] };
  }
  return result.causes.length === 0 ? undefined : refusedFor(webhook, result.causes);
}

function admitMigration(object: JsonObject, lookup: AdmissionLookup): CreationAnswer {
  const migration = withMigrationDefaults(object as unknown as Migration);
  const { namespace = '', labels } = migration.metadata;
  const result = resultOf(migrationCreateTable, {
    migration,
    byVirtController: lookup.requester.account === KUBEVIRT_ACCOUNT.controller,
    vmi: lookup.vmi(namespace, migration.spec?.vmiName ?? ''),
    labelled: lookup.migrationsLabelled(namespace, labels?.[LABEL.vmiName] ?? ''),
    settings: resolveSettings(lookup.kubevirt()),
  });
  const refusal = refusalOf(WEBHOOK.migrationCreate, result);
  if (refusal) return refusal;
  const { metadata } = migration;
  return { allowed: true, object: { ...object, metadata: extended(objectAt(object, 'metadata'), metadata) } };
}

function refusalOf(webhook: string, admission: Admission): Refusal | undefined {
  if (admission.allowed) return undefined;
  const { message, causes } = admission;
  if (causes.length > 0) return refusedFor(webhook, causes);
  return { allowed: false, webhook, code: 400, reason: 'BadRequest', message, causes };
}

function refusedFor(webhook: string, causes: readonly StatusCause[]): Refusal {
  const message = causes.map((cause) => cause.message).join(', ');
  return { allowed: false, webhook, code: 422, reason: 'Invalid', message, causes };
}

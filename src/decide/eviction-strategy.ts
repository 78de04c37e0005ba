/**
 * What happens to a VMI on eviction is named by its strategy: its own, else the cluster's. Here is which one counts,
 * what a new VMI gets stamped with, and which values are refused. Eviction-webhook §9 of the spec.
 */
import { STRATEGY } from '../kubevirt/names.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { isMigratable } from '../kubevirt/predicates.ts';
import { field, vmiField } from './evidence.ts';
import type { Behavior, Evidence, Table } from './rules.ts';
import type { Settings } from './settings.ts';

type ClusterStrategy = Pick<Settings, 'evictionStrategy'>;

const KNOWN_STRATEGIES: ReadonlySet<string> = new Set(Object.values(STRATEGY));

/** None, LiveMigrate, LiveMigrateIfPossible or External; upper and lower case matter. */
export function isKnownStrategy(strategy: string): boolean {
  return KNOWN_STRATEGIES.has(strategy);
}

/**
 * The strategy that counts: the VMI's own, else the cluster's.
 *
 * Promise: the empty text is a value of its own, not "unset"; the answer may be a text that is no known strategy.
 * Without a VMI it is the cluster's. kubevirt v1.9.0 pkg/util/migrations/migrations.go (VMIEvictionStrategy).
 */
export function effectiveStrategy(vmi: Vmi | undefined, settings: ClusterStrategy): string {
  return vmi?.spec?.evictionStrategy ?? settings.evictionStrategy;
}

/** Where the strategy that counts stands: the VMI's field, and the cluster's where the VMI has none. */
export function strategyEvidence(vmi: Vmi, settings: ClusterStrategy): Evidence[] {
  const own = vmi.spec?.evictionStrategy;
  const onVmi = vmiField(vmi, 'spec.evictionStrategy', own);
  return own === undefined ? [onVmi, clusterEvidence(settings)] : [onVmi];
}

function clusterEvidence(settings: ClusterStrategy): Evidence {
  return {
    object: 'KubeVirt',
    path: 'spec.configuration.evictionStrategy',
    value: settings.evictionStrategy,
  };
}

/**
 * Whether KubeVirt itself means to migrate the VMI when it is evicted: LiveMigrate always (whether it can or not),
 * LiveMigrateIfPossible when any of its LiveMigratable conditions is True. Others never, External included.
 * kubevirt v1.9.0 pkg/util/migrations/migrations.go (VMIMigratableOnEviction).
 */
export function isMigratableOnEviction(vmi: Vmi, settings: ClusterStrategy): boolean {
  const strategy = effectiveStrategy(vmi, settings);
  if (strategy === STRATEGY.liveMigrate) return true;
  return strategy === STRATEGY.liveMigrateIfPossible && isMigratable(vmi);
}

interface StampInput {
  /** The VMI as it is being created. */
  readonly vmi: Vmi;
  readonly settings: ClusterStrategy;
}

/** The strategy that a new VMI is stored with. It stays for the VMI's whole life, whatever becomes of the cluster's. */
export const strategyStampTable: Table<StampInput, string> = [
  {
    name: 'OwnStrategyKept',
    asks: 'the new VMI names a strategy, be it an empty one',
    source: 'kubevirt v1.9.0 pkg/defaults/defaults.go:208-211',
    when: ({ vmi }) => vmi.spec?.evictionStrategy !== undefined,
    reads: ({ vmi, settings }) => strategyEvidence(vmi, settings),
    then: ({ vmi, settings }) => effectiveStrategy(vmi, settings),
  },
  {
    name: 'ClusterStrategyStamped',
    asks: 'the new VMI names no strategy, so it gets the one in force in the cluster',
    source: 'kubevirt v1.9.0 pkg/defaults/defaults.go:208-211',
    when: () => true,
    reads: ({ vmi, settings }) => strategyEvidence(vmi, settings),
    then: ({ settings }) => settings.evictionStrategy,
  },
];

/** A cause in the Status with which the API server refuses an object. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

interface ValidationInput {
  readonly object: Pick<Vmi, 'kind' | 'metadata'>;
  /** Where the VMI spec stands in the object: `spec` of a VMI, `spec.template.spec` of a VM. */
  readonly path: string;
  readonly strategy: string | undefined;
  readonly settings: ClusterStrategy;
  readonly behavior: Behavior;
}

/** No causes means that the object is fine; `panic` that virt-api's handler crashes on it. */
export type StrategyValidity = { readonly causes: readonly StatusCause[] } | { readonly panic: string };

const VALIDATION =
  'kubevirt v1.9.0 pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go';

/**
 * Whether the strategy of a new VMI, or of a VM's template, is accepted. Judged is the one that would count, so an
 * unknown cluster strategy makes every object fail that names none of its own.
 */
export const strategyValidationTable: Table<ValidationInput, StrategyValidity> = [
  {
    name: 'KnownStrategy',
    asks: 'the strategy that counts is None, LiveMigrate, LiveMigrateIfPossible or External',
    source: `${VALIDATION}:502-508`,
    when: ({ strategy, settings }) => isKnownStrategy(strategy ?? settings.evictionStrategy),
    reads: validationEvidence,
    then: () => ({ causes: [] }),
  },
  {
    name: 'ClusterStrategyUnknownPanics',
    asks: "the cluster's strategy is unknown and the object names none, on which KubeVirt crashes (defect U4)",
    source: `${VALIDATION}:520`,
    when: ({ strategy, behavior }) => strategy === undefined && behavior === 'exact',
    reads: validationEvidence,
    then: () => ({ panic: 'runtime error: invalid memory address or nil pointer dereference' }),
  },
  {
    name: 'UnknownStrategy',
    asks: 'the strategy that counts is none that KubeVirt knows',
    source: `${VALIDATION}:510-525`,
    when: () => true,
    reads: validationEvidence,
    then: ({ path, strategy, settings }) => {
      const field = `${path}.evictionStrategy`;
      const message = `${field} is set with an unrecognized option: ${strategy ?? settings.evictionStrategy}`;
      return { causes: [{ reason: 'FieldValueInvalid', message, field }] };
    },
  },
];

function validationEvidence({ object, path, strategy, settings }: ValidationInput): Evidence[] {
  const own = field(object, `${path}.evictionStrategy`, strategy);
  return strategy === undefined ? [own, clusterEvidence(settings)] : [own];
}

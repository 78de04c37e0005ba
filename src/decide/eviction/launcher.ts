import { ANNOTATION, STRATEGY } from '../../kubevirt/names.ts';
import { annotationOf, isMigratable } from '../../kubevirt/predicates.ts';
import { isKnownStrategy } from '../eviction-strategy.ts';
import { field } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import {
  type LauncherInput,
  type LauncherPodInput,
  readsMigratable,
  readsStrategy,
  strategyIn,
} from './launcher-input.ts';
import { launcherMarkRules } from './launcher-mark.ts';
import { failureIn, foundIn, isMissing, lookupEvidence } from './lookup.ts';
import { ADMITTER, ALLOWED, denied, type EvictionVerdict } from './verdict.ts';

/** Rules that need the pod alone. */
export const launcherPodRules: Table<LauncherPodInput, EvictionVerdict> = [
  {
    name: 'NoDomain',
    asks: 'the pod does not say which VMI it runs',
    source: `${ADMITTER}:86-240`,
    when: ({ pod }) => annotationOf(pod, ANNOTATION.domain) === undefined,
    reads: ({ pod }) => [domainEvidence(pod)],
    then: () => ALLOWED,
  },
];

/**
 * Whether an active launcher pod may be evicted, and whether the VMI gets marked for evacuation. Not looked at: the
 * VMI's phase, a deletion or migration under way, who asks, budgets, grace periods. Eviction-webhook §2.2 of the spec.
 */
export const launcherEvictionTable: Table<LauncherInput, EvictionVerdict> = [
  ...launcherPodRules,
  {
    name: 'VmiGone',
    asks: 'the VMI is gone, so nothing is left to protect; KubeVirt refuses even then (a defect)',
    source: `${ADMITTER}:133-136`,
    when: ({ vmi, behavior }) => behavior === 'intended' && isMissing(vmi),
    reads: vmiEvidence,
    then: () => ALLOWED,
  },
  {
    name: 'VmiNotReadable',
    asks: 'the VMI cannot be read',
    source: `${ADMITTER}:133-136`,
    when: ({ vmi }) => failureIn(vmi) !== undefined,
    reads: vmiEvidence,
    then: ({ vmi }) => denied(`kubevirt failed getting the vmi: ${failureIn(vmi)}`),
  },
  {
    name: 'NoStrategy',
    asks: 'the strategy is None or empty',
    source: `${ADMITTER}:86-240`,
    when: (input) => strategyIn(input) === STRATEGY.none || strategyIn(input) === '',
    reads: readsStrategy,
    then: () => ALLOWED,
  },
  {
    name: 'UnknownStrategy',
    asks: 'the strategy is none that KubeVirt knows',
    source: `${ADMITTER}:86-240`,
    when: (input) => !isKnownStrategy(strategyIn(input) ?? ''),
    reads: readsStrategy,
    then: () => ALLOWED,
  },
  {
    name: 'NotLiveMigratable',
    asks: 'the strategy is LiveMigrate and the VMI cannot live-migrate',
    source: `${ADMITTER}:86-240`,
    when: (input) => strategyIn(input) === STRATEGY.liveMigrate && !canMigrate(input),
    reads: readsMigratable,
    then: ({ vmi }) =>
      denied(
        `VMI ${foundIn(vmi)?.metadata.name} is configured with an eviction strategy but is not live-migratable`,
      ),
  },
  {
    name: 'NotMigratableEvicts',
    asks: 'the strategy is LiveMigrateIfPossible and the VMI cannot live-migrate, marked or not',
    source: `${ADMITTER}:86-240`,
    when: (input) => strategyIn(input) === STRATEGY.liveMigrateIfPossible && !canMigrate(input),
    reads: readsMigratable,
    then: () => ALLOWED,
  },
  ...launcherMarkRules,
];

function canMigrate({ vmi }: LauncherInput): boolean {
  const found = foundIn(vmi);
  return found !== undefined && isMigratable(found);
}

function domainEvidence(pod: LauncherPodInput['pod']): Evidence {
  return field(
    pod,
    `metadata.annotations[${ANNOTATION.domain}]`,
    annotationOf(pod, ANNOTATION.domain),
    'Pod',
  );
}

function vmiEvidence({ pod, vmi }: LauncherInput): Evidence[] {
  const name = annotationOf(pod, ANNOTATION.domain);
  return [lookupEvidence(`VirtualMachineInstance ${pod.metadata.namespace}/${name}`, vmi)];
}

import { CONDITION } from '../kubevirt/names.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { findCondition } from '../kubevirt/predicates.ts';
import { isMigratableOnEviction, strategyEvidence } from './eviction-strategy.ts';
import { conditionField } from './evidence.ts';
import type { Table } from './rules.ts';
import type { Settings } from './settings.ts';

export const NON_EVICTABLE_METRIC = 'kubevirt_vmi_non_evictable';

const COLLECTOR = 'kubevirt v1.9.0 pkg/monitoring/metrics/virt-controller/vmistats_collector.go';

export interface NonEvictableInput {
  readonly vmi: Vmi;
  readonly settings: Pick<Settings, 'evictionStrategy'>;
}

/**
 * The value of the metric `kubevirt_vmi_non_evictable`: 1 for a VMI that evictions ask to migrate and that cannot. A VMI
 * that an eviction would shut down counts 0, so it does not say that a drain is harmless. The first condition of a type
 * counts; a status of Unknown does not count as "cannot".
 */
export const nonEvictableTable: Table<NonEvictableInput, 0 | 1> = [
  {
    name: 'StrategyDoesNotMigrate',
    asks: 'the strategy does not ask KubeVirt to migrate this VMI',
    source: `${COLLECTOR}:349-374`,
    when: ({ vmi, settings }) => !isMigratableOnEviction(vmi, settings),
    reads: evidence,
    then: () => 0,
  },
  {
    name: 'NotLiveMigratable',
    asks: 'the LiveMigratable condition is absent or False',
    source: `${COLLECTOR}:349-374`,
    when: ({ vmi }) => {
      const status = findCondition(vmi.status?.conditions, CONDITION.liveMigratable)?.status;
      return status === undefined || status === 'False';
    },
    reads: evidence,
    then: () => 1,
  },
  {
    name: 'Evictable',
    asks: 'the VMI migrates when it is evicted',
    source: `${COLLECTOR}:349-374`,
    when: () => true,
    reads: evidence,
    then: () => 0,
  },
];

function evidence({ vmi, settings }: NonEvictableInput) {
  return [
    ...strategyEvidence(vmi, settings),
    conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance'),
  ];
}

/** The labels of the metric's series for a VMI, in the order in which the collector declares them: node, namespace, name. */
export function nonEvictableLabels(vmi: Vmi): [node: string, namespace: string, name: string] {
  return [vmi.status?.nodeName ?? '', vmi.metadata.namespace ?? '', vmi.metadata.name];
}

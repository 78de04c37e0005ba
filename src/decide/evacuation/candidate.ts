/** Does the evacuation controller move this VMI off its node? evacuation-and-migration §1 of the spec. */
import { CONDITION, STRATEGY } from '../../kubevirt/names.ts';
import type { Migration, Node, Pod, Vmi } from '../../kubevirt/objects.ts';
import { isConditionTrue, isFinal, isMarked, isMigrating, isPodFinished } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { effectiveStrategy, isMigratableOnEviction, strategyEvidence } from '../eviction-strategy.ts';
import { conditionField, field, migrationField, podField, vmiField } from '../evidence.ts';
import type { MigrationDraft } from '../migration/draft.ts';
import type { Evidence, Table } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { evacuationMigration } from './evacuation-migration.ts';

const EVA = 'kubevirt v1.9.0 pkg/virt-controller/watch/drain/evacuation/evacuation.go';

export interface EvacuationInput {
  readonly vmi: Vmi;
  /** The node that is looked at. */
  readonly node: Node;
  /** Pods that the VMI controls, finished ones too. */
  readonly pods: readonly Pod[];
  /** Unfinished migrations of this VMI. */
  readonly unfinishedMigrations: readonly Migration[];
  readonly settings: Pick<Settings, 'evictionStrategy' | 'migrations' | 'rules'>;
  readonly now: Instant;
}

export type EvacuationStep =
  | { readonly action: 'CreateMigration'; readonly migration: MigrationDraft }
  /** The VMI should go and cannot; nothing will be done. */
  | { readonly action: 'CannotMigrate' }
  /** Not now; what is in the way goes by itself, and then the node is looked at again. */
  | { readonly action: 'Wait' }
  /** Not a matter for the evacuation controller. */
  | { readonly action: 'Leave' };

const LEAVE: EvacuationStep = { action: 'Leave' };
const WAIT: EvacuationStep = { action: 'Wait' };

/**
 * Whether the node carries the drain taint of the cluster (`migrations.nodeDrainTaintKey`), effect NoSchedule, whatever
 * its value. The deprecated way to empty a node: every VMI on it is taken, marked or not.
 */
export function hasDrainTaint(node: Node, settings: Pick<Settings, 'migrations'>): boolean {
  const key = settings.migrations.nodeDrainTaintKey;
  return node.spec?.taints?.some((taint) => taint.key === key && taint.effect === 'NoSchedule') ?? false;
}

function countsByMark(input: EvacuationInput): boolean {
  return !hasDrainTaint(input.node, input.settings);
}

function unfinishedPods(input: EvacuationInput): readonly Pod[] {
  return input.pods.filter((pod) => !isPodFinished(pod));
}

function markEvidence({ vmi, node }: EvacuationInput): Evidence[] {
  return [
    vmiField(vmi, 'status.evacuationNodeName', vmi.status?.evacuationNodeName),
    field(node, 'spec.taints', node.spec?.taints, 'Node'),
  ];
}

/** One VMI at a time; the order of the rules is the order in which KubeVirt asks. */
export const evacuationTable: Table<EvacuationInput, EvacuationStep> = [
  {
    name: 'OnAnotherNode',
    asks: 'the VMI is not on this node',
    source: `${EVA}:296-330`,
    when: ({ vmi, node }) => vmi.status?.nodeName !== node.metadata.name,
    reads: ({ vmi }) => [vmiField(vmi, 'status.nodeName', vmi.status?.nodeName)],
    then: () => LEAVE,
  },
  {
    name: 'NotMarked',
    asks: 'no eviction has marked the VMI, and the node has no drain taint',
    source: `${EVA}:402-440`,
    when: (input) => countsByMark(input) && !isMarked(input.vmi),
    reads: markEvidence,
    then: () => LEAVE,
  },
  {
    name: 'MarkedForAnotherNode',
    asks: 'the mark names a node that the VMI has already left, and the node has no drain taint',
    source: `${EVA}:402-440`,
    when: (input) =>
      countsByMark(input) && input.vmi.status?.evacuationNodeName !== input.vmi.status?.nodeName,
    reads: (input) => [
      ...markEvidence(input),
      vmiField(input.vmi, 'status.nodeName', input.vmi.status?.nodeName),
    ],
    then: () => LEAVE,
  },
  {
    name: 'Migrating',
    asks: 'the marked VMI is migrating by its own account, and the node has no drain taint',
    source: `${EVA}:402-440`,
    when: (input) => countsByMark(input) && isMigrating(input.vmi, input.now),
    reads: ({ vmi }) => [
      vmiField(vmi, 'status.migrationState.startTimestamp', vmi.status?.migrationState?.startTimestamp),
      vmiField(vmi, 'status.migrationState.endTimestamp', vmi.status?.migrationState?.endTimestamp),
    ],
    then: () => WAIT,
  },
  {
    name: 'Ending',
    asks: 'the VMI has ended or is being deleted',
    source: `${EVA}:442-448`,
    when: ({ vmi }) => isFinal(vmi) || vmi.metadata.deletionTimestamp !== undefined,
    reads: ({ vmi }) => [
      vmiField(vmi, 'status.phase', vmi.status?.phase),
      vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp),
    ],
    then: () => LEAVE,
  },
  {
    name: 'StrategyDoesNotMigrate',
    asks: 'the strategy does not ask KubeVirt to migrate this VMI',
    source: `${EVA}:449-454`,
    when: ({ vmi, settings }) => !isMigratableOnEviction(vmi, settings),
    reads: ({ vmi, settings }) => [
      ...strategyEvidence(vmi, settings),
      ...(effectiveStrategy(vmi, settings) === STRATEGY.liveMigrateIfPossible
        ? [migratableEvidence(vmi)]
        : []),
    ],
    then: () => LEAVE,
  },
  {
    name: 'NotLiveMigratable',
    asks: 'the first LiveMigratable condition is not True',
    source: `${EVA}:455-458`,
    when: ({ vmi }) => !isConditionTrue(vmi.status?.conditions, CONDITION.liveMigratable),
    reads: ({ vmi, settings }) => [...strategyEvidence(vmi, settings), migratableEvidence(vmi)],
    then: () => ({ action: 'CannotMigrate' }),
  },
  {
    name: 'MigrationUnfinished',
    asks: 'a migration of the VMI has not finished',
    source: `${EVA}:459-463`,
    when: ({ unfinishedMigrations }) => unfinishedMigrations.length > 0,
    reads: ({ unfinishedMigrations }) =>
      unfinishedMigrations.map((migration) =>
        migrationField(migration, 'status.phase', migration.status?.phase),
      ),
    then: () => WAIT,
  },
  {
    name: 'PodsLeftOver',
    asks: 'more than one pod of the VMI has not ended',
    source: `${EVA}:464-471`,
    when: (input) => unfinishedPods(input).length > 1,
    reads: (input) => unfinishedPods(input).map((pod) => podField(pod, 'status.phase', pod.status?.phase)),
    then: () => WAIT,
  },
  {
    name: 'Evacuate',
    asks: 'the VMI is to leave the node and can',
    source: `${EVA}:336-356,376-400`,
    when: () => true,
    reads: (input) => [...markEvidence(input), ...strategyEvidence(input.vmi, input.settings)],
    then: ({ vmi, node, settings }) => ({
      action: 'CreateMigration',
      migration: evacuationMigration(vmi, node.metadata.name, settings.rules),
    }),
  },
];

function migratableEvidence(vmi: Vmi): Evidence {
  return conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance');
}

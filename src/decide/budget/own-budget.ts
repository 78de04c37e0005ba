import { LABEL } from '../../kubevirt/names.ts';
import type { PodDisruptionBudget, Vmi } from '../../kubevirt/objects.ts';
import { controllerOf } from '../../kubevirt/predicates.ts';
import { isMigratableOnEviction } from '../eviction-strategy.ts';
import type { Settings } from '../settings.ts';

/** Made by KubeVirt for one VMI (up to 1.5). Later versions only delete such leftovers. */
export function isOwnBudget(budget: PodDisruptionBudget): boolean {
  return controllerOf(budget.metadata)?.kind === 'VirtualMachineInstance';
}

interface OwnBudgetInput {
  readonly vmi: Vmi;
  readonly settings: Pick<Settings, 'evictionStrategy' | 'rules'>;
  /** A migration has given the VMI a second launcher. */
  readonly isMigrating: boolean;
}

/**
 * The budgets of a namespace with the one that KubeVirt makes for the VMI, where its version makes any: one pod must
 * stay, two while it migrates. One that is there already is not added again.
 *
 * Promise: only VMIs that KubeVirt means to migrate on eviction have one; the added budget has no status.
 */
export function withOwnBudget(
  budgets: readonly PodDisruptionBudget[],
  input: OwnBudgetInput,
): readonly PodDisruptionBudget[] {
  const { vmi, settings } = input;
  if (!settings.rules.budgetPerVmi || !isMigratableOnEviction(vmi, settings)) return budgets;
  return budgets.some((budget) => belongsTo(budget, vmi)) ? budgets : [...budgets, ownBudget(input)];
}

function belongsTo(budget: PodDisruptionBudget, vmi: Vmi): boolean {
  const sameNamespace = budget.metadata.namespace === vmi.metadata.namespace;
  return sameNamespace && isOwnBudget(budget) && controllerOf(budget.metadata)?.name === vmi.metadata.name;
}

function ownBudget({ vmi, isMigrating }: OwnBudgetInput): PodDisruptionBudget {
  const { name, namespace, uid = '' } = vmi.metadata;
  return {
    kind: 'PodDisruptionBudget',
    metadata: {
      name: `kubevirt-disruption-budget-${name}`,
      namespace,
      ownerReferences: [{ kind: 'VirtualMachineInstance', name, uid, controller: true }],
    },
    spec: { minAvailable: isMigrating ? 2 : 1, selector: { matchLabels: { [LABEL.createdBy]: uid } } },
  };
}

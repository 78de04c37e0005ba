import { counted } from '../../kubevirt/words.ts';
/** Traps in disruption budgets over launcher pods. */

import { isOwnBudget } from '../../decide/budget/own-budget.ts';
import type { BudgetAnswer } from '../../decide/disruption-budget.ts';
import { field } from '../../decide/evidence.ts';
import type { Decision } from '../../decide/rules.ts';
import type { Pod, PodDisruptionBudget, Vmi } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { isLauncherPod, keyOf } from '../../kubevirt/predicates.ts';
import { target } from './commands.ts';
import type { LintContext } from './context.ts';
import type { Found, LintRule } from './finding.ts';
import { found, grouped, listed, verb } from './words.ts';

const KIND = 'PodDisruptionBudget';

interface Guarded {
  readonly budget: PodDisruptionBudget;
  /** Running VMIs under the budget that only the budget keeps from being evicted. */
  readonly held: readonly Vmi[];
  /** Launchers that the budget counts. */
  readonly launchers: number;
  readonly answer: Decision<BudgetAnswer>;
}

export const budgetNeverAllows: LintRule = {
  code: 'DRV022',
  name: 'BudgetNeverAllows',
  severity: 'warning',
  title: 'a disruption budget over launcher pods can never allow an eviction',
  explains:
    'A budget with `maxUnavailable` or a percentage needs to know how many pods are wanted, which Kubernetes asks the owner ' +
    'of the pods. A VMI owns launcher pods and cannot tell, so such a budget allows nothing, for ever, and neither does one ' +
    'that wants as many pods as there are. A drain of VMs that are to be shut down waits without end. VMs that are migrated ' +
    'are not held: their eviction is never let through anyway.',
  needs: [KIND, 'Pod', 'VirtualMachineInstance', 'KubeVirt'],
  find: (cluster) => {
    const never = guardedBy(cluster).filter(({ answer }) => answer.result.kind === 'RefusedForEver');
    return grouped(never, ({ answer }) => answer.reason).flatMap(neverFound);
  },
};

function guardedBy(cluster: LintContext): Guarded[] {
  return [...cluster.budgets.selections()].flatMap(([budget, pods]) => {
    const launchers = pods.filter(isLauncherPod);
    const held = launchers.flatMap((pod) => heldVmi(cluster, pod) ?? []).sort(byKey);
    const pod = held[0] && cluster.fleet.launcherPodOf(held[0]);
    return pod ? [{ budget, held, launchers: launchers.length, answer: cluster.budgets.answerFor(pod) }] : [];
  });
}

/** The VMI of a launcher, where the webhook would let the eviction through. */
function heldVmi({ fleet, evictionOf }: LintContext, pod: Pod): Vmi | undefined {
  const vmi = fleet.vmiOfLauncher(pod);
  return vmi && fleet.launcherPodOf(vmi) === pod && evictionOf(vmi)?.result.allowed ? vmi : undefined;
}

function neverFound(group: readonly Guarded[]): Found[] {
  return found(
    KIND,
    group,
    ({ budget }) => budget,
    ({ budget, launchers, answer }, count, all) => {
      const vmis = all.reduce((sum, { held }) => sum + held.length, 0);
      return {
        cause: `${counted(count, 'budget')} ${verb(count, 'holds', 'hold')} ${counted(vmis, 'VMI')} that a drain is to shut down; ${keyOf(budget)}: ${answer.result.message}.`,
        cure: `Ask for a whole number of launchers that leaves one to spare: ${spareOne(budget, launchers)}`,
        evidence: answer.evidence,
      };
    },
  );
}

function spareOne(budget: PodDisruptionBudget, launchers: number): string {
  const old = budget.spec?.maxUnavailable === undefined ? 'minAvailable' : 'maxUnavailable';
  const patch = [
    { op: 'remove', path: `/spec/${old}` },
    { op: 'add', path: '/spec/minAvailable', value: Math.max(0, launchers - 1) },
  ];
  return `\`kubectl patch pdb ${target(budget)} --type json -p '${JSON.stringify(patch)}'\``;
}

export const severalBudgets: LintRule = {
  code: 'DRV023',
  name: 'SeveralBudgets',
  severity: 'error',
  title: 'more than one disruption budget selects a launcher pod',
  explains:
    'Kubernetes cannot evict a pod that two budgets select: it answers 500, whatever the budgets allow. `kubectl drain` does ' +
    'not retry a 500, it gives the pod up and fails. A budget that KubeVirt up to 1.5 made for the VMI counts as one of them.',
  needs: [KIND, 'Pod', 'VirtualMachineInstance', 'KubeVirt'],
  find: (cluster) => {
    const several = cluster
      .runningVmis()
      .map((vmi) => ({ vmi, budgets: budgetsOver(cluster, vmi) }))
      .filter(({ budgets }) => budgets.length > 1);
    return found(
      'VirtualMachineInstance',
      several,
      ({ vmi }) => vmi,
      ({ vmi, budgets }, count) => ({
        cause: `${verb(count, 'The launcher', 'The launchers')} of ${counted(count, 'VMI')} ${verb(count, 'is', 'are')} under several budgets, that of ${keyOf(vmi)} under ${listed(budgets.map(({ metadata }) => metadata.name))}: every eviction fails with an internal error.`,
        cure: `Leave one budget over each pod, by narrowing the selectors or deleting the others: \`kubectl describe pdb ${target(budgets[0] ?? vmi)}\``,
        evidence: budgets.map((budget) => field(budget, 'spec.selector', budget.spec?.selector, KIND)),
      }),
    );
  },
};

/** Budgets are asked only where the webhook lets the eviction through; before 1.5 it leaves marked VMIs to them. */
function budgetsOver({ fleet, budgets, evictionOf, settings }: LintContext, vmi: Vmi) {
  const pod = fleet.launcherPodOf(vmi);
  const isAsked = evictionOf(vmi)?.result.allowed || !settings.rules.inProgressRefused;
  return pod && isAsked ? budgets.over(pod) : [];
}

export const leftoverBudgets: LintRule = {
  code: 'DRV024',
  name: 'LeftoverBudgets',
  severity: 'warning',
  title: 'budgets that an older KubeVirt made for VMIs are still there',
  explains:
    'Up to 1.5 KubeVirt made a disruption budget for every VMI with a migrating strategy; from 1.6 on it makes none and ' +
    'deletes those that it finds. One that stays allows no eviction of its VMI, not even of a VM that is meant to be shut ' +
    'down, and together with a budget of your own it makes evictions fail with an internal error.',
  needs: [KIND, 'KubeVirt'],
  find: ({ fleet, settings }) => {
    if (settings.rules.budgetPerVmi) return [];
    const left = [...fleet.all(KIND)].filter(isOwnBudget).sort(byKey);
    return found(
      KIND,
      left,
      (budget) => budget,
      (first, count) => ({
        cause: `${counted(count, 'budget')} ${verb(count, 'is', 'are')} owned by a VMI, as KubeVirt up to 1.5 made them; this one should have deleted ${verb(count, 'it', 'them')}.`,
        cure: `Look for errors of the disruption budget controller in virt-controller's log, then delete what is left: \`kubectl delete pdb ${target(first)}\``,
        evidence: [field(first, 'metadata.ownerReferences', first.metadata.ownerReferences, KIND)],
      }),
    );
  },
};

import { aBudget, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { budgetTable } from '../disruption-budget.ts';
import { decide, type Evidence } from '../rules.ts';

export const launcher = (vmi: string, pod = `virt-launcher-${vmi}`) =>
  aPod(pod).launcherOf(aVmi(vmi).build()).labelled('pool', 'web');
export const pool = (name = 'pool') => aBudget(name).selecting('pool', 'web');
export const [A, B, C] = [
  launcher('a').ready().build(),
  launcher('b').ready().build(),
  launcher('c').ready().build(),
];
export const unready = (vmi: string) =>
  launcher(vmi).condition('Ready', 'False', 'ContainersNotReady').build();

export const ask = (budgets: PodDisruptionBudget[], pods: Pod[], pod: Pod = pods[0] ?? A) =>
  decide(budgetTable, { pod, budgets, pods });

const REF = 'PodDisruptionBudget shop/pool';
export const asks = (path: string, value?: unknown): Evidence => ({ object: REF, path, value });
export const refusal = (desired: number, current: number) => ({
  code: 429,
  message: "Cannot evict pod as it would violate the pod's disruption budget.",
  cause: {
    reason: 'DisruptionBudget',
    message: `The disruption budget pool needs ${desired} healthy pods and has ${current} currently`,
  },
});

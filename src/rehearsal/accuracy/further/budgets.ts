import type { RawObject } from '../../../scenario/cluster.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** Budgets of every form, many of them on the same VMs. */
export function budgets(draws: Draws, trial: Trial): Trial {
  const others = (trial.cluster.objects ?? []).filter(({ kind }) => kind !== 'PodDisruptionBudget');
  const vms = trial.cluster.vms.map((vm) => ({ ...vm, labels: { ...vm.labels, name: vm.name } }));
  const names = vms.map(({ name }) => name);
  const drawn = Array.from({ length: draws.between(1, 3) }, (_, index) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `budget-${index}` },
    spec: {
      ...draws.pick<RawObject>(...ASKS),
      selector: drawSelector(draws, names),
      ...(draws.percent(30) && { unhealthyPodEvictionPolicy: draws.pick('IfHealthyBudget', 'AlwaysAllow') }),
    },
  }));
  return { ...trial, cluster: { ...trial.cluster, vms, objects: [...others, ...drawn] } };
}

const ASKS: readonly [RawObject, ...RawObject[]] = [
  { minAvailable: 1 },
  { minAvailable: 1 },
  { minAvailable: 2 },
  { minAvailable: 3 },
  { minAvailable: '50%' },
  { minAvailable: '100%' },
  { maxUnavailable: 0 },
  { maxUnavailable: '50%' },
];

function drawSelector(draws: Draws, names: readonly string[]): RawObject {
  const some = names.filter(() => draws.percent(40));
  return draws.pick<RawObject>(
    { matchLabels: { pool: draws.pick('web', 'db') } },
    { matchExpressions: [{ key: 'pool', operator: 'In', values: ['web', 'db'] }] },
    {
      matchExpressions: [
        { key: 'pool', operator: 'DoesNotExist' },
        { key: 'kubevirt.io', operator: 'Exists' },
      ],
    },
    { matchExpressions: [{ key: 'name', operator: 'In', values: some.length > 0 ? some : names }] },
    {},
  );
}

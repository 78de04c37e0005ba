import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import { isPodReady } from '../../../decide/budget/controller.ts';
import { isUpToDate, lookAtBudget } from '../../../decide/budget/disruption.ts';
import { isSameJson } from '../../../kubevirt/json.ts';
import type { Pod, PodDisruptionBudget } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { SelectedPods } from './selected-pods.ts';

const COMPONENT = 'controllermanager';

/** Stands in for kube-controller-manager's disruption controller: counts the pods of each budget, and says how many may be evicted. */
export function disruptionController(context: ActorContext): Actor {
  const { cluster, clock } = context;
  const { fleet } = cluster;
  const selected = new SelectedPods();

  async function reconcile(key: string): Promise<ReconcileResult> {
    const budget = fleet.get('PodDisruptionBudget', key);
    if (!budget) return {};
    const pods = [...selected.podsOf(key)].flatMap((pod) => fleet.get('Pod', pod) ?? []);
    const look = lookAtBudget({ budget, pods, now: clock.now() });
    if (!look) return {};
    for (const event of look.events) cluster.recordEvent(event, COMPONENT);
    const requeueAfterSeconds = look.againAt && Math.max(0, look.againAt - clock.now()) / 1000 + 0.001;
    if (isUpToDate(budget, look.status)) return { requeueAfterSeconds };
    const result = await cluster.modify(
      'PodDisruptionBudget',
      key,
      (held) => withStatus(held, budget, look.status),
      { subresource: 'status' },
    );
    if (!result.ok && !isNotFound(result)) return { error: result.message };
    return { requeueAfterSeconds };
  }

  function keysOf({ kind, key, before, after }: Change): Iterable<string> {
    if (kind === 'PodDisruptionBudget') return followBudget(key, before, after);
    return kind === 'Pod' ? followPod(key, before as Pod | undefined, after as Pod | undefined) : [];
  }

  function followBudget(key: string, before: Change['before'], after: Change['after']): string[] {
    if (!after) {
      selected.deleteBudget(key);
      return [];
    }
    const budget = after as PodDisruptionBudget;
    if (before && isSameJson((before as PodDisruptionBudget).spec, budget.spec)) return [key];
    selected.setBudget(budget, fleet.podsIn(budget.metadata.namespace ?? ''));
    return [key];
  }

  function followPod(key: string, before: Pod | undefined, after: Pod | undefined): readonly string[] {
    const had = selected.budgetsOf(key);
    if (!after) {
      selected.deletePod(key);
      return had;
    }
    if (before && isSameJson(before.metadata.labels, after.metadata.labels)) {
      return countsOtherwise(before, after) ? had : [];
    }
    selected.setPod(after);
    return [...new Set([...had, ...selected.budgetsOf(key)])];
  }

  return keyedActor({
    name: 'disruption',
    context,
    keysOf,
    allKeys: () => {
      const budgets = [...fleet.all('PodDisruptionBudget')];
      for (const budget of budgets) selected.setBudget(budget, fleet.podsIn(budget.metadata.namespace ?? ''));
      return budgets.map(keyOf).sort();
    },
    reconcile,
  });
}

function countsOtherwise(before: Pod, after: Pod): boolean {
  const read = (pod: Pod) => `${pod.metadata.deletionTimestamp !== undefined} ${isPodReady(pod)}`;
  return read(before) !== read(after);
}

/** Not over what an eviction has written since the count. */
function withStatus(
  held: PodDisruptionBudget,
  counted: PodDisruptionBudget,
  status: PodDisruptionBudget['status'],
): PodDisruptionBudget | undefined {
  const isCurrent = held.metadata.resourceVersion === counted.metadata.resourceVersion;
  return isCurrent ? { ...held, status } : undefined;
}

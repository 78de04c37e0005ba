import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import { quotaStatus, useOf } from '../../../decide/placement/quota-use.ts';
import { isSameJson } from '../../../kubevirt/json.ts';
import type { Pod, ResourceQuota } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { QuotaLedger } from './quota-ledger.ts';

/** Stands in for kube-controller-manager's quota controller: tells in the status of each quota what the pods of its namespace use. */
export function quotaController(context: ActorContext): Actor {
  const { cluster, clock } = context;
  const { fleet } = cluster;
  const ledger = new QuotaLedger();

  async function reconcile(key: string): Promise<ReconcileResult> {
    const quota = fleet.get('ResourceQuota', key);
    if (!quota) return {};
    const change = (held: ResourceQuota) => {
      const status = quotaStatus(held, ledger.totalOf(key));
      return isSameJson(held.status, status) ? undefined : { ...held, status };
    };
    if (!change(quota)) return {};
    const result = await cluster.modify('ResourceQuota', key, change, { subresource: 'status' });
    return result.ok || isNotFound(result) ? {} : { error: result.message };
  }

  function count(quota: ResourceQuota): void {
    ledger.forget(keyOf(quota));
    for (const pod of fleet.podsIn(quota.metadata.namespace ?? '')) take(quota, keyOf(pod), pod);
  }

  function take(quota: ResourceQuota, key: string, pod: Pod | undefined): boolean {
    return ledger.set(keyOf(quota), key, pod ? useOf(quota, pod, clock.now()) : new Map());
  }

  function keysOf({ kind, key, before, after }: Change): string[] {
    if (kind === 'ResourceQuota') return followQuota(key, before as ResourceQuota, after as ResourceQuota);
    if (kind !== 'Pod') return [];
    const pod = (after ?? before) as Pod;
    const quotas = fleet.quotasIn(pod.metadata.namespace ?? '');
    return quotas.filter((quota) => take(quota, key, after as Pod | undefined)).map(keyOf);
  }

  function followQuota(
    key: string,
    before: ResourceQuota | undefined,
    after: ResourceQuota | undefined,
  ): string[] {
    if (!after) ledger.forget(key);
    else if (!isSameJson(before?.spec, after.spec) || !before) count(after);
    return [key];
  }

  return keyedActor({
    name: 'quota',
    context,
    keysOf,
    allKeys: () => {
      const quotas = [...fleet.all('ResourceQuota')];
      for (const quota of quotas) count(quota);
      return quotas.map(keyOf).sort();
    },
    reconcile,
  });
}

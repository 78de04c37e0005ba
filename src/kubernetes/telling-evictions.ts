import type { Cluster, EvictionCall } from '../controllers/ports.ts';
import type { ApiResult } from '../decide/api-result.ts';

/** The cluster, whose evictions somebody is told of when they are answered. */
export function tellingEvictions(
  cluster: Cluster,
  onEviction: (call: EvictionCall, result: ApiResult) => void,
): Cluster {
  return {
    fleet: cluster.fleet,
    isSynced: () => cluster.isSynced(),
    subscribe: (listener) => cluster.subscribe(listener),
    create: (...call) => cluster.create(...call),
    patch: (...call) => cluster.patch(...call),
    modify: (...call) => cluster.modify(...call),
    delete: (...call) => cluster.delete(...call),
    recordEvent: (...call) => cluster.recordEvent(...call),
    async evict(call) {
      const result = await cluster.evict(call);
      onEviction(call, result);
      return result;
    },
  };
}

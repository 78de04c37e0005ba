import type { Cluster } from '../controllers/ports.ts';
import type { Kind } from '../fleet/fleet.ts';
import type { ApiClient } from './api-client.ts';
import { Writes } from './writes.ts';

/** The cluster, but some kinds are written with another client, as by another account. */
export function writingAs(cluster: Cluster, api: ApiClient, kinds: ReadonlySet<Kind>): Cluster {
  const others = new Writes(api, () => true);
  const handFor = (kind: Kind): Pick<Cluster, 'create' | 'patch' | 'modify' | 'delete'> =>
    kinds.has(kind) ? others : cluster;
  return {
    fleet: cluster.fleet,
    isSynced: () => cluster.isSynced(),
    subscribe: (listener) => cluster.subscribe(listener),
    create: (kind, ...call) => handFor(kind).create(kind, ...call),
    patch: (kind, ...call) => handFor(kind).patch(kind, ...call),
    modify: (kind, ...call) => handFor(kind).modify(kind, ...call),
    delete: (kind, ...call) => handFor(kind).delete(kind, ...call),
    evict: (call) => cluster.evict(call),
    recordEvent: (event, component) => cluster.recordEvent(event, component),
  };
}

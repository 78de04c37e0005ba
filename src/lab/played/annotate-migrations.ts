import type { Cluster } from '../../controllers/ports.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';

/** The cluster, to which new migrations go with these annotations besides their own. */
export function annotatingMigrations(cluster: Cluster, more: Readonly<Record<string, string>>): Cluster {
  return {
    fleet: cluster.fleet,
    isSynced: () => cluster.isSynced(),
    subscribe: (listener) => cluster.subscribe(listener),
    create(kind, namespace, object) {
      if (kind !== 'VirtualMachineInstanceMigration') return cluster.create(kind, namespace, object);
      const metadata = objectAt(object as JsonObject, 'metadata');
      const annotations = { ...objectAt(metadata, 'annotations'), ...more };
      return cluster.create(kind, namespace, { ...object, metadata: { ...metadata, annotations } });
    },
    patch: (...call) => cluster.patch(...call),
    modify: (...call) => cluster.modify(...call),
    delete: (...call) => cluster.delete(...call),
    evict: (call) => cluster.evict(call),
    recordEvent: (...call) => cluster.recordEvent(...call),
  };
}

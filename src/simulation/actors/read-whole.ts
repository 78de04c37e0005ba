import type { Cluster } from '../../controllers/ports.ts';
import type { Kind, KindMap } from '../../fleet/fleet.ts';

/**
 * An object as the API server has it now, with every field, also those that the fleet leaves out.
 *
 * Promise: undefined where it is gone or cannot be read. It is not the reader's to change.
 */
export async function readWhole<K extends Kind>(
  cluster: Pick<Cluster, 'modify'>,
  kind: K,
  key: string,
): Promise<KindMap[K] | undefined> {
  let whole: KindMap[K] | undefined;
  await cluster.modify(kind, key, (object) => {
    whole = object;
    return undefined;
  });
  return whole;
}

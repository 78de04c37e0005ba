import type { Cluster } from '../../controllers/ports.ts';
import { isNotFound } from '../../decide/api-result.ts';
import type { Kind, KindMap } from '../../fleet/fleet.ts';

/**
 * An object as the API server has it now, with every field, also those that the fleet leaves out.
 *
 * Promise: undefined where it is gone; rejects where it cannot be read, so that whoever asks tries again. It is not the reader's to
 * change.
 */
export async function readWhole<K extends Kind>(
  cluster: Pick<Cluster, 'modify'>,
  kind: K,
  key: string,
): Promise<KindMap[K] | undefined> {
  let whole: KindMap[K] | undefined;
  const result = await cluster.modify(kind, key, (object) => {
    whole = object;
    return undefined;
  });
  if (!result.ok && !isNotFound(result)) throw new Error(`${kind} ${key} cannot be read: ${result.message}`);
  return whole;
}

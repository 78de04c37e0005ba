import { vmiKeyOf } from '../decide/workload-update/survey.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { isMigrationFinal, isPodFinished } from '../kubevirt/predicates.ts';
import type { DeedsInHand } from './in-hand.ts';

/** A VMI for which there will be a target pod on a node that nobody knows yet. */
export interface UnderWay {
  readonly vmi: Vmi;
  /** The pod is there, and waits for a node. */
  readonly hasPod: boolean;
}

/** Whose migrations have no node yet: with a pod that waits, without one, and those that were sent and not seen. By namespace and name. */
export function migrationsWithoutNode(
  fleet: Fleet,
  inHand: Pick<DeedsInHand, 'unseenMigrations'>,
): UnderWay[] {
  const keys = new Set(inHand.unseenMigrations());
  for (const migration of fleet.all('VirtualMachineInstanceMigration'))
    if (!isMigrationFinal(migration)) keys.add(vmiKeyOf(migration));
  return [...keys].sort().flatMap((key) => {
    const vmi = fleet.get('VirtualMachineInstance', key);
    return vmi ? withoutNode(vmi, fleet.podsOf(vmi)) : [];
  });
}

function withoutNode(vmi: Vmi, pods: readonly Pod[]): UnderWay[] {
  const targets = pods.filter((pod) => !isPodFinished(pod) && pod.spec?.nodeName !== vmi.status?.nodeName);
  const isPlaced = targets.some(({ spec }) => spec?.nodeName !== undefined);
  return isPlaced ? [] : [{ vmi, hasPod: targets.length > 0 }];
}

/** Clusters in the middle of a roll-out. */
import { Fleet, type Kind } from '../../fleet/fleet.ts';
import { aKubeVirt, aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { rolloutStatus, type StatusQuestion } from './status.ts';

const NOW = 1_772_366_400_000;
export const agoAt = (seconds: number): string => formatInstant(NOW - seconds * 1000);
export const NEW = 'launcher:v2';
const BOTH = aKubeVirt().methods('LiveMigrate', 'Evict').batches(2, '1m').build();

export const old = (name = 'db') =>
  aVmi(name).on('n1').launcher('launcher:v1').strategy('LiveMigrate').migratable();

export const stubborn = (name = 'db') =>
  aVmi(name).on('n1').launcher('launcher:v1').strategy('None').migratable('False');

export const current = (name = 'db') => old(name).launcher(NEW);

export interface Cluster {
  readonly kubevirt?: KubeVirt;
  readonly vmis: readonly Vmi[];
  readonly others?: readonly object[];
  readonly question?: StatusQuestion;
  readonly behavior?: 'exact' | 'intended';
}

/** The status of a cluster with two roomy nodes, and a launcher pod for each VMI. */
export function statusOf({
  kubevirt = BOTH,
  vmis,
  others = [],
  question = { launcherImage: NEW },
  behavior,
}: Cluster) {
  const fleet = new Fleet();
  const put = (object: object) => fleet.apply((object as { kind: Kind }).kind, object as never);
  for (const node of ['n1', 'n2'])
    put(
      aNode(node)
        .labelled('kubevirt.io/schedulable', 'true')
        .offering({ memory: '64Gi', cpu: '64', pods: '500' })
        .build(),
    );
  put(kubevirt);
  for (const vmi of vmis) {
    put(vmi);
    put(aPod(`virt-launcher-${vmi.metadata.name}-1`).on('n1').launcherOf(vmi).asking({ cpu: '1m' }).build());
  }
  for (const other of others) put(other);
  return rolloutStatus(fleet, question, { now: NOW, behavior });
}

import { describedNode, type RawObject } from '../../../scenario/cluster.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** Claims on volumes that some nodes alone can reach: those of a local disk, or of a rack. */
export function volumes(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const names = cluster.nodes.map((node) => describedNode(node).name);
  const homes = new Map(cluster.vms.map(({ name, node }) => [name, node]));
  const objects = (cluster.objects ?? []).flatMap((object) => {
    if (object.kind !== 'PersistentVolumeClaim' || draws.percent(30)) return [object];
    const claim = (object.metadata as { readonly name: string }).name;
    const home = homes.get(claim.replace(/-[^-]+$/, '')) ?? '';
    const others = names.filter(() => draws.percent(30));
    return boundTo(object, `pv-${claim}`, [...new Set([home, ...others])]);
  });
  return { ...trial, cluster: { ...cluster, objects } };
}

function boundTo(claim: RawObject, volumeName: string, hosts: readonly string[]): RawObject[] {
  const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: hosts }] }];
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName },
    spec: { nodeAffinity: { required: { nodeSelectorTerms: terms } } },
  };
  return [{ ...claim, spec: { ...(claim.spec as RawObject), volumeName } }, volume];
}

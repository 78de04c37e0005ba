import { DEFAULT_GRACE_SECONDS } from '../../decide/guest-end.ts';
import type { Trial } from './trial.ts';

/** The shortest batch interval that KubeVirt's times allow for. */
const BATCH_INTERVAL = '2s';

/** The same cluster with times that can be waited for: no verdict says anything about them. */
export function hastenedTrial(trial: Trial, speed: number): Trial {
  const { kubevirt = {}, vms } = trial.cluster;
  return {
    ...trial,
    cluster: {
      ...trial.cluster,
      kubevirt: { ...kubevirt, batchEvictionInterval: BATCH_INTERVAL },
      vms: vms.map((vm) => ({ ...vm, graceSeconds: hastened(vm.graceSeconds, speed) })),
    },
  };
}

/** Whole seconds; none stays none. */
function hastened(seconds = DEFAULT_GRACE_SECONDS, speed: number): number {
  return Math.ceil(seconds / speed);
}

import { podField, vmiField } from '../../../decide/evidence.ts';
import type { Rule, Table } from '../../../decide/rules.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { isFinal, isLauncherPod, isPodFinished, isRunning } from '../../../kubevirt/predicates.ts';
import { isStarted } from './pod-writes.ts';

/** What kubelet of a node has before it. */
export interface PodSight {
  readonly pod: Pod;
  /** The VMI that the pod was made for, if the pod is a launcher and the VMI still exists. */
  readonly vmi: Vmi | undefined;
}

/**
 * `Start`, `Remove`: as it says. `Stop`: the containers get a moment to end. `AwaitGuest`: the containers end when the
 * guest does, or when the pod's time is up. `Succeed`, `Fail`: the containers ended by themselves; `Discard`: so they did, because
 * a migration to here failed.
 */
export type PodStep = 'None' | 'Start' | 'Remove' | 'Stop' | 'AwaitGuest' | 'Succeed' | 'Fail' | 'Discard';

function isDeleting({ pod }: PodSight): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

function isHere({ pod, vmi }: PodSight): boolean {
  return vmi?.status?.nodeName === pod.spec?.nodeName;
}

function hasEnded({ vmi }: PodSight): boolean {
  return vmi !== undefined && isFinal(vmi);
}

/** The migration that is over and in which the pod had this part. */
function wasPart({ pod, vmi }: PodSight, part: 'sourcePod' | 'targetPod', failed: boolean): boolean {
  const state = vmi?.status?.migrationState;
  return state?.completed === true && (state.failed ?? false) === failed && state[part] === pod.metadata.name;
}

function rule(
  name: string,
  asks: string,
  result: PodStep,
  when: (sight: PodSight) => boolean,
): Rule<PodSight, PodStep> {
  return {
    name,
    asks,
    source:
      'kubernetes v1.36 pkg/kubelet; virt-launcher by vm-lifecycle §4 and evacuation-and-migration §6 of the spec',
    when,
    reads: ({ pod, vmi }) => [
      podField(pod, 'status.phase', pod.status?.phase),
      podField(pod, 'metadata.deletionTimestamp', pod.metadata.deletionTimestamp),
      ...(vmi ? [vmiField(vmi, 'status.phase', vmi.status?.phase)] : []),
    ],
    then: () => result,
  };
}

/** What becomes of a pod next. */
export const podStepTable: Table<PodSight, PodStep> = [
  rule(
    'FinishedAndDeleted',
    'the containers have ended, and the pod is deleted',
    'Remove',
    (sight) => isPodFinished(sight.pod) && isDeleting(sight),
  ),
  rule('Finished', 'the containers have ended', 'None', ({ pod }) => isPodFinished(pod)),
  rule(
    'DeletedBeforeStart',
    'the pod is deleted before its containers ran',
    'Remove',
    (sight) => !isStarted(sight.pod) && isDeleting(sight),
  ),
  rule('Bound', 'the pod is new on the node', 'Start', ({ pod }) => !isStarted(pod)),
  rule(
    'GuestStopping',
    'the pod is deleted, and its guest runs here',
    'AwaitGuest',
    (sight) => isDeleting(sight) && isHere(sight) && sight.vmi !== undefined && isRunning(sight.vmi),
  ),
  rule(
    'GuestStopped',
    'the pod is deleted, and its guest has ended',
    'Remove',
    (sight) => isDeleting(sight) && hasEnded(sight),
  ),
  rule('Deleted', 'the pod is deleted, and nothing runs in it that takes long to end', 'Stop', isDeleting),
  rule('NoLauncher', 'the pod has no guest', 'None', ({ pod }) => !isLauncherPod(pod)),
  rule(
    'GuestLeft',
    'the guest has moved away',
    'Succeed',
    (sight) => !isHere(sight) && wasPart(sight, 'sourcePod', false),
  ),
  rule(
    'GuestNeverCame',
    'the guest did not come: the migration to here failed',
    'Discard',
    (sight) => !isHere(sight) && wasPart(sight, 'targetPod', true),
  ),
  rule(
    'GuestEnded',
    'the guest has ended well',
    'Succeed',
    (sight) => hasEnded(sight) && isHere(sight) && sight.vmi?.status?.phase === 'Succeeded',
  ),
  rule('GuestFailed', 'the guest has ended badly, or somewhere else', 'Fail', hasEnded),
  rule('Runs', 'the containers run', 'None', () => true),
];

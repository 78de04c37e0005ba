import type { ApiResult } from '../../../decide/api-result.ts';
import { guestGraceSeconds } from '../../../decide/guest-end.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { controllerOf, isLauncherPod, keyOf } from '../../../kubevirt/predicates.ts';
import { podIpOf } from './pod-ip.ts';
import { type PodStep, podStepTable } from './pod-step.ts';
import { podEnded, podRunning } from './pod-writes.ts';
import type { Station } from './station.ts';

/** The launcher destroys its guest by itself so long after the guest's own time, where virt-handler does not (vm-lifecycle §4). */
const LAUNCHER_EXTRA_SECONDS = 15;

/** Starts and ends the pods of one node. */
export class Kubelet {
  readonly #station: Station;

  constructor(station: Station) {
    this.#station = station;
  }

  /** Plans what is next for a pod of this node. */
  look(pod: Pod): void {
    const sight = { pod, vmi: vmiOf(this.#station, pod) };
    const step = resultOf(podStepTable, sight);
    const lane = pod.metadata.uid ?? '';
    const { kubeletPlans } = this.#station;
    if (step === 'None') kubeletPlans.drop(lane);
    else if (step === 'AwaitGuest') this.#awaitGuest(lane, pod, sight.vmi);
    else kubeletPlans.plan(lane, step, this.#secondsUntil(step, pod), () => this.#carryOut(step, pod));
  }

  forget(pod: Pod): void {
    this.#station.kubeletPlans.drop(pod.metadata.uid ?? '');
    this.#station.notes.forget(pod.metadata.uid);
  }

  #secondsUntil(step: PodStep, pod: Pod): number {
    const { times } = this.#station;
    if (step === 'Start') return this.#station.late(times.podStartSeconds);
    if (step === 'Discard') return this.#station.late(0);
    if (step === 'Remove') return times.podExitSeconds;
    if (step !== 'Stop') return 0;
    return Math.min(times.podStopSeconds, pod.metadata.deletionGracePeriodSeconds ?? 0);
  }

  #carryOut(step: PodStep, pod: Pod): Promise<ApiResult> {
    const station = this.#station;
    if (step === 'Remove' || step === 'Stop') return station.removePod(pod);
    if (step === 'Start') {
      return station.writePod(pod, (held) => podRunning(held, podIpOf(held), station.clock.now()));
    }
    const phase = step === 'Succeed' ? 'Succeeded' : 'Failed';
    return station.writePod(pod, (held) => podEnded(held, phase, station.clock.now()));
  }

  /** Kills the guest with the pod when its time is up, unless it has ended by then. */
  #awaitGuest(lane: string, pod: Pod, vmi: Vmi | undefined): void {
    const station = this.#station;
    const deadline = station.notes.deadlineOf(pod);
    if (!vmi || deadline === undefined) return;
    const ownEnd = station.isHandlerDown ? this.#launcherEndsAt(pod, vmi) : Number.POSITIVE_INFINITY;
    const at = Math.min(deadline, ownEnd);
    const seconds = Math.max(0, at - station.clock.now()) / 1000;
    station.kubeletPlans.plan(lane, `kill at ${at}`, seconds, () => this.#kill(pod, vmi));
  }

  #launcherEndsAt(pod: Pod, vmi: Vmi): number {
    const askedAt = this.#station.notes.stopAskedAt(vmi, pod) ?? this.#station.clock.now();
    return askedAt + (guestGraceSeconds(vmi) + LAUNCHER_EXTRA_SECONDS) * 1000;
  }

  /** virt-handler sees the domain vanish, if it runs; else virt-controller sees the pod vanish. */
  async #kill(pod: Pod, vmi: Vmi): Promise<ApiResult> {
    const station = this.#station;
    if (!station.isHandlerDown) {
      await station.loseGuest(vmi);
      station.tell({ kind: 'Ended', vmi: keyOf(vmi), how: 'Killed' });
    }
    return station.removePod(pod);
  }
}

/** The VMI that a launcher pod was made for, not another one of the same name. */
function vmiOf({ fleet }: Station, pod: Pod): Vmi | undefined {
  if (!isLauncherPod(pod)) return undefined;
  const vmi = fleet.vmiOfLauncher(pod);
  return vmi && vmi.metadata.uid === controllerOf(pod.metadata)?.uid ? vmi : undefined;
}

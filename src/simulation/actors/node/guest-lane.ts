import { type Domain, domainPhaseTable } from '../../../decide/domain-phase.ts';
import { type EventDraft, eventOnVmi } from '../../../decide/events.ts';
import { guestGraceSeconds, hasAcpi } from '../../../decide/guest-end.ts';
import { type GuestSight, guestStepTable } from '../../../decide/handler/guest-step.ts';
import { updateMigratability } from '../../../decide/migratability/status-update.ts';
import { resultOf } from '../../../decide/rules.ts';
import { HANDLER_EVENT } from '../../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../../kubevirt/time.ts';
import type { OwnEnd } from '../../guests/behavior.ts';
import { stoppedGuest } from '../../guests/stop.ts';
import type { GuestFact } from './options.ts';
import type { Station } from './station.ts';
import { endEvents, ended, running } from './vmi-writes.ts';

type HowEnded = Extract<GuestFact, { kind: 'Ended' }>['how'];

const LEFT_BY_ITSELF = {
  powersOff: { state: 'Shutoff', reason: 'Shutdown' },
  crashes: { state: 'Crashed', reason: 'Crashed' },
} as const;

/** virt-handler's part in the life of guests on one node: it boots them, and has them end. */
export class GuestLane {
  readonly #station: Station;

  constructor(station: Station) {
    this.#station = station;
  }

  /** Plans what is next for the guest of a VMI. */
  look(vmi: Vmi, pod: Pod | undefined): void {
    const sight: GuestSight = { node: this.#station.node, vmi, pod };
    const step = resultOf(guestStepTable, sight);
    if (step === 'Boot') this.#boot(vmi, pod);
    else if (step === 'Stop') this.#stop(vmi, pod);
    else if (step === 'Run') this.#run(vmi);
    else this.forget(vmi);
  }

  forget(vmi: Vmi): void {
    const { guest, request } = this.#station.handlerPlans;
    guest.drop(uidOf(vmi));
    request.drop(uidOf(vmi));
  }

  #boot(vmi: Vmi, pod: Pod | undefined): void {
    const station = this.#station;
    const { bootSeconds } = station.behaviorOf(vmi);
    const deed = () => station.writeVmi(vmi, (held) => this.#booted(held, pod), bootEvents(station));
    station.handlerPlans.guest.plan(uidOf(vmi), 'boot', station.late(bootSeconds), deed);
  }

  #booted(vmi: Vmi, pod: Pod | undefined): Vmi | undefined {
    const station = this.#station;
    const { migratability, guestAgent } = station.behaviorOf(vmi);
    return running(vmi, {
      node: station.node,
      now: station.clock.now(),
      podIp: pod?.status?.podIP ?? '',
      hostCpuModel: station.hostCpuModel(),
      configuration: station.configuration(),
      taught: migratability,
      guestAgent,
    });
  }

  #run(vmi: Vmi): void {
    const station = this.#station;
    const { ownEnd } = station.behaviorOf(vmi);
    if (ownEnd)
      this.#end(vmi, 'own end', ownEndIn(station, vmi, ownEnd), LEFT_BY_ITSELF[ownEnd.kind], 'Itself');
    else station.handlerPlans.guest.drop(uidOf(vmi));
  }

  /** Has the guest end as it will; one that is killed with its pod is kubelet's to end. */
  #stop(vmi: Vmi, pod: Pod | undefined): void {
    const station = this.#station;
    const askedAt = station.notes.stopAskedAt(vmi, pod);
    if (askedAt === undefined) return;
    this.#request(vmi);
    const deadline = pod && station.notes.deadlineOf(pod);
    const podGraceSeconds = deadline === undefined ? undefined : (deadline - askedAt) / 1000;
    const { seconds, how, domain } = stoppedGuest(
      { vmi, pod, podGraceSeconds },
      station.behaviorOf(vmi).shutdown,
      (station.handlerUpAt(askedAt) - askedAt) / 1000,
    );
    if (how === 'Killed') station.handlerPlans.guest.drop(uidOf(vmi));
    else
      this.#end(vmi, `stop at ${askedAt + seconds * 1000}`, station.lateAfter(askedAt, seconds), domain, how);
  }

  /** The power button; pressed again, it says nothing more. */
  #request(vmi: Vmi): void {
    const station = this.#station;
    if (!hasAcpi(vmi) || guestGraceSeconds(vmi) === 0) return;
    const told = eventOnVmi(vmi, 'Normal', HANDLER_EVENT.shuttingDown, 'Signaled Graceful Shutdown');
    station.handlerPlans.request.plan(uidOf(vmi), 'request', 0, async () => {
      station.record(told);
      return undefined;
    });
  }

  #end(vmi: Vmi, id: string, seconds: number, domain: Domain | undefined, how: HowEnded): void {
    const station = this.#station;
    station.handlerPlans.guest.plan(uidOf(vmi), id, seconds, () => {
      const destroying = eventOnVmi(vmi, 'Normal', HANDLER_EVENT.deleted, 'VirtualMachineInstance stopping');
      if (how === 'Destroyed') station.record(destroying);
      station.tell({ kind: 'Ended', vmi: keyOf(vmi), how });
      const phaseOf = (held: Vmi) => resultOf(domainPhaseTable, { vmi: held, domain });
      return station.writeVmi(
        vmi,
        (held) => ended(held, station.node, phaseOf(held), station.clock.now()),
        endEvents,
      );
    });
  }
}

/** The lane of a VMI in each of its node's plans. */
export function uidOf({ metadata: { uid = '' } }: Vmi): string {
  return uid;
}

function ownEndIn(station: Station, vmi: Vmi, { seconds }: OwnEnd): number {
  return station.lateAfter(runningSince(vmi) ?? station.clock.now(), seconds);
}

/** When its guest came up last. */
export function runningSince(vmi: Vmi): Instant | undefined {
  const entry = vmi.status?.phaseTransitionTimestamps?.findLast(({ phase }) => phase === 'Running');
  return parseInstant(entry?.phaseTransitionTimestamp);
}

function bootEvents(station: Station): (vmi: Vmi) => readonly EventDraft[] {
  return (vmi) => [
    eventOnVmi(vmi, 'Normal', HANDLER_EVENT.started, 'VirtualMachineInstance started.'),
    ...updateMigratability({
      vmi,
      hostCpuModel: station.hostCpuModel(),
      configuration: station.configuration(),
    }).events,
  ];
}

import type { Clock, Log } from '../../../controllers/ports.ts';
import { currentPod } from '../../../decide/current-pod.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { isRunning } from '../../../kubevirt/predicates.ts';
import { byUid } from './by-uid.ts';
import { GuestLane } from './guest-lane.ts';
import { HandlerPlans } from './handler-plans.ts';
import { Kubelet } from './kubelet.ts';
import { MigrationLane } from './migration-lane.ts';
import { withHeartbeat } from './node-objects.ts';
import { Plans } from './plans.ts';
import { isStarted, podEnded } from './pod-writes.ts';
import { Station, type StationOptions } from './station.ts';
import { StatusLane } from './status-lane.ts';
import type { Turnstile } from './turnstile.ts';

export interface NodeAgentParts extends StationOptions {
  readonly log: Log;
  readonly turnstile: Turnstile | undefined;
  /** Called when something has got on with a VMI without any object having changed. */
  readonly lookAgain: (vmi: Vmi) => void;
}

/** kubelet and virt-handler of one node. It remembers nothing that is not in the objects, but for fractions of seconds and copies. */
export class NodeAgent {
  readonly #station: Station;
  readonly #clock: Clock;
  readonly #kubelet: Kubelet;
  readonly #guests: GuestLane;
  readonly #migrations: MigrationLane;
  readonly #status: StatusLane;
  readonly #lanes: readonly { forget(vmi: Vmi): void }[];
  #isUp = false;
  #stopBeating = (): void => {};

  constructor(parts: NodeAgentParts) {
    const newPlans = (about: string) => new Plans(about, parts.clock, parts.log, parts.turnstile);
    this.#station = new Station(parts, newPlans('pod'), new HandlerPlans(newPlans));
    this.#clock = parts.clock;
    this.#kubelet = new Kubelet(this.#station);
    this.#guests = new GuestLane(this.#station);
    this.#migrations = new MigrationLane(this.#station, parts.lookAgain);
    this.#status = new StatusLane(this.#station);
    this.#lanes = [this.#guests, this.#migrations, this.#status];
  }

  /** Takes over all that is on the node, as it finds it. */
  start(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.#lookAround();
    this.#beat();
  }

  /** Does nothing any more, whatever is planned. Resolves when what it was doing has ended. */
  async stop(): Promise<void> {
    this.#isUp = false;
    this.#stopBeating();
    this.#station.kubeletPlans.dropAll();
    this.#station.handlerPlans.dropAll();
    await Promise.all([this.#station.kubeletPlans.atRest(), this.#station.handlerPlans.atRest()]);
  }

  /** virt-handler goes: guests and pods go on without it. */
  pauseHandler(): void {
    this.#station.noteHandlerDown();
    this.#stopBeating();
    this.#station.handlerPlans.dropAll();
    this.#lookAround();
  }

  resumeHandler(): void {
    this.#station.noteHandlerUp();
    this.#lookAround();
    if (this.#isUp) this.#beat();
  }

  lookAtPod(pod: Pod): void {
    if (this.#isUp) this.#kubelet.look(pod);
  }

  forgetPod(pod: Pod): void {
    this.#kubelet.forget(pod);
  }

  lookAtVmi(vmi: Vmi): void {
    if (!this.#isUp || this.#station.isHandlerDown) return;
    this.#guests.look(vmi, this.#launcherOf(vmi));
    this.#migrations.look(vmi);
    this.#status.look(vmi);
  }

  forgetVmi(vmi: Vmi): void {
    for (const lane of this.#lanes) lane.forget(vmi);
    this.#station.notes.forget(vmi.metadata.uid);
  }

  /** After a fall of the node: what ran on it does not any more, and kubelet and virt-handler find that out. */
  async buryGuests(): Promise<void> {
    const { fleet, node, clock } = this.#station;
    for (const pod of [...fleet.podsOn(node)].sort(byUid)) {
      if (pod.spec?.restartPolicy === 'Never' && isStarted(pod)) {
        await this.#station.writePod(pod, (held) => podEnded(held, 'Failed', clock.now()));
      }
    }
    for (const vmi of [...fleet.vmisOn(node)].filter(isRunning).sort(byUid)) {
      await this.#station.loseGuest(vmi);
    }
  }

  /** After a fall of the node: nothing is copied from it any more. */
  forgetCopies(): void {
    for (const vmi of this.#station.fleet.vmisOn(this.#station.node)) this.#migrations.forget(vmi);
  }

  /** Takes the node's pods away, as one does whose machine will not come back. */
  async removePods(): Promise<void> {
    const pods = [...this.#station.fleet.podsOn(this.#station.node)].sort(byUid);
    for (const pod of pods) await this.#station.removePod(pod);
  }

  #lookAround(): void {
    const { fleet, node } = this.#station;
    for (const pod of [...fleet.podsOn(node)].sort(byUid)) {
      this.lookAtPod(pod);
      const vmi = fleet.vmiOfLauncher(pod);
      if (vmi && vmi.status?.nodeName !== node) this.lookAtVmi(vmi);
    }
    for (const vmi of [...fleet.vmisOn(node)].sort(byUid)) this.lookAtVmi(vmi);
  }

  #launcherOf(vmi: Vmi): Pod | undefined {
    const { fleet, node } = this.#station;
    return vmi.status?.nodeName === node ? currentPod(vmi, fleet.podsOf(vmi)) : undefined;
  }

  /** The first heartbeat at once, the others at their time. */
  #beat(): void {
    this.#stopBeating();
    const { times, cluster, node } = this.#station;
    if (times.heartbeatSeconds <= 0 || this.#station.isHandlerDown) return;
    void cluster.modify('Node', node, (held) => withHeartbeat(held, this.#clock.now()));
    this.#stopBeating = this.#clock.after(times.heartbeatSeconds, () => this.#beat());
  }
}

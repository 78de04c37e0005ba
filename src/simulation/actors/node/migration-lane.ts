import { type EventDraft, eventOnVmi } from '../../../decide/events.ts';
import { type MigrationStep, migrationStepTable } from '../../../decide/handler/migration-step.ts';
import { ABORTED } from '../../../decide/migration/convergence.ts';
import { resultOf } from '../../../decide/rules.ts';
import { HANDLER_EVENT } from '../../../kubevirt/names.ts';
import { namespacedKey } from '../../../kubevirt/object-key.ts';
import type { MigrationState, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { isFinal, isPodFinished, keyOf } from '../../../kubevirt/predicates.ts';
import { uidOf } from './guest-lane.ts';
import {
  copyFailed,
  copyStarted,
  domainReady,
  domainSeen,
  finalised,
  handedOver,
  targetPrepared,
  targetReleased,
} from './migration-writes.ts';
import { SourceCopy } from './source-copy.ts';
import type { Station } from './station.ts';
import { endEvents } from './vmi-writes.ts';

/** A step with what it takes: the VMI, its migration's state, and the migration's UID. */
interface Moving {
  readonly vmi: Vmi;
  readonly state: MigrationState;
  readonly uid: string;
}

const TARGET_GONE = 'Target pod is down';

/** virt-handler's part in migrations from and to one node. */
export class MigrationLane {
  readonly #station: Station;
  readonly #copy: SourceCopy;

  /** `lookAgain` is called when a copy has got on without any object having changed. */
  constructor(station: Station, lookAgain: (vmi: Vmi) => void) {
    this.#station = station;
    this.#copy = new SourceCopy(station, lookAgain);
  }

  /** Plans what is next for the migration of a VMI, as source or as target. */
  look(vmi: Vmi): void {
    const state = vmi.status?.migrationState;
    const uid = state?.migrationUid;
    if (!state || uid === undefined) {
      this.#station.handlerPlans.migration.drop(uidOf(vmi));
      return;
    }
    if (state.completed || isFinal(vmi)) this.#copy.forget(vmi, uid);
    const { node } = this.#station;
    const isTargetUp = () => this.#targetIp(vmi) !== undefined;
    const step = resultOf(migrationStepTable, { node, vmi, isTargetUp });
    this.#take(step, { vmi, state, uid });
  }

  forget(vmi: Vmi): void {
    this.#station.handlerPlans.migration.drop(uidOf(vmi));
    const uid = vmi.status?.migrationState?.migrationUid;
    if (uid !== undefined) this.#copy.forget(vmi, uid);
  }

  #take(step: MigrationStep, moving: Moving): void {
    const { times } = this.#station;
    if (step === 'PrepareTarget') this.#prepare(moving, times.targetPrepareSeconds);
    else if (step === 'Start') this.#start(moving, times.copyStartSeconds);
    else if (step === 'NoteDomain') this.#noteDomain(moving, times.domainSeenSeconds);
    else if (step === 'Receive') this.#receive(moving);
    else if (step === 'HandOver') this.#handOver(moving);
    else if (step === 'Finalise') this.#plan(moving, step, 0, finalised);
    else if (step === 'Release') this.#release(moving);
    else if (step === 'Abort') this.#fail(moving, ABORTED);
    else if (step === 'Copy') this.#send(moving);
    else this.#station.handlerPlans.migration.drop(uidOf(moving.vmi));
  }

  /** A write that is noticed to be due so many seconds from now. */
  #plan(
    moving: Moving,
    step: string,
    seconds: number,
    change: (vmi: Vmi, uid: string, now: number) => Vmi | undefined,
    event?: (vmi: Vmi) => readonly EventDraft[],
  ): void {
    const { vmi, uid } = moving;
    const station = this.#station;
    const deed = () => station.writeVmi(vmi, (held) => change(held, uid, station.clock.now()), event);
    station.handlerPlans.migration.plan(uidOf(vmi), `${step} ${uid}`, station.late(seconds), deed);
  }

  #prepare(moving: Moving, seconds: number): void {
    const ip = this.#targetIp(moving.vmi) ?? '';
    const told = `Migration Target is listening at ${ip}, on ports: 49152`;
    const event = (vmi: Vmi) => [eventOnVmi(vmi, 'Normal', HANDLER_EVENT.preparingTarget, told)];
    this.#plan(moving, 'PrepareTarget', seconds, (vmi, uid) => targetPrepared(vmi, uid, ip), event);
  }

  #start(moving: Moving, seconds: number): void {
    const told = 'VirtualMachineInstance is migrating.';
    const event = (vmi: Vmi) => [eventOnVmi(vmi, 'Normal', HANDLER_EVENT.migrating, told)];
    this.#plan(moving, 'Start', seconds, copyStarted, event);
  }

  /** A copy that is to fail does so before the target sees anything of it. */
  #noteDomain(moving: Moving, seconds: number): void {
    const { behaviorOf, handlerPlans } = this.#station;
    if (behaviorOf(moving.vmi).migration.kind !== 'fails')
      this.#plan(moving, 'NoteDomain', seconds, domainSeen);
    else handlerPlans.migration.drop(uidOf(moving.vmi));
  }

  /** The target waits until all is there. */
  #receive(moving: Moving): void {
    const { migration } = this.#station.behaviorOf(moving.vmi);
    const isCut = this.#station.isNodeDown(moving.state.sourceNode ?? '');
    if (isCut) this.#station.handlerPlans.migration.drop(uidOf(moving.vmi));
    else if (migration.kind === 'takes') this.#plan(moving, 'Ready', migration.seconds, domainReady);
    else if (this.#station.copies.ended(moving.uid)) this.#plan(moving, 'Ready', 0, domainReady);
    else this.#station.handlerPlans.migration.drop(uidOf(moving.vmi));
  }

  #handOver(moving: Moving): void {
    const { node, copies, tell } = this.#station;
    const told = `The VirtualMachineInstance migrated to node ${node}.`;
    const change = (vmi: Vmi, uid: string, now: number) => handedOver(vmi, uid, node, now);
    this.#plan(moving, 'HandOver', 0, change, (vmi) => {
      const downtimeSeconds = copies.ended(moving.uid)?.downtimeSeconds ?? 0;
      tell({ kind: 'Moved', vmi: keyOf(vmi), migrationUid: moving.uid, downtimeSeconds });
      return [eventOnVmi(vmi, 'Normal', HANDLER_EVENT.migrated, told)];
    });
  }

  /** After a failure the target's launcher ends first. */
  #release(moving: Moving): void {
    const station = this.#station;
    const { vmi, uid, state } = moving;
    const plans = station.handlerPlans.migration;
    const isWaiting = state.failed === true && isUp(this.#targetPod(vmi));
    const seconds = state.failed === true ? 0 : station.late(0);
    const deed = () => station.writeVmi(vmi, (held) => targetReleased(held, station.node));
    if (isWaiting) plans.drop(uidOf(vmi));
    else plans.plan(uidOf(vmi), `Release ${uid}`, seconds, deed);
  }

  #send(moving: Moving): void {
    const { migration } = this.#station.behaviorOf(moving.vmi);
    const isCut =
      this.#station.isNodeDown(moving.state.targetNode ?? '') || !isUp(this.#targetPod(moving.vmi));
    const failure = isCut ? TARGET_GONE : this.#copy.failureOf(moving.uid);
    if (failure !== undefined) {
      this.#fail(moving, failure);
      return;
    }
    if (migration.kind === 'fails') this.#fail(moving, migration.reason, migration.seconds);
    else this.#station.handlerPlans.migration.drop(uidOf(moving.vmi));
    this.#copy.follow(moving.vmi, migration);
  }

  #fail(moving: Moving, reason: string, seconds = 0): void {
    const told = `VirtualMachineInstance migration uid ${moving.uid} failed. reason:${reason}`;
    const event = (vmi: Vmi) => [eventOnVmi(vmi, 'Warning', HANDLER_EVENT.migrated, told), ...endEvents(vmi)];
    const change = (vmi: Vmi, uid: string, now: number) => copyFailed(vmi, uid, reason, now);
    this.#plan(moving, `Fail by ${reason}`, seconds, change, event);
  }

  #targetPod({ metadata: { namespace }, status }: Vmi): Pod | undefined {
    const name = status?.migrationState?.targetPod;
    return name === undefined
      ? undefined
      : this.#station.fleet.get('Pod', namespacedKey(namespace ?? '', name));
  }

  #targetIp(vmi: Vmi): string | undefined {
    const pod = this.#targetPod(vmi);
    return isUp(pod) ? pod?.status?.podIP : undefined;
  }
}

function isUp(pod: Pod | undefined): boolean {
  return pod !== undefined && !isPodFinished(pod);
}

import { guestStepTable } from '../../../decide/handler/guest-step.ts';
import { updateMigratability } from '../../../decide/migratability/status-update.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';
import { isMigrating } from '../../../kubevirt/predicates.ts';
import { uidOf } from './guest-lane.ts';
import type { Station } from './station.ts';
import { withMigratabilityOf } from './vmi-writes.ts';
import { isVolumeDue, volumesStepped } from './volume-writes.ts';

/** How soon virt-handler, come to a node, has got round to the guests that run there. */
const FIRST_LOOK_SECONDS = 1;

/** virt-handler's part in what changes while a guest runs: volumes that are plugged in, and what they mean for migrations. */
export class StatusLane {
  readonly #station: Station;
  /** What was known of the volumes of a VMI when its migratability was last judged, by UID. */
  readonly #judged = new Map<string, Judged>();

  constructor(station: Station) {
    this.#station = station;
  }

  look(vmi: Vmi): void {
    const station = this.#station;
    const isHere = resultOf(guestStepTable, { node: station.node, vmi, pod: undefined }) === 'Run';
    if (!isHere || isMigrating(vmi, station.clock.now())) return;
    this.#volumes(vmi);
    this.#migratability(vmi);
  }

  forget(vmi: Vmi): void {
    this.#judged.delete(uidOf(vmi));
    const { volumes, migratability } = this.#station.handlerPlans;
    volumes.drop(uidOf(vmi));
    migratability.drop(uidOf(vmi));
  }

  #volumes(vmi: Vmi): void {
    const station = this.#station;
    const plans = station.handlerPlans.volumes;
    const due = vmi.status?.volumeStatus?.filter(isVolumeDue) ?? [];
    if (due.length === 0) {
      plans.drop(uidOf(vmi));
      return;
    }
    const id = due.map(({ name, phase }) => `${name}=${phase}`).join();
    const seconds = station.late(station.times.volumeStepSeconds);
    const isDue = (name: string, phase: string | undefined) => id.split(',').includes(`${name}=${phase}`);
    plans.plan(uidOf(vmi), id, seconds, () => station.writeVmi(vmi, (held) => volumesStepped(held, isDue)));
  }

  /**
   * Judged anew only where the volumes are others than before, or are about to move: what it found when the guest came up
   * stands until then.
   */
  #migratability(vmi: Vmi): void {
    const station = this.#station;
    const uid = uidOf(vmi);
    const before = this.#judged.get(uid);
    if (before && isOfSameParts(before.parts, partsOf(vmi))) return;
    const seen = volumesOf(vmi);
    this.#judged.set(uid, { parts: partsOf(vmi), seen });
    const isNews = before === undefined ? isMovingVolumes(vmi) : before.seen !== seen;
    if (!isNews || station.behaviorOf(vmi).migratability) return;
    const input = { hostCpuModel: station.hostCpuModel(), configuration: station.configuration() };
    const seconds = station.late(before === undefined ? FIRST_LOOK_SECONDS : 0);
    station.handlerPlans.migratability.plan(uid, seen, seconds, () =>
      station.writeVmi(
        vmi,
        (held) => withMigratabilityOf(held, input, undefined),
        (held) => updateMigratability({ ...input, vmi: held }).events,
      ),
    );
  }
}

function isMovingVolumes({ status }: Vmi): boolean {
  return (status?.migratedVolumes?.length ?? 0) > 0;
}

/** What was looked at of a VMI, and what its volumes came to. Not the VMI: the next one shares these parts, and all else of it is past. */
interface Judged {
  readonly parts: Parts;
  readonly seen: string;
}

type Parts = ReturnType<typeof partsOf>;

function partsOf({ spec, status }: Vmi) {
  return { spec, volumeStatus: status?.volumeStatus, migratedVolumes: status?.migratedVolumes };
}

function isOfSameParts(a: Parts, b: Parts): boolean {
  return a.spec === b.spec && a.volumeStatus === b.volumeStatus && a.migratedVolumes === b.migratedVolumes;
}

function volumesOf({ spec, status }: Vmi): string {
  const claims = status?.volumeStatus?.map(({ name, persistentVolumeClaimInfo: info }) => [
    name,
    info?.accessModes,
  ]);
  return spec?.volumes === undefined ? '' : JSON.stringify([spec.volumes, claims, status?.migratedVolumes]);
}

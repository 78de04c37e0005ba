import type { Change } from '../../../controllers/ports.ts';
import { type CapEntry, type PlacesTaken, priorityOf, takesPlace } from '../../../decide/migration/queue.ts';
import { vmiKeyOf } from '../../../decide/workload-update/survey.ts';
import type { Fleet, Kind } from '../../../fleet/fleet.ts';
import { LABEL, MIGRATION_PHASE } from '../../../kubevirt/names.ts';
import type { Migration, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { byName } from '../../../kubevirt/order.ts';
import {
  isLauncherPod,
  isMigrationFinal,
  isMigrationRunning,
  isRefusedByQuota,
  keyOf,
} from '../../../kubevirt/predicates.ts';
import { Groups } from '../groups.ts';
import { PendingMigrations } from './pending.ts';

/** What the controller has to know of all migrations at once, kept at O(1) a change. */
export class MigrationPicture {
  readonly #fleet: Fleet;
  /** Keys by UID. */
  readonly #keys = new Map<string, string>();
  /** Keys of target pods by the UID of their migration. */
  readonly #targetPods = new Groups<string, string>();
  readonly pending = new PendingMigrations();
  /** Keys of pending migrations that no cap is known to hold back, in the order in which they became so. */
  readonly #awake = new Set<string>();
  readonly #takers = new Set<string>();
  readonly #rejected = new Set<string>();
  #occupations = 0;
  /** Those of the takers that take a place, the takers by their VMI, and how many of them leave each node. */
  readonly #entries = new Map<string, CapEntry>();
  readonly #takerOf = new Map<string, string>();
  readonly #outbound = new Map<string, number>();
  /** Nodes that somebody has left since `takeLeft`. */
  readonly #left = new Set<string>();
  /** The places that are taken. */
  readonly taken: PlacesTaken;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    const entries = this.#entries;
    this.taken = {
      get inCluster() {
        return entries.size;
      },
      outboundFrom: (node) => this.#outbound.get(node) ?? 0,
    };
    for (const kind of ['VirtualMachineInstanceMigration', 'Pod'] as const) {
      for (const after of fleet.all(kind)) this.see({ kind, key: keyOf(after), before: undefined, after });
    }
  }

  /** Another number than before: a place was taken or left, or places count otherwise. */
  get occupations(): number {
    return this.#occupations;
  }

  /** Takes a change in that the fleet has taken in. */
  see(change: Change): void {
    if (isOf('VirtualMachineInstanceMigration', change)) this.#seeMigration(change);
    else if (isOf('Pod', change)) this.#seePod(change);
    else if (isOf('VirtualMachineInstance', change)) this.#seeVmi(change);
    else if (change.kind === 'KubeVirt') this.#occupations++;
  }

  byUid(uid: string | undefined): Migration | undefined {
    const key = uid === undefined ? undefined : this.#keys.get(uid);
    return key === undefined ? undefined : this.#migration(key);
  }

  /** The launcher that was made for a migration of the VMI; of several the first by name. */
  targetPodOf(migration: Migration, vmi: Vmi): Pod | undefined {
    let first: Pod | undefined;
    for (const key of this.#targetPods.get(migration.metadata.uid ?? '')) {
      const pod = this.#fleet.get('Pod', key);
      if (pod?.metadata.labels?.[LABEL.createdBy] !== vmi.metadata.uid) continue;
      if (!first || (pod && byName(pod, first) < 0)) first = pod;
    }
    return first;
  }

  /** Unfinished migrations that take a place in the caps. */
  takers(): Iterable<CapEntry> {
    return this.#entries.values();
  }

  /** Nodes that fewer migrations leave than before, since this was last asked. */
  takeLeft(): readonly string[] {
    const left = [...this.#left];
    this.#left.clear();
    return left;
  }

  /** Keys of pending migrations that no cap is known to hold back. */
  get awake(): Iterable<string> {
    return this.#awake;
  }

  /** A cap holds the migration back, until it may ask again. */
  letSleep(key: string): void {
    this.#awake.delete(key);
  }

  letAsk(key: string): void {
    if (this.pending.has(key)) this.#awake.add(key);
  }

  /** Of the migrations with these keys those that are among the first of the pending ones, in their order. */
  firstPending(keys: Iterable<string>): readonly Migration[] {
    return this.pending.firstAmong(keys).flatMap((key) => this.#migration(key) ?? []);
  }

  /** Keys of the pending migrations of a namespace whose target pod a quota has refused. */
  rejectedIn(namespace: string): readonly string[] {
    return [...this.#rejected].filter((key) => key.startsWith(`${namespace}/`));
  }

  #migration(key: string): Migration | undefined {
    return this.#fleet.get('VirtualMachineInstanceMigration', key);
  }

  #entry(key: string): CapEntry | undefined {
    const migration = this.#migration(key);
    if (!migration) return undefined;
    const vmi = this.#fleet.get('VirtualMachineInstance', vmiKeyOf(migration));
    return { migration, vmi, hasTargetPod: this.#targetPods.get(migration.metadata.uid ?? '').size > 0 };
  }

  #seeMigration({ key, before, after }: Change<'VirtualMachineInstanceMigration'>): void {
    if (before?.metadata.uid) this.#keys.delete(before.metadata.uid);
    if (after?.metadata.uid) this.#keys.set(after.metadata.uid, key);
    const isPending = after?.status?.phase === MIGRATION_PHASE.pending;
    this.#notePending(key, isPending ? priorityOf(after) : undefined);
    if (isPending && isRefusedByQuota(after)) this.#rejected.add(key);
    else this.#rejected.delete(key);
    this.#judge(key);
  }

  #notePending(key: string, worth: number | undefined): void {
    if (worth !== undefined && !this.pending.enter(key, worth)) return;
    if (worth === undefined) this.pending.leave(key);
    this.#awake.delete(key);
    if (worth !== undefined) this.#awake.add(key);
  }

  #seePod({ key, before, after }: Change<'Pod'>): void {
    const pod = after ?? before;
    const uid = pod?.metadata.labels?.[LABEL.migrationJobUid];
    if (!pod || uid === undefined || !isLauncherPod(pod)) return;
    if (after) this.#targetPods.add(uid, key);
    else this.#targetPods.delete(uid, key);
    const migration = this.#keys.get(uid);
    if (migration !== undefined) this.#judge(migration);
  }

  #seeVmi({ key, before, after }: Change<'VirtualMachineInstance'>): void {
    const isElsewhere =
      before?.status?.nodeName !== after?.status?.nodeName || sourceOf(before) !== sourceOf(after);
    // All that counts of a VMI, beside that it is there.
    if (before && after && !isElsewhere) return;
    if (isElsewhere) this.#occupations++;
    const taker = this.#takerOf.get(key);
    if (taker !== undefined) this.#note(taker, this.#entry(taker));
  }

  #judge(key: string): void {
    const entry = this.#entry(key);
    const takes =
      entry !== undefined &&
      !isMigrationFinal(entry.migration) &&
      (isMigrationRunning(entry.migration) || entry.hasTargetPod);
    this.#note(key, takes ? entry : undefined);
    if (takes === this.#takers.has(key)) return;
    if (takes) this.#takers.add(key);
    else this.#takers.delete(key);
    this.#occupations++;
  }

  /** Keeps what a taker is now; undefined: it is none. */
  #note(key: string, entry: CapEntry | undefined): void {
    const before = this.#entries.get(key);
    if (before) this.#count(before, -1);
    if (!entry) {
      this.#entries.delete(key);
      if (before) this.#takerOf.delete(vmiKeyOf(before.migration));
      return;
    }
    this.#takerOf.set(vmiKeyOf(entry.migration), key);
    if (!takesPlace(entry)) {
      this.#entries.delete(key);
      return;
    }
    this.#entries.set(key, entry);
    this.#count(entry, 1);
  }

  #count({ vmi }: CapEntry, by: 1 | -1): void {
    const [node, source] = [vmi?.status?.nodeName, sourceOf(vmi)];
    this.#countOn(node, by);
    if (source !== node) this.#countOn(source, by);
  }

  #countOn(node: string | undefined, by: 1 | -1): void {
    if (node === undefined) return;
    const count = (this.#outbound.get(node) ?? 0) + by;
    if (by < 0) this.#left.add(node);
    if (count > 0) this.#outbound.set(node, count);
    else this.#outbound.delete(node);
  }
}

function isOf<K extends Kind>(kind: K, change: Change): change is Change<K> {
  return change.kind === kind;
}

function sourceOf(vmi: Vmi | undefined): string | undefined {
  return vmi?.status?.migrationState?.sourceNode;
}

import type { KubeVirt, Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { currentPod } from '../current-pod.ts';
import type { CreationExpectation } from '../expectations.ts';
import type { Behavior } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { type BatchState, chooseBatch, migrationPlaces, takeWhere } from './batch.ts';
import { type Command, createMigration, deleteMigration, type EvictPod, evictPod } from './commands.ts';
import { ownMigrations } from './staleness.ts';
import { type StatusPatch, statusPatch } from './status-patch.ts';
import type { Survey } from './survey.ts';

/** A permutation of the VMIs that could migrate: chance, handed in. KubeVirt draws it uniformly; any order is a legal draw. */
export type Shuffle = (vmis: readonly Vmi[]) => readonly Vmi[];

/** What the updater remembers from pass to pass. */
export interface UpdaterState {
  readonly batch: BatchState;
  /** Migrations created and not yet seen, for the key of the KubeVirt CR. */
  readonly expectation?: CreationExpectation | undefined;
}

export interface PassInput {
  readonly kubevirt: KubeVirt;
  readonly settings: Settings;
  readonly survey: Survey;
  /** Pods that may be the VMI's; those of others do no harm. Asked only about VMIs that may be evicted. */
  readonly podsOf: (vmi: Vmi) => Iterable<Pod>;
  readonly state: UpdaterState;
  readonly shuffle: Shuffle;
  readonly now: Instant;
  readonly behavior: Behavior;
  /** Let pending migrations take places of the cap too, but for those that a quota refuses, so that it bounds the objects created. Off where absent. */
  readonly countsPending?: boolean | undefined;
  /** Send a priority with each migration; on where absent, if the version has priorities. */
  readonly sendsPriority?: boolean | undefined;
  /** Whether a VMI may be migrated now; the next one gets its place where not. Asked about as many as it takes. All may where absent. */
  readonly mayMigrate?: ((vmi: Vmi) => boolean) | undefined;
  /** The same for evictions, in `intended` only. */
  readonly mayEvict?: ((vmi: Vmi) => boolean) | undefined;
}

/**
 * What one pass does. Carry it out in this order: set the gauge to `outdatedCount`; send `statusPatch`, if any, and end the
 * pass should it fail, keeping the old state; take over `state`; ask for another pass after `requeueAfterSeconds`; run all
 * `commands` at once and fold each answer in (`followUp`, `afterFollowUp`).
 */
export interface Pass {
  /** For the gauge `kubevirt_vmi_number_of_outdated`. */
  readonly outdatedCount: number;
  readonly statusPatch?: StatusPatch | undefined;
  readonly state: UpdaterState;
  /** Absent: nothing is left to do, so only an event or an error brings the next pass. */
  readonly requeueAfterSeconds?: number | undefined;
  readonly commands: readonly Command[];
  /**
   * `exact`: VMIs whose turn it was to be evicted and that have no pod. Nothing is sent for them; the real process dies on
   * the first, and with it all that it kept in memory. `intended`: none, as those get no turn.
   */
  readonly withoutPod: readonly Vmi[];
}

/**
 * KubeVirt v1.9.0 means 30 seconds and asks for 30 nanoseconds, which makes a hot loop of it
 * (pkg/virt-controller/watch/workload-updater/workload-updater.go:55,499).
 */
const REQUEUE_SECONDS: Readonly<Record<Behavior, number>> = { exact: 30e-9, intended: 30 };

/** Plans one pass behind open gates: workload-update §7 of the spec. */
export function planPass(input: PassInput): Pass {
  const { survey, state, now, behavior } = input;
  const evictions = planEvictions(input);
  const migrations = planMigrations(input);
  const aborts = survey.abortable.flatMap((vmi) => planAbort(vmi, survey));
  return {
    outdatedCount: survey.outdated.length,
    statusPatch: statusPatch(input.kubevirt, survey.outdated.length),
    state: { ...state, batch: evictions.batch, expectation: { pending: migrations.length, setAt: now } },
    requeueAfterSeconds: isWorkLeft(survey) ? REQUEUE_SECONDS[behavior] : undefined,
    commands: [...migrations, ...evictions.commands, ...aborts],
    withoutPod: evictions.withoutPod,
  };
}

function isWorkLeft(survey: Survey): boolean {
  return survey.evictable.length + survey.migratable.length + survey.abortable.length > 0;
}

function planMigrations(input: PassInput): Command[] {
  const { survey, settings, shuffle, behavior } = input;
  const cap = settings.migrations.parallelMigrationsPerCluster;
  const pending = input.countsPending ? survey.pendingMigrations - survey.refusedByQuota : 0;
  const places = migrationPlaces(cap, survey.activeMigrations, pending);
  const sendsPriority = settings.rules.migrationPriorities && (input.sendsPriority ?? true);
  const chosen = takeWhere(shuffle(survey.migratable), places, input.mayMigrate ?? (() => true));
  return chosen.map((vmi) => createMigration(vmi, behavior, sendsPriority));
}

/** Evictions that may be sent now, and what is remembered of the batch before the answers are in. */
export interface Evictions {
  readonly commands: readonly EvictPod[];
  readonly withoutPod: readonly Vmi[];
  readonly batch: BatchState;
}

/**
 * The evictions of a pass alone. In `intended` a pass may ask again, with the state after the answers and whom it has tried
 * left out by `mayEvict`: refused ones leave their places to others.
 */
export function planEvictions(input: PassInput): Evictions {
  const { survey, settings, state, now, behavior } = input;
  const limits = { size: settings.batchEvictionSize, intervalSeconds: settings.batchEvictionIntervalSeconds };
  const podOf = (vmi: Vmi) => currentPod(vmi, input.podsOf(vmi));
  const mayEvict = (vmi: Vmi) => (input.mayEvict?.(vmi) ?? true) && podOf(vmi) !== undefined;
  const batchInput = { evictable: survey.evictable, state: state.batch, limits, now };
  const batch = chooseBatch(batchInput, behavior, mayEvict);
  const commands: EvictPod[] = [];
  const withoutPod: Vmi[] = [];
  for (const vmi of batch.chosen) {
    const pod = podOf(vmi);
    if (pod) commands.push(evictPod(vmi, pod));
    else withoutPod.push(vmi);
  }
  return { commands, withoutPod, batch: batch.state };
}

function planAbort(vmi: Vmi, survey: Survey): Command[] {
  const unfinished: readonly Migration[] = survey.unfinishedByVmi.get(keyOf(vmi)) ?? [];
  return ownMigrations(unfinished).map((migration) => deleteMigration(vmi, migration));
}

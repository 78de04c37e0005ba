import type { Change, Clock, Cluster, EvictionCall } from '../controllers/ports.ts';
import type { ApiResult } from '../decide/api-result.ts';
import { effectiveStrategy } from '../decide/eviction-strategy.ts';
import { hasPassthroughDevice } from '../decide/migration/convergence.ts';
import { resolveSettings } from '../decide/settings.ts';
import { vmiKeyOf } from '../decide/workload-update/survey.ts';
import { STRATEGY } from '../kubevirt/names.ts';
import type { Migration, MigrationState, Vmi } from '../kubevirt/objects.ts';
import { isLauncherPod, isMarked, isMigrationFinal, keyOf } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import { newStory, type Story } from './story.ts';

/**
 * Takes down what happens to every VM of a cluster.
 *
 * Promise: a story for each VMI that runs at the beginning or comes to run; told from changes alone, so that it works on a
 * simulated cluster and on a real one. A guest is up while its VMI is Running.
 */
export class Observer {
  readonly stories = new Map<string, Story>();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #cluster: Pick<Cluster, 'fleet' | 'subscribe'>;
  /** When something last happened to a VM. */
  lastAt: Instant;
  /** When a VM last came further: its guest went down, came up, or has moved. */
  furtherAt: Instant;
  #awaited = 0;
  #awaitedUntil: Instant;

  constructor(cluster: Pick<Cluster, 'fleet' | 'subscribe'>, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#cluster = cluster;
    this.lastAt = clock.now();
    this.furtherAt = this.lastAt;
    this.#awaitedUntil = this.lastAt;
    for (const vmi of cluster.fleet.all('VirtualMachineInstance')) {
      const key = keyOf(vmi);
      this.stories.set(key, newStory(key, isUp(vmi) ? vmi.status?.nodeName : undefined));
    }
    for (const migration of cluster.fleet.all('VirtualMachineInstanceMigration')) this.#takeFound(migration);
    cluster.subscribe((change) => this.#take(change));
  }

  /** What an eviction was answered; of a pod that is no launcher, nothing is taken down. */
  evicted({ namespace, pod, dryRun }: EvictionCall, result: ApiResult): void {
    const { fleet } = this.#cluster;
    const held = fleet.get('Pod', `${namespace}/${pod}`);
    const vmi = held && isLauncherPod(held) ? fleet.vmiOfLauncher(held) : undefined;
    if (!vmi || dryRun) return;
    const story = this.#storyOf(keyOf(vmi));
    story.evictedAt = this.#clock.now();
    if (result.ok) story.evictionsAccepted++;
    else story.refusals.set(result.message, (story.refusals.get(result.message) ?? 0) + 1);
  }

  /** Something that comes to its end with time, as a node that boots; what VMs wait for may be that. */
  async awaits<T>(end: Promise<T>): Promise<T> {
    this.#awaited++;
    try {
      return await end;
    } finally {
      this.#awaited--;
      this.#awaitedUntil = this.#clock.now();
    }
  }

  get isAwaiting(): boolean {
    return this.#awaited > 0;
  }

  /** Since when nothing has happened to a VM, and nothing has come to its end that was awaited. */
  get quietSince(): Instant {
    return Math.max(this.lastAt, this.#awaitedUntil);
  }

  /** The machine of a node falls: to whom it happens. */
  nodeFalls(node: string): void {
    for (const story of this.stories.values()) {
      if (story.node !== node) continue;
      this.#takeDown(story, 'Cut');
    }
  }

  #take(change: Change): void {
    if (WATCHED.has(change.kind)) this.lastAt = this.#clock.now();
    if (change.kind === 'VirtualMachineInstance') {
      this.#takeVmi(change as Change<'VirtualMachineInstance'>);
    } else if (change.kind === 'VirtualMachineInstanceMigration') {
      this.#takeMigration(change as Change<'VirtualMachineInstanceMigration'>);
    } else if (change.kind === 'VirtualMachine') {
      const story = this.stories.get(change.key);
      if (story) story.isGone = change.after === undefined;
    }
  }

  #takeVmi({ key, before, after }: Change<'VirtualMachineInstance'>): void {
    if (after && isMarked(after) && !(before && isMarked(before))) this.#takeMark(key, after);
    const wasUp = before !== undefined && isUp(before);
    const staysUp = after !== undefined && isUp(after);
    if (wasUp && staysUp) this.#takeMove(key, before, after);
    else if (wasUp) this.#takeEnd(this.#storyOf(key), after);
    else if (staysUp) this.#takeStart(this.#storyOf(key), after);
  }

  #takeMark(key: string, vmi: Vmi): void {
    const settings = resolveSettings(this.#cluster.fleet.kubevirt());
    if (effectiveStrategy(vmi, settings) === STRATEGY.external) this.#storyOf(key).isLeftToOthers = true;
  }

  #takeStart(story: Story, vmi: Vmi): void {
    story.node = vmi.status?.nodeName;
    this.furtherAt = this.#clock.now();
    const outage = story.outages.at(-1);
    if (outage && outage.upAt === undefined) outage.upAt = this.#clock.now();
  }

  #takeEnd(story: Story, after: Vmi | undefined): void {
    story.node = undefined;
    this.furtherAt = this.#clock.now();
    const fell = story.outages.at(-1);
    if (fell?.how === 'Cut' && fell.upAt === undefined) return;
    this.#takeDown(story, after?.status?.phase ?? 'Deleted');
  }

  /** Its copy, if there is one, ends with it. */
  #takeDown(story: Story, how: string): void {
    story.node = undefined;
    story.outages.push({ downAt: this.#clock.now(), how });
    const move = story.moves.at(-1);
    if (move && move.endAt === undefined)
      Object.assign(move, { endAt: this.#clock.now(), failed: WENT_DOWN });
  }

  #takeMove(key: string, before: Vmi, after: Vmi): void {
    const was = before.status?.migrationState;
    const is = after.status?.migrationState;
    if (was === is) return;
    const story = this.#storyOf(key);
    const open = story.moves.at(-1);
    const begins = is?.startTimestamp !== undefined && was?.startTimestamp !== is.startTimestamp;
    if (begins && (open === undefined || open.endAt !== undefined)) this.#takeCopy(story, before, is);
    const move = story.moves.at(-1);
    if (!move || move.endAt !== undefined) return;
    if (standsStill(after)) move.stoppedAt ??= this.#clock.now();
    if (is?.endTimestamp === undefined) return;
    move.endAt = this.#clock.now();
    if (is.failed) move.failed = is.failureReason ?? 'Failed';
    else this.furtherAt = move.endAt;
    story.node = after.status?.nodeName;
  }

  #takeCopy(story: Story, { status }: Vmi, { targetNode = '' }: MigrationState): void {
    story.moves.push({ from: status?.nodeName ?? '', to: targetNode, startAt: this.#clock.now() });
    this.#endWait(story);
  }

  /** A migration that there was before anybody looked: it waits, or copies, from now on. */
  #takeFound(migration: Migration): void {
    const vmi = this.#cluster.fleet.get('VirtualMachineInstance', vmiKeyOf(migration));
    if (!vmi || isMigrationFinal(migration)) return;
    const story = this.#storyOf(keyOf(vmi));
    this.#takeAttempt(story);
    const state = vmi.status?.migrationState;
    const isItsOwn = state !== undefined && state.migrationUid === migration.metadata.uid;
    if (isItsOwn && isUp(vmi) && isCopying(state)) this.#takeCopy(story, vmi, state);
  }

  #takeMigration({ before, after }: Change<'VirtualMachineInstanceMigration'>): void {
    const migration = after ?? before;
    if (!migration) return;
    if (!before) this.#takeAttempt(this.#storyOf(vmiKeyOf(migration)));
    else if (!after || isMigrationFinal(after)) this.#endWait(this.#storyOf(vmiKeyOf(migration)));
    if (before && isCalledOff(before, after)) this.#storyOf(vmiKeyOf(before)).calledOff++;
    if (after && isFailed(after) && !(before && isFailed(before))) this.#storyOf(vmiKeyOf(after)).failures++;
  }

  #takeAttempt(story: Story): void {
    story.attempts++;
    story.waits.push({ fromAt: this.#clock.now() });
  }

  #endWait({ waits }: Story): void {
    const wait = waits.at(-1);
    if (wait && wait.untilAt === undefined) wait.untilAt = this.#clock.now();
  }

  #storyOf(vm: string): Story {
    const held = this.stories.get(vm);
    if (held) return held;
    const made = newStory(vm, undefined);
    this.stories.set(vm, made);
    return made;
  }
}

/** Why a copy has failed whose guest is gone. */
const WENT_DOWN = 'the guest went down';

const WATCHED: ReadonlySet<string> = new Set([
  'Pod',
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
]);

/** Whatever the clock says: a snapshot's may be ahead of it. */
function isCopying({ startTimestamp, endTimestamp }: MigrationState): boolean {
  return startTimestamp !== undefined && endTimestamp === undefined;
}

function isUp({ status }: Vmi): boolean {
  return status?.phase === 'Running';
}

/** KubeVirt has stopped the guest for its copy to end. With a device of the host it may only stand still for longer, at the very end. */
function standsStill(vmi: Vmi): boolean {
  return vmi.status?.migrationState?.mode === 'Paused' && !hasPassthroughDevice(vmi);
}

/** It had not ended, and now is deleted, or gone without having been on its way to that. */
function isCalledOff(before: Migration, after: Migration | undefined): boolean {
  if (isMigrationFinal(before) || before.metadata.deletionTimestamp !== undefined) return false;
  return after === undefined || after.metadata.deletionTimestamp !== undefined;
}

function isFailed(migration: Migration): boolean {
  return isMigrationFinal(migration) && migration.status?.phase === 'Failed';
}

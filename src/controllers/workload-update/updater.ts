import { EXPECTATION_TIMEOUT_SECONDS } from '../../decide/expectations.ts';
import type { Command } from '../../decide/workload-update/commands.ts';
import { nextPassSeconds } from '../../decide/workload-update/next-pass.ts';
import { type FollowUp, passError, statusPatchError } from '../../decide/workload-update/outcomes.ts';
import { type Pass, type PassInput, planEvictions, planPass } from '../../decide/workload-update/pass.ts';
import { statusPatch } from '../../decide/workload-update/status-patch.ts';
import type { ReconcileResult, Reconciler } from '../controller.ts';
import type { Holds } from '../holds.ts';
import type { Journal } from '../journal.ts';
import { requireSoleUpdater } from '../strategy.ts';
import { TargetFinder } from '../target-finder.ts';
import { migrationsWithoutNode } from '../under-way.ts';
import { Answers } from './answers.ts';
import type { WorkloadUpdateOptions } from './options.ts';
import { type ClosedGate, type Picture, Pictures, passInput, TWO_UPDATERS } from './picture.ts';
import { Reports } from './reports.ts';
import { Turns } from './turns.ts';
import type { UpdaterMemory } from './updater-memory.ts';

/** So many evictions are tried in one pass at most, refused ones among them; the next pass goes on. */
const MOST_TRIES = 100;

/** The workload updater; the key is that of the KubeVirt CR. Workload-update §3-7 of the spec. */
export class WorkloadUpdater implements Reconciler {
  readonly #options: WorkloadUpdateOptions;
  readonly #memory: UpdaterMemory;
  readonly #holds: Holds;
  readonly #pictures: Pictures;
  readonly #answers: Answers;
  readonly #reports: Reports;
  #isRestless = false;
  #hasActed = false;
  #hasCreated = false;

  constructor(options: WorkloadUpdateOptions, memory: UpdaterMemory, holds: Holds, journal: Journal) {
    this.#options = options;
    this.#memory = memory;
    this.#holds = holds;
    this.#pictures = new Pictures(options);
    this.#answers = new Answers(options, memory, holds, journal);
    this.#reports = new Reports(options, holds, journal);
  }

  /** The last pass left work over, and v1.9.0 would be at the next already. */
  get isRestless(): boolean {
    return this.#isRestless;
  }

  /** The last pass sent something that was done, so that the next may find things changed. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  /** It created migrations, so that there is less to do by each of them. */
  get hasCreated(): boolean {
    return this.#hasCreated;
  }

  async reconcile(key: string): Promise<ReconcileResult> {
    const { behavior } = this.#options;
    this.#isRestless = false;
    this.#hasActed = false;
    this.#hasCreated = false;
    // 1. Nobody else may drive the cluster.
    this.#requireSole(key);
    // 2. What the process before this one evicted counts.
    await this.#memory.load();
    // 3. The gates, and what there is to do behind them.
    const seen = this.#look(key);
    if ('closed' in seen) return this.#sleep(seen);
    this.#reports.picture(seen);
    // 4. The count in the status, in KubeVirt's place.
    const unpatched = await this.#patchStatus(seen);
    if (unpatched !== undefined) return { error: unpatched };
    // 5. A batch must be claimed in the cluster before anybody is evicted.
    const unclaimed = await this.#claim(seen);
    // 6. The picture again, since time has passed. From here to the sending nothing is waited for.
    const picture = this.#look(key);
    if ('closed' in picture) return this.#sleep(picture);
    const turns = this.#turnsIn(picture);
    const pass = planPass(this.#inputOf(picture, turns));
    // 7. Everything at once, and what follows from the answers; refused evictions leave their places to others.
    const followUps = await this.#carryOut(pass, turns);
    if (behavior === 'intended') await this.#evictMore(key, turns);
    // 8. What the batch came to, and when to look again.
    const unsaved = await this.#memory.settle();
    this.#reports.end(this.#memory.state.batch, picture);
    this.#isRestless = behavior === 'exact' && pass.requeueAfterSeconds !== undefined;
    const failed = behavior === 'exact' ? passError(followUps) : undefined;
    const canEvict = unclaimed === undefined;
    return {
      error: failed ?? unclaimed ?? unsaved,
      requeueAfterSeconds: this.#nextPass(key, pass, turns, canEvict),
    };
  }

  /** To be called when no pass is under way and none will be. */
  close(): void {
    this.#pictures.close();
  }

  #requireSole(key: string): void {
    const { cluster, strategy, isBuiltInRunning } = this.#options;
    try {
      requireSoleUpdater(strategy(), cluster.fleet.get('KubeVirt', key), isBuiltInRunning?.());
    } catch (error) {
      this.#reports.gate(key, TWO_UPDATERS);
      throw error;
    }
  }

  #look(key: string, isMidPass = false): Picture | ClosedGate {
    const { state } = this.#memory;
    const look = this.#pictures.look(key, isMidPass ? { ...state, expectation: undefined } : state);
    this.#reports.gate(key, 'closed' in look ? look.closed : undefined);
    return look;
  }

  /** Events open gates; only what may be waited for in vain needs a timer. A claim ends here too: it would outlive its pass. */
  async #sleep({ closed: { result, reason } }: ClosedGate): Promise<ReconcileResult> {
    const { behavior, clock } = this.#options;
    const error = await this.#memory.settle();
    const { expectation } = this.#memory.state;
    if (result.forgetsExpectation) this.#memory.state = { ...this.#memory.state, expectation: undefined };
    if (reason !== 'GateCreationsNotSeen' || behavior === 'exact' || !expectation) return { error };
    const waitedSeconds = (clock.now() - expectation.setAt) / 1000;
    return { error, requeueAfterSeconds: EXPECTATION_TIMEOUT_SECONDS - waitedSeconds + 1 };
  }

  async #patchStatus({ kubevirt, isStandIn, survey }: Picture): Promise<string | undefined> {
    const wanted = isStandIn ? statusPatch(kubevirt, survey.outdated.length) : undefined;
    if (!wanted) return undefined;
    this.#hasActed = true;
    const { subresource, patch, namespace, name } = wanted;
    const result = await this.#options.cluster.patch('KubeVirt', `${namespace}/${name}`, patch, {
      subresource,
    });
    return result.ok ? undefined : statusPatchError(result);
  }

  /** Asks who would be evicted if the batch were claimed; for nobody, none is. */
  async #claim(seen: Picture): Promise<string | undefined> {
    const turns = this.#turnsIn(seen);
    const input = { ...this.#inputOf(seen, turns), mayEvict: turns.couldEvict };
    return planEvictions(input).commands.length > 0 ? this.#memory.claim() : undefined;
  }

  #turnsIn({ settings }: Picture): Turns {
    const { cluster, behavior, inHand } = this.#options;
    const underWay = () => migrationsWithoutNode(cluster.fleet, inHand);
    const targets = new TargetFinder(cluster.fleet, settings, behavior, underWay);
    return new Turns(this.#options, this.#holds, this.#memory, targets);
  }

  #inputOf(picture: Picture, turns: Turns): PassInput {
    return passInput(picture, this.#memory.state, turns, this.#options);
  }

  async #carryOut(pass: Pass, turns: Turns): Promise<readonly FollowUp[]> {
    this.#memory.state = this.#canSendAll(pass)
      ? pass.state
      : { ...pass.state, batch: this.#memory.state.batch };
    this.#reports.withoutTargets(turns.withoutTarget);
    this.#reports.withoutPods(pass.withoutPod);
    const followUps = await this.#send(pass.commands, turns);
    this.#hasActed ||= followUps.some(({ error }) => error === undefined);
    const creations = pass.commands.filter(({ kind }) => kind === 'createMigration').length;
    this.#hasCreated = creations > followUps.filter(({ lowersExpectation }) => lowersExpectation).length;
    return followUps;
  }

  /** A batch of which no eviction may be sent has not begun. */
  #canSendAll({ commands }: Pass): boolean {
    return this.#memory.isClaimed || !commands.some(({ kind }) => kind === 'evictPod');
  }

  #send(commands: readonly Command[], turns: Turns): Promise<readonly FollowUp[]> {
    for (const { kind, vmi } of commands) if (kind === 'evictPod') turns.noteEvicted(vmi);
    return this.#answers.carryOut(commands.filter((command) => this.#isWanted(command)));
  }

  /** No eviction without a claim. No second deletion of a migration that is on its way out, as KubeVirt sends with every pass. */
  #isWanted(command: Command): boolean {
    if (command.kind === 'evictPod') return this.#memory.isClaimed;
    if (command.kind === 'createMigration' || this.#options.behavior === 'exact') return true;
    const isGoing = command.migration.metadata.deletionTimestamp !== undefined;
    return !isGoing && !this.#holds.isHeld(command.vmi, 'abort');
  }

  async #evictMore(key: string, turns: Turns): Promise<void> {
    while (turns.tried < MOST_TRIES) {
      const picture = this.#look(key, true);
      if ('closed' in picture) return;
      const { commands, batch } = planEvictions(this.#inputOf(picture, turns));
      if (commands.length === 0) return;
      this.#memory.state = { ...this.#memory.state, batch };
      await this.#send(commands, turns);
    }
  }

  /** Where no batch can be claimed, the failure brings the next pass, later each time. */
  #nextPass(
    key: string,
    { requeueAfterSeconds: plannedSeconds }: Pass,
    turns: Turns,
    canEvict: boolean,
  ): number | undefined {
    const { clock, cluster, behavior } = this.#options;
    const picture = this.#look(key, true);
    if ('closed' in picture) return undefined;
    const { survey, settings, changesAt } = picture;
    const now = clock.now();
    return nextPassSeconds({
      plannedSeconds,
      hasEvictable:
        canEvict && survey.evictable.some((vmi) => turns.couldEvict(vmi) && cluster.fleet.launcherPodOf(vmi)),
      batch: this.#memory.state.batch,
      limits: { size: settings.batchEvictionSize, intervalSeconds: settings.batchEvictionIntervalSeconds },
      heldUntil: turns.hasMore ? now : this.#holds.soonestEnd(),
      changesAt,
      now,
      behavior,
    });
  }
}

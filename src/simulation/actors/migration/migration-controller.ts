import { Controller, type ReconcileResult } from '../../../controllers/controller.ts';
import { defaultRateLimiter } from '../../../controllers/rate-limit.ts';
import { WorkQueue } from '../../../controllers/work-queue.ts';
import { queueValueOf } from '../../../decide/migration/queue.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import type { Migration } from '../../../kubevirt/objects.ts';
import { isMigrationFinal, keyOf } from '../../../kubevirt/predicates.ts';
import type { Actor, ActorContext } from '../actor.ts';
import { act, failureOf } from './actions.ts';
import { Desk, type MigrationControllerOptions, type Outcome, type Pass } from './desk.ts';
import { MigrationPicture } from './picture.ts';
import { afterFinal, noteStatus } from './status.ts';
import { isAlive, wakeUp } from './wake-ups.ts';
import { withVmiLabel } from './writes.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const NAME = 'migration-controller';

/**
 * virt-controller's migration controller: it brings migrations from one phase to the next, makes their target pods in the order of
 * the queue and within the caps, hands them over to the nodes, and clears away what is left of them
 * (evacuation-and-migration §3–5 of the spec).
 *
 * Promise: one migration is looked at at a time. Whoever waits for a place costs nothing until there is one. All that it
 * remembers can be forgotten: a new one finds it in the objects.
 */
export function migrationController(context: ActorContext, options: MigrationControllerOptions): Actor {
  const { cluster, clock, log, metrics } = context;
  const { fleet } = cluster;
  const queue = new WorkQueue(clock, defaultRateLimiter(), (key) => {
    const migration = fleet.get(MIGRATION, key);
    return migration ? queueValueOf(migration) : 0;
  });
  const desk = new Desk(context, options, new MigrationPicture(fleet), queue);
  const reconciler = new MigrationReconciler(desk);
  const controller = new Controller({ name: NAME, reconciler, queue, cluster, clock, log, metrics });
  let leave = (): void => {};
  return {
    start() {
      leave = cluster.subscribe((change) => {
        desk.picture.see(change);
        wakeUp(desk, change);
        if (change.kind !== 'KubeVirt') return;
        desk.waiters.reopenAll();
        reconciler.lookForPlaces();
      });
      for (const key of aliveIn(fleet.all(MIGRATION))) queue.add(key);
      controller.start();
    },
    async stop() {
      leave();
      reconciler.stop();
      await controller.stop();
    },
  };
}

function aliveIn(migrations: Iterable<Migration>): string[] {
  return [...migrations].filter(isAlive).map(keyOf).sort();
}

class MigrationReconciler {
  readonly #desk: Desk;
  #seenOccupations = -1;
  #callOff = (): void => {};

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  stop(): void {
    this.#callOff();
  }

  async reconcile(key: string): Promise<ReconcileResult> {
    const migration = this.#desk.fleet.get(MIGRATION, key);
    const { error, waits } = migration ? await this.#pass(key, migration) : this.#forget(key);
    if (!waits) this.#desk.letAsk(key);
    this.lookForPlaces();
    return { error };
  }

  /**
   * Where places have been left, the first who would ask for one is woken when it would ask. While somebody is about to ask
   * anyway, that can wait.
   */
  lookForPlaces(): void {
    const { picture, waiters, queue, context } = this.#desk;
    if (picture.occupations === this.#seenOccupations || queue.hasMore) return;
    this.#seenOccupations = picture.occupations;
    this.#callOff();
    const hasPlace = waiters.size > 0 ? this.#desk.placesOfNow() : undefined;
    const now = context.clock.now();
    const next = hasPlace && waiters.soonest(hasPlace, now);
    if (next) this.#callOff = context.clock.after((next.at - now) / 1000, () => this.#wake(next.key));
  }

  #wake(key: string): void {
    this.#seenOccupations = -1;
    this.#desk.queue.add(key);
  }

  #forget(key: string): Outcome {
    this.#desk.creations.forget(key);
    this.#desk.handedOff.delete(key);
    this.#desk.heldBack.delete(key);
    return {};
  }

  #pass(key: string, migration: Migration): Promise<Outcome> {
    const { cluster } = this.#desk.context;
    if (migration.metadata.labels?.[LABEL.vmiName] === undefined) {
      return cluster.modify(MIGRATION, key, withVmiLabel).then(failureOf);
    }
    const pass = this.#desk.passOver(key, migration);
    if (!pass.vmi && migration.metadata.deletionTimestamp === undefined) {
      return cluster.delete(MIGRATION, key).then(failureOf);
    }
    return this.#passOver(pass);
  }

  async #passOver(pass: Pass): Promise<Outcome> {
    const isFree = pass.vmi !== undefined && this.#desk.creations.areSeen(pass.key);
    const outcome: Outcome = isFree ? await act(this.#desk, pass) : {};
    const { creationError, waits } = outcome;
    const noted = await noteStatus(
      this.#desk,
      creationError === undefined ? pass : { ...pass, creationError },
    );
    const cleared = isMigrationFinal(pass.migration) ? await afterFinal(this.#desk, pass) : undefined;
    return { waits, error: noted ?? outcome.error ?? cleared };
  }
}

import type { Plans } from './plans.ts';

/**
 * What virt-handler of one node is going to do, by what it is about. A lane is a VMI, by its UID: to look one up by what stands
 * there already costs less than to put a name together, and each VMI is looked at again and again.
 */
export class HandlerPlans {
  /** The boot of the guest, or its end. */
  readonly guest: Plans;
  /** The power button. */
  readonly request: Plans;
  readonly migration: Plans;
  /** When a copy is next judged. */
  readonly copy: Plans;
  /** When a round of a copy ends. */
  readonly round: Plans;
  readonly volumes: Plans;
  readonly migratability: Plans;
  readonly #all: readonly Plans[];

  constructor(newPlans: (about: string) => Plans) {
    this.guest = newPlans('guest');
    this.request = newPlans('request');
    this.migration = newPlans('migration');
    this.copy = newPlans('copy');
    this.round = newPlans('round');
    this.volumes = newPlans('volumes');
    this.migratability = newPlans('migratability');
    this.#all = [
      ...[this.guest, this.request, this.migration],
      ...[this.copy, this.round, this.volumes, this.migratability],
    ];
  }

  /** As `Plans.dropAll`, of everything. */
  dropAll(): void {
    for (const plans of this.#all) plans.dropAll();
  }

  /** Resolves when no deed is under way. */
  async atRest(): Promise<void> {
    await Promise.all(this.#all.map((plans) => plans.atRest()));
  }
}

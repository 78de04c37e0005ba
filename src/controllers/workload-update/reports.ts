import { vmiRef } from '../../decide/evidence.ts';
import { firstRule } from '../../decide/rules.ts';
import type { BatchState } from '../../decide/workload-update/batch.ts';
import { type CategoryInput, categoryTable } from '../../decide/workload-update/categorise.ts';
import { creationFailedEvent } from '../../decide/workload-update/updater-events.ts';
import { WORKLOAD_UPDATE_EVENT } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Holds } from '../holds.ts';
import type { Journal } from '../journal.ts';
import type { WorkloadUpdateOptions } from './options.ts';
import type { ClosedGate, Picture } from './picture.ts';
import type { WithoutTarget } from './turns.ts';

const CONTROLLER = { controller: 'workload-update' } as const;

/** Tells the world what the updater sees: metrics, journal, log, and events about those for whom nothing is sent. */
export class Reports {
  readonly #options: WorkloadUpdateOptions;
  readonly #holds: Holds;
  readonly #journal: Journal;

  constructor(options: WorkloadUpdateOptions, holds: Holds, journal: Journal) {
    this.#options = options;
    this.#holds = holds;
    this.#journal = journal;
  }

  gate(key: string, closed: ClosedGate['closed'] | undefined): void {
    this.#options.metrics.gauge('drover_gate_open', closed ? 0 : 1, CONTROLLER);
    this.#journal.tellStanding(
      `KubeVirt ${key}`,
      'gate',
      closed?.reason ?? 'GateOpen',
      () => closed?.evidence ?? [],
    );
  }

  /** KubeVirt's own gauge only where Drover stands in for KubeVirt's updater, which would tell it as well. */
  picture({ survey, settings, isStandIn, launcherImage }: Picture): void {
    const { metrics, clock, cluster, behavior } = this.#options;
    const outdated = survey.outdated.length;
    metrics.gauge('drover_outdated_vmis', outdated);
    if (isStandIn) metrics.gauge('kubevirt_vmi_number_of_outdated', outdated);
    metrics.gauge('drover_migrations', survey.activeMigrations, { phase: 'running' });
    metrics.gauge('drover_migrations', survey.pendingMigrations, { phase: 'pending' });
    metrics.gauge('drover_migrations_cap', settings.migrations.parallelMigrationsPerCluster);
    metrics.gauge('drover_eviction_batch_size', settings.batchEvictionSize);
    if (!this.#journal.isOn) return;
    const common = { launcherImage, methods: settings.workloadUpdateMethods, now: clock.now(), behavior };
    for (const vmi of survey.outdated) {
      this.#category({ ...common, vmi, unfinishedMigrations: cluster.fleet.unfinishedMigrationsOf(vmi) });
    }
  }

  /** What the pass came to. */
  end({ accepted }: BatchState, { settings }: Picture): void {
    const { metrics } = this.#options;
    metrics.gauge(
      'drover_eviction_batch_accepted',
      Math.min(accepted, Math.max(0, settings.batchEvictionSize)),
    );
    for (const [reason, count] of this.#holds.counts())
      metrics.gauge('drover_held_vmis', count, { ...CONTROLLER, reason });
  }

  /** Each is told of a refusal once, until it is another one. */
  withoutTargets(found: readonly WithoutTarget[]): void {
    for (const { vmi, refusal } of found) {
      if (!this.#holds.refuse(vmi, 'migrate', refusal)) continue;
      const event = creationFailedEvent(vmi, refusal.message);
      this.#options.cluster.recordEvent(event, WORKLOAD_UPDATE_EVENT.component);
      this.#journal.tell({ object: vmiRef(vmi), decision: 'migrate', evidence: [], ...refusal });
    }
  }

  /** The real process would have died of it. */
  withoutPods(vmis: readonly Vmi[]): void {
    for (const vmi of vmis) {
      this.#options.log.write('error', 'a VMI that is to be evicted has no pod', { vmi: vmiRef(vmi) });
    }
  }

  #category(input: CategoryInput): void {
    const { name, reads } = firstRule(categoryTable, input);
    this.#journal.tellStanding(vmiRef(input.vmi), 'category', name, () => reads(input));
  }
}

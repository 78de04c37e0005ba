import type { Decision } from '../../decide/rules.ts';
import { decide } from '../../decide/rules.ts';
import type { Settings } from '../../decide/settings.ts';
import { type Gate, gateTable } from '../../decide/workload-update/gates.ts';
import type { PassInput, UpdaterState } from '../../decide/workload-update/pass.ts';
import type { Survey } from '../../decide/workload-update/survey.ts';
import { Rollout, type RolloutSettings } from '../../fleet/rollout.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Random } from '../ports.ts';
import { otherUpdater, type StrategySource, settingsUnder } from '../strategy.ts';
import type { WorkloadUpdateOptions } from './options.ts';
import type { Turns } from './turns.ts';

/** The cluster as the updater sees it at one moment, behind open gates. */
export interface Picture {
  readonly kubevirt: KubeVirt;
  readonly source: StrategySource;
  /** Drover plays the part of KubeVirt's own updater, the count of outdated VMIs included. */
  readonly isStandIn: boolean;
  readonly settings: Settings;
  readonly launcherImage: string;
  /** The fleet's own: it changes with the next event. */
  readonly survey: Survey;
  /** When time alone may change it. */
  readonly changesAt: Instant | undefined;
}

/** Why nothing may be done now. */
export interface ClosedGate {
  readonly closed: Decision<Gate>;
}

/** Looks at the cluster. */
export class Pictures {
  readonly #options: WorkloadUpdateOptions;
  #rollout: Rollout | undefined;

  constructor(options: WorkloadUpdateOptions) {
    this.#options = options;
  }

  /** Looks anew, at the cost of what has changed. */
  look(key: string, { expectation }: UpdaterState): Picture | ClosedGate {
    const { cluster, clock, behavior, strategy, launcherImage: imageOf, isBuiltInRunning } = this.#options;
    const now = clock.now();
    const kubevirt = cluster.fleet.get('KubeVirt', key);
    const gate = decide(gateTable, { key, kubevirt, expectation, now });
    const launcherImage = imageOf();
    if (!gate.result.open || !kubevirt) return { closed: gate };
    if (launcherImage === undefined) return { closed: IMAGE_UNKNOWN };
    const source = strategy();
    const isBuiltInUp = isBuiltInRunning?.() ?? false;
    if (otherUpdater(source, kubevirt, isBuiltInUp) !== undefined) return { closed: TWO_UPDATERS };
    const settings = settingsUnder(source, kubevirt);
    const rollout = this.#rolloutFor({ launcherImage, methods: settings.workloadUpdateMethods, behavior });
    const isStandIn = source.kind === 'kubevirt' && !isBuiltInUp;
    const survey = rollout.survey(now);
    const { changesAt } = rollout;
    return { kubevirt, source, isStandIn, settings, launcherImage, survey, changesAt };
  }

  /** Follows the cluster no more. */
  close(): void {
    this.#rollout?.close();
  }

  #rolloutFor(settings: RolloutSettings): Rollout {
    const { cluster, clock } = this.#options;
    this.#rollout ??= new Rollout(cluster.fleet, settings, clock.now());
    this.#rollout.configure(settings);
    return this.#rollout;
  }
}

/** As two must never act, this is a gate too, in the middle of a pass as well. */
export const TWO_UPDATERS: ClosedGate['closed'] = {
  result: { open: false, forgetsExpectation: false },
  reason: 'TwoUpdaters',
  evidence: [],
};

/** KubeVirt always knows its own; Drover may have to wait for the Deployment that names it. */
const IMAGE_UNKNOWN: ClosedGate['closed'] = {
  result: { open: false, forgetsExpectation: false },
  reason: 'LauncherImageUnknown',
  evidence: [{ object: 'Deployment virt-controller', path: 'args[--launcher-image]', value: undefined }],
};

/** What a pass is planned from. */
export function passInput(
  { kubevirt, source, settings, survey }: Picture,
  state: UpdaterState,
  turns: Turns,
  { cluster, clock, random, order, behavior, inHand, sendsPriority = false }: WorkloadUpdateOptions,
): PassInput {
  const listed = (vmis: readonly Vmi[]): readonly Vmi[] =>
    behavior === 'exact' ? shuffled(vmis, random) : vmis;
  const unseen = behavior === 'intended' ? inHand.unseenMigrations().length : 0;
  return {
    kubevirt,
    settings,
    survey: {
      ...survey,
      // KubeVirt lists its cache in another order each time, so that those whom it refuses do not stand before the others for good.
      evictable: order?.(survey.evictable) ?? listed(survey.evictable),
      pendingMigrations: survey.pendingMigrations + unseen,
    },
    podsOf: (vmi) => cluster.fleet.podsOf(vmi),
    state,
    shuffle: (vmis) => order?.(vmis) ?? shuffled(vmis, random),
    now: clock.now(),
    behavior,
    countsPending: behavior === 'intended',
    sendsPriority: sendsPriority && source.kind === 'kubevirt',
    mayMigrate: turns.mayMigrate,
    mayEvict: turns.mayEvict,
  };
}

/** Every order is as likely as any other (Fisher and Yates). */
function shuffled(vmis: readonly Vmi[], random: Random): Vmi[] {
  const order = [...vmis];
  for (let last = order.length - 1; last > 0; last--) {
    const drawn = Math.floor(random.next() * (last + 1));
    const [one, other] = [order[drawn], order[last]];
    if (one && other) [order[last], order[drawn]] = [one, other];
  }
  return order;
}

import { launcherEvictionTable } from '../../decide/eviction/launcher.ts';
import type { EvictionVerdict } from '../../decide/eviction/verdict.ts';
import { guestEndTable } from '../../decide/guest-end.ts';
import { type Decision, decide, type Evidence, firstRule } from '../../decide/rules.ts';
import { type AfterEndResult, afterEndTable } from '../../decide/run-strategy/after-end.ts';
import { type Category, categorise } from '../../decide/workload-update/categorise.ts';
import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import type { Node, Pod, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { isPodFinished, isRunning } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { type Context, contextOf, type ForecastOptions } from '../context.ts';
import { deployedLauncherImage, launcherImageToday, NEW_LAUNCHER } from '../launcher-image.ts';
import { Budgets } from './budgets.ts';
import type { Need } from './finding.ts';
import { Places } from './places.ts';

/** What lint may be told besides the fleet; a rule that needs what is absent is not tried. */
export interface LintOptions extends Partial<ForecastOptions> {
  /** The image that virt-controller starts launchers with; without it, that of its Deployment, else KubeVirt's label on outdated VMIs counts. */
  readonly launcherImage?: string | undefined;
}

/**
 * The cluster as the rules see it: the fleet, the settings in force, and the questions that several rules ask, each
 * answered once.
 *
 * Promise: lists are sorted by namespace and name, so findings come out the same however the fleet was filled.
 */
export interface LintContext extends Pick<Context, 'fleet' | 'settings' | 'kubevirt'> {
  readonly now: Instant | undefined;
  /** The same cluster as the forecasts see it. Without a time, a migration that has started and not ended is under way. */
  readonly forecast: Context;
  /** Phase Running and not being deleted: what a roll-out, a drain or an edit can hit. */
  readonly runningVmis: () => readonly Vmi[];
  readonly virtualMachines: () => readonly VirtualMachine[];
  readonly nodes: () => readonly Node[];
  /** Pods of the VMI that run or are about to; finished ones and those being deleted are on their way out. */
  readonly livePodsOf: (vmi: Vmi) => readonly Pod[];
  /** What the workload updater does about a VMI; with `launcherChanged`, once every launcher is outdated. */
  readonly categoryOf: (vmi: Vmi, launcherChanged?: boolean) => Category;
  /** What the webhook says to the eviction of the VMI's launcher; `undefined` where no launcher is known. */
  readonly evictionOf: (vmi: Vmi) => Decision<EvictionVerdict> | undefined;
  /** The ways in which a VM may fare when its guest is shut down by an eviction, the clean shutdown first. */
  readonly aftermathOf: (vmi: Vmi) => readonly Aftermath[];
  readonly places: Places;
  readonly budgets: Budgets;
  readonly meets: (need: Need) => boolean;
}

/** One way in which an eviction may go on: how the guest ends, and what the owner of the VMI then does. */
export interface Aftermath {
  readonly result: AfterEndResult;
  readonly reason: string;
  /** Why the guest ends so, and why the VM then fares so, in the words of the two rules. */
  readonly asks: readonly [string, string];
  readonly evidence: readonly Evidence[];
}

/** What the rules ask of one cluster; each answer is reckoned when it is first asked for. Without `now` no move counts as ended. */
export function lintContext(fleet: Fleet, options: LintOptions = {}): LintContext {
  const { now } = options;
  const launcherImage = options.launcherImage ?? deployedLauncherImage(fleet);
  const forecast = contextOf(fleet, { ...options, now: now ?? Number.POSITIVE_INFINITY });
  return {
    fleet,
    settings: forecast.settings,
    kubevirt: forecast.kubevirt,
    now,
    forecast,
    runningVmis: once(() => sorted(fleet, 'VirtualMachineInstance').filter(canBeHit)),
    virtualMachines: once(() => sorted(fleet, 'VirtualMachine')),
    nodes: once(() => sorted(fleet, 'Node')),
    livePodsOf: (vmi) =>
      fleet.podsOf(vmi).filter((pod) => !isPodFinished(pod) && !pod.metadata.deletionTimestamp),
    categoryOf: (vmi, launcherChanged = false) =>
      categorise({
        vmi,
        launcherImage: launcherChanged ? NEW_LAUNCHER : (launcherImage ?? launcherImageToday(fleet, vmi)),
        methods: forecast.settings.workloadUpdateMethods,
        unfinishedMigrations: fleet.unfinishedMigrationsOf(vmi),
        now: forecast.now,
        behavior: forecast.behavior,
      }),
    evictionOf: rememberedBy((vmi) => evictionOf(forecast, vmi)),
    aftermathOf: rememberedBy((vmi) => aftermathOf(fleet, vmi)),
    places: new Places(forecast),
    budgets: new Budgets(fleet),
    meets: (need) => {
      if (need === 'the time') return now !== undefined;
      return fleet.isKnown(need);
    },
  };
}

/** The webhook lets an eviction of it pass. */
export function isShutDown({ evictionOf }: LintContext, vmi: Vmi): boolean {
  return evictionOf(vmi)?.result.allowed === true;
}

function canBeHit(vmi: Vmi): boolean {
  return isRunning(vmi) && !vmi.metadata.deletionTimestamp;
}

function sorted<K extends Kind>(fleet: Fleet, kind: K): KindMap[K][] {
  return [...fleet.all(kind)].sort(byKey);
}

function evictionOf({ fleet, settings, behavior }: Context, vmi: Vmi): Decision<EvictionVerdict> | undefined {
  const pod = fleet.launcherPodOf(vmi);
  if (!pod || isPodFinished(pod)) return undefined;
  return decide(launcherEvictionTable, { pod, vmi: { found: vmi }, settings, behavior });
}

function aftermathOf(fleet: Fleet, vmi: Vmi): Aftermath[] {
  const stop = { vmi, pod: fleet.launcherPodOf(vmi) };
  const ending = firstRule(guestEndTable, stop);
  return ending.then(stop).map(({ end }) => {
    const after = { vm: fleet.vmOf(vmi), vmi, end };
    const rule = firstRule(afterEndTable, after);
    return {
      result: rule.then(after),
      reason: rule.name,
      asks: [ending.asks, rule.asks],
      evidence: [...ending.reads(stop), ...rule.reads(after)],
    };
  });
}

/** Answers for each object once. */
function rememberedBy<Key extends object, T>(compute: (key: Key) => T): (key: Key) => T {
  const memory = new Map<Key, { readonly value: T }>();
  return (key) => {
    const known = memory.get(key) ?? { value: compute(key) };
    memory.set(key, known);
    return known.value;
  };
}

/** Computes at the first call and remembers. */
function once<T>(compute: () => T): () => T {
  let held: { readonly value: T } | undefined;
  return () => {
    held ??= { value: compute() };
    return held.value;
  };
}

import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import type { Node, Pod, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { isPodFinished, isRunning } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { type Context, contextOf, type ForecastOptions } from '../context.ts';
import type { Need } from './finding.ts';
import { byKey } from './words.ts';

/** What lint may be told besides the fleet; a rule that needs what is absent is not tried. */
export interface LintOptions extends Partial<ForecastOptions> {
  /** The image that virt-controller starts launchers with; VMIs with another one are outdated. */
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
  readonly launcherImage: string | undefined;
  /** The same cluster as the forecasts see it. Without a time, a migration that has started and not ended is under way. */
  readonly forecast: Context;
  /** Phase Running and not being deleted: what a roll-out, a drain or an edit can hit. */
  readonly runningVmis: () => readonly Vmi[];
  readonly virtualMachines: () => readonly VirtualMachine[];
  readonly nodes: () => readonly Node[];
  /** Pods of the VMI that run or are about to; finished ones and those being deleted are on their way out. */
  readonly livePodsOf: (vmi: Vmi) => readonly Pod[];
  readonly meets: (need: Need) => boolean;
}

export function lintContext(fleet: Fleet, options: LintOptions = {}): LintContext {
  const { now, launcherImage } = options;
  const forecast = contextOf(fleet, { ...options, now: now ?? Number.POSITIVE_INFINITY });
  return {
    fleet,
    settings: forecast.settings,
    kubevirt: forecast.kubevirt,
    now,
    launcherImage,
    forecast,
    runningVmis: once(() => sorted(fleet, 'VirtualMachineInstance').filter(canBeHit)),
    virtualMachines: once(() => sorted(fleet, 'VirtualMachine')),
    nodes: once(() => sorted(fleet, 'Node')),
    livePodsOf: (vmi) =>
      fleet.podsOf(vmi).filter((pod) => !isPodFinished(pod) && !pod.metadata.deletionTimestamp),
    meets: (need) => {
      if (need === 'the time') return now !== undefined;
      if (need === 'the launcher image') return launcherImage !== undefined;
      return fleet.isKnown(need);
    },
  };
}

function canBeHit(vmi: Vmi): boolean {
  return isRunning(vmi) && !vmi.metadata.deletionTimestamp;
}

function sorted<K extends Kind>(fleet: Fleet, kind: K): KindMap[K][] {
  return [...fleet.all(kind)].sort(byKey);
}

/** Computes at the first call and remembers. */
function once<T>(compute: () => T): () => T {
  let held: { readonly value: T } | undefined;
  return () => {
    held ??= { value: compute() };
    return held.value;
  };
}

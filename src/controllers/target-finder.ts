import type { Refusal } from '../decide/hold.ts';
import { judgePlacement, type Placement, tellExclusions } from '../decide/placement/placement.ts';
import { PlacementWorld } from '../decide/placement/world.ts';
import type { Behavior } from '../decide/rules.ts';
import type { Settings } from '../decide/settings.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Vmi } from '../kubevirt/objects.ts';

/** Reasons of refusals that a change of nodes or quotas may do away with. */
export const PLACEMENT_REASONS: ReadonlySet<string> = new Set(['QuotaExceeded', 'NoRoom', 'NoNodeFits']);

/**
 * Whether migrations would find a target at all, as the cluster is at one moment. KubeVirt makes migrations that cannot; each holds
 * one of its node's places for five minutes, again and again, and keeps those waiting that could move.
 */
export class TargetFinder {
  readonly #fleet: Fleet;
  readonly #settings: Settings;
  readonly #behavior: Behavior;
  readonly #world: PlacementWorld;

  constructor(fleet: Fleet, settings: Settings, behavior: Behavior) {
    this.#fleet = fleet;
    this.#settings = settings;
    this.#behavior = behavior;
    this.#world = new PlacementWorld({
      nodes: fleet.all('Node'),
      podsOn: (node) => fleet.podsOn(node),
      namespaceLabels: (namespace) => fleet.get('Namespace', namespace)?.metadata.labels,
      volumesOf: (pod) => fleet.volumesOf(pod),
    });
  }

  /** Why no node can take the VMI now; undefined where one can, or where that cannot be told: then KubeVirt shall try. */
  refusalFor(vmi: Vmi): Refusal | undefined {
    const placement = judgePlacement({
      pod: this.#fleet.launcherPodOf(vmi),
      vmi,
      purpose: 'migration-target',
      world: this.#world,
      quotas: this.#fleet.quotasIn(vmi.metadata.namespace ?? ''),
      settings: this.#settings,
      behavior: this.#behavior,
      limit: 1,
    });
    return refusalIn(placement);
  }
}

function refusalIn({ fitsNow, fitsIfEmpty, excluded, quota, missing }: Placement): Refusal | undefined {
  if (quota) return { reason: 'QuotaExceeded', message: quota.message };
  if (fitsNow.length > 0 || missing.length > 0) return undefined;
  const why = tellExclusions(excluded);
  return fitsIfEmpty.length > 0
    ? { reason: 'NoRoom', message: `no other node has room for it now: ${why}` }
    : { reason: 'NoNodeFits', message: `no other node can take it: ${why}` };
}

import type { Refusal } from '../decide/hold.ts';
import { WorldBeside } from '../decide/placement/beside.ts';
import { candidateOf } from '../decide/placement/candidate.ts';
import type { Placed } from '../decide/placement/placed.ts';
import {
  judgePlacement,
  type Placement,
  type PlacementQuestion,
  tellExclusions,
} from '../decide/placement/placement.ts';
import { PlacementWorld } from '../decide/placement/world.ts';
import type { Behavior } from '../decide/rules.ts';
import type { Settings } from '../decide/settings.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import type { UnderWay } from './under-way.ts';

/** Reasons of refusals that a change of nodes or quotas may do away with. */
export const PLACEMENT_REASONS: ReadonlySet<string> = new Set(['QuotaExceeded', 'NoRoom', 'NoNodeFits']);

/** Those that the end of a pod or of a migration may do away with. */
export const ROOM_REASONS: ReadonlySet<string> = new Set(['NoRoom']);

/** How long they wait then, and how often they are tried at most: pods come and go all the time, mostly without leaving enough. */
export const ROOM_SECONDS = 14;

/** When their controller looks: not before their wait is over, though a timer may be a moment early. */
export const LOOK_FOR_ROOM_SECONDS = ROOM_SECONDS + 1;

/** A migration with the place that is kept for its target. */
interface Kept extends UnderWay {
  readonly place: Placed;
}

/**
 * Whether migrations would find a target at all, as the cluster is at one moment. KubeVirt makes migrations that cannot; each holds
 * one of its node's places for five minutes, again and again, and keeps those waiting that could move.
 *
 * Who is under way without a node, and who was let go by `take`, has a place kept: two that fit the same last place by
 * themselves do not both go. The scheduler may choose another node, so that somebody may be refused in vain, for as long as
 * nothing better is known: until the pods have their nodes.
 */
export class TargetFinder {
  readonly #fleet: Fleet;
  readonly #settings: Settings;
  readonly #behavior: Behavior;
  #world: PlacementWorld | undefined;
  readonly #underWay: () => readonly UnderWay[];
  #kept: readonly Kept[] | undefined;

  constructor(
    fleet: Fleet,
    settings: Settings,
    behavior: Behavior,
    underWay: () => readonly UnderWay[] = () => [],
  ) {
    this.#fleet = fleet;
    this.#settings = settings;
    this.#behavior = behavior;
    this.#underWay = underWay;
  }

  /** Why no node can take the VMI now; undefined where one can, or where that cannot be told: then KubeVirt shall try. */
  refusalFor(vmi: Vmi): Refusal | undefined {
    const alone = refusalIn(this.#judge(vmi, []));
    if (alone) return alone;
    const kept = this.#keptSoFar();
    const beside = kept.length > 0 ? refusalIn(this.#judge(vmi, kept)) : undefined;
    return beside?.reason === 'NoRoom' && this.#makeRoom(vmi, kept) ? undefined : beside;
  }

  /** The same, and if there is a node, a place on it is kept for the VMI from now on. */
  take(vmi: Vmi): Refusal | undefined {
    const refusal = this.refusalFor(vmi);
    if (!refusal) this.#kept = this.#with({ vmi, hasPod: false }, this.#keptSoFar());
    return refusal;
  }

  /** Taken in when somebody first asks. */
  #worldOfNow(): PlacementWorld {
    const fleet = this.#fleet;
    this.#world ??= new PlacementWorld({
      nodes: fleet.all('Node'),
      podsOn: (node) => fleet.podsOn(node),
      namespaceLabels: (namespace) => fleet.get('Namespace', namespace)?.metadata.labels,
      volumesOf: (pod) => fleet.volumesOf(pod),
    });
    return this.#world;
  }

  #keptSoFar(): readonly Kept[] {
    this.#kept ??= this.#underWay().reduce<readonly Kept[]>((kept, one) => this.#with(one, kept), []);
    return this.#kept;
  }

  /** Where none is found, none is kept. */
  #with(one: UnderWay, kept: readonly Kept[]): readonly Kept[] {
    const place = this.#placeFor(one.vmi, kept);
    return place ? [...kept, { ...one, place }] : kept;
  }

  /** Somebody for whom another place does as well goes there, if that makes room. */
  #makeRoom(vmi: Vmi, kept: readonly Kept[]): boolean {
    for (const one of kept) {
      const others = kept.filter((other) => other !== one);
      const place = this.#placeFor(vmi, others);
      const elsewhere = place && this.#placeFor(one.vmi, [...others, { vmi, hasPod: false, place }]);
      if (!elsewhere) continue;
      this.#kept = [...others, { ...one, place: elsewhere }];
      return true;
    }
    return false;
  }

  #placeFor(vmi: Vmi, kept: readonly Kept[]): Placed | undefined {
    const question = this.#ask(vmi, kept);
    const { candidate } = candidateOf(question);
    const { quota, fitsNow } = judgePlacement(question);
    const node = quota ? undefined : this.#worldOfNow().node(fitsNow[0] ?? '');
    return candidate && node && { pod: onNode(candidate.pod, node.metadata.name), node };
  }

  #judge(vmi: Vmi, kept: readonly Kept[]): Placement {
    return judgePlacement(this.#ask(vmi, kept));
  }

  #ask(vmi: Vmi, kept: readonly Kept[]): PlacementQuestion {
    const { namespace } = vmi.metadata;
    const uncounted = kept.filter((one) => !one.hasPod && one.vmi.metadata.namespace === namespace);
    return {
      pod: this.#fleet.launcherPodOf(vmi),
      vmi,
      purpose: 'migration-target',
      world: new WorldBeside(
        this.#worldOfNow(),
        kept.map(({ place }) => place),
      ),
      quotas: this.#fleet.quotasIn(namespace ?? ''),
      coming: uncounted.map(({ place }) => place.pod),
      settings: this.#settings,
      behavior: this.#behavior,
      limit: 1,
    };
  }
}

function onNode(pod: Pod, nodeName: string): Pod {
  return { ...pod, spec: { ...pod.spec, nodeName } };
}

function refusalIn({ fitsNow, fitsIfEmpty, excluded, quota, missing }: Placement): Refusal | undefined {
  if (quota) return { reason: 'QuotaExceeded', message: quota.message };
  if (fitsNow.length > 0 || missing.length > 0) return undefined;
  const why = tellExclusions(excluded);
  return fitsIfEmpty.length > 0
    ? { reason: 'NoRoom', message: `no other node has room for it now: ${why}` }
    : { reason: 'NoNodeFits', message: `no other node can take it: ${why}` };
}

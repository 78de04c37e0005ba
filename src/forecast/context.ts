import type { ExternalController } from '../decide/external/external-input.ts';
import { CordonedWorld } from '../decide/placement/cordoned.ts';
import { type NamedView, PlacementWorld } from '../decide/placement/world.ts';
import type { Behavior } from '../decide/rules.ts';
import { resolveSettings, type Settings } from '../decide/settings.ts';
import type { KubeVirtVersion } from '../decide/versions.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { TAINT } from '../kubevirt/names.ts';
import type { KubeVirt, Node, Vmi } from '../kubevirt/objects.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { Scope } from './questions.ts';

/** What every forecast needs to know, besides its own question. */
export interface ForecastOptions {
  /** When the dump was taken. Decides only whether a started migration has ended. */
  readonly now: Instant;
  /** Overrides the version of the KubeVirt CR's status. */
  readonly kubevirtVersion?: KubeVirtVersion | undefined;
  /** Whose behaviour is foretold: KubeVirt's own (`exact`, where absent) or Drover's (`intended`). */
  readonly behavior?: Behavior | undefined;
  /** Keep every stage with its trace in each verdict. */
  readonly explain?: boolean | undefined;
  /** Who acts on VMIs with strategy External. */
  readonly external?: ExternalController | undefined;
  /** Which VMs are shown and counted; all where absent. */
  readonly scope?: Scope | undefined;
}

/** A cluster as one forecast sees it: the fleet, the settings in force and the circumstances of the action. */
export interface Context {
  readonly fleet: Fleet;
  readonly kubevirt: KubeVirt | undefined;
  readonly settings: Settings;
  readonly now: Instant;
  readonly behavior: Behavior;
  readonly explain: boolean;
  readonly external: ExternalController;
  readonly scope: Scope;
  /** Nodes and the pods on them, with the nodes cordoned that the action cordons. */
  readonly world: NamedView;
  /** The same without the pods of no VM that the action takes away, sooner or later; absent: it takes none. */
  readonly emptied?: NamedView | undefined;
  /** Whether the action evicts a VMI, now or in its course; absent: none. */
  readonly evicts?: ((vmi: Vmi) => boolean) | undefined;
}

/** The context of a forecast. `kubevirt` may be a changed CR; the fleet's own where absent. */
export function contextOf(fleet: Fleet, options: ForecastOptions, kubevirt = fleet.kubevirt()): Context {
  return {
    fleet,
    kubevirt,
    settings: resolveSettings(kubevirt, options.kubevirtVersion),
    now: options.now,
    behavior: options.behavior ?? 'exact',
    explain: options.explain ?? false,
    external: options.external ?? 'unknown',
    scope: options.scope ?? {},
    world: worldOf(fleet, fleet.all('Node')),
  };
}

/** The same circumstances with these nodes cordoned on top of those that are. */
export function withCordoned(context: Context, nodes: Iterable<string>): Context {
  return { ...context, world: new CordonedWorld(context.world, nodes) };
}

/** The same circumstances with no node cordoned at all. */
export function uncordoned(context: Context): Context {
  const nodes = context.world.nodes.map(withoutCordon);
  return { ...context, world: worldOf(context.fleet, nodes) };
}

/** By its field or by its taint. */
export function isCordoned({ spec }: Node): boolean {
  return spec?.unschedulable === true || (spec?.taints ?? []).some(({ key }) => key === TAINT.unschedulable);
}

/** The node as it is once it is uncordoned. */
export function withoutCordon(node: Node): Node {
  const taints = node.spec?.taints?.filter(({ key }) => key !== TAINT.unschedulable);
  return { ...node, spec: { ...node.spec, taints, unschedulable: undefined } };
}

function worldOf(fleet: Fleet, nodes: Iterable<Node>): PlacementWorld {
  return new PlacementWorld({
    nodes,
    podsOn: (node) => fleet.podsOn(node),
    namespaceLabels: (namespace) => fleet.get('Namespace', namespace)?.metadata.labels,
    volumesOf: (pod) => fleet.volumesOf(pod),
  });
}

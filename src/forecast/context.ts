import type { Behavior } from '../decide/rules.ts';
import { resolveSettings, type Settings } from '../decide/settings.ts';
import type { KubeVirtVersion } from '../decide/versions.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { KubeVirt } from '../kubevirt/objects.ts';
import type { Instant } from '../kubevirt/time.ts';

/** What every forecast needs to know, besides its own question. */
export interface ForecastOptions {
  /** When the dump was taken. Decides only whether a started migration has ended. */
  readonly now: Instant;
  /** Overrides the version of the KubeVirt CR's status. */
  readonly kubevirtVersion?: KubeVirtVersion | undefined;
  readonly behavior?: Behavior | undefined;
  /** Keep every stage with its trace in each verdict. */
  readonly explain?: boolean | undefined;
  /** Who acts on VMIs with strategy External. */
  readonly external?: ExternalController | undefined;
}

export type ExternalController = 'unknown' | 'none' | 'capk-v0.1.10' | 'capk-backport';

/** A cluster as one forecast sees it: the fleet, the settings in force and the circumstances of the action. */
export interface Context {
  readonly fleet: Fleet;
  readonly kubevirt: KubeVirt | undefined;
  readonly settings: Settings;
  readonly now: Instant;
  readonly behavior: Behavior;
  readonly explain: boolean;
  readonly external: ExternalController;
  /** Nodes that the action cordons. */
  readonly cordoned: ReadonlySet<string>;
}

export function contextOf(fleet: Fleet, options: ForecastOptions, kubevirt = fleet.kubevirt()): Context {
  return {
    fleet,
    kubevirt,
    settings: resolveSettings(kubevirt, options.kubevirtVersion),
    now: options.now,
    behavior: options.behavior ?? 'intended',
    explain: options.explain ?? false,
    external: options.external ?? 'unknown',
    cordoned: new Set(),
  };
}

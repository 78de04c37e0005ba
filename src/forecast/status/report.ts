import type { Evidence } from '../../decide/rules.ts';
import type { Outcome } from '../forecast.ts';

/**
 * How it stands with one VM. `Stuck`: it stays as it is until something else changes. `Moving`: a migration or a restart of it is under
 * way. `Waiting`: its turn comes. `Done`: nothing is left to do for it.
 */
export const STATES = ['Stuck', 'Moving', 'Waiting', 'Done'] as const;
export type State = (typeof STATES)[number];

export interface VmStanding {
  readonly namespace: string;
  readonly name: string;
  readonly node?: string | undefined;
  readonly state: State;
  /** Stable CamelCase. */
  readonly reason: string;
  /** One sentence that a person understands. */
  readonly message: string;
  /** How it will end by the forecast, for those whose turn has not come. */
  readonly outcome?: Outcome | undefined;
  readonly evidence: readonly Evidence[];
}

/** How fast VMs have moved of late. */
export interface Pace {
  /** Migrations that it is told by. */
  readonly migrations: number;
  readonly perMinute: number;
  /** When the first of them ended, RFC 3339. */
  readonly since: string;
}

export interface RolloutStatus {
  readonly apiVersion: 'drover.dev/v1alpha1';
  readonly kind: 'RolloutStatus';
  readonly spec: {
    readonly kubevirtVersion: string;
    readonly behavior: string;
    /** Absent where the input does not name it: VMIs then count as outdated by their label. */
    readonly launcherImage?: string | undefined;
    readonly workloadUpdateMethods: readonly string[];
    /** What moment is shown, RFC 3339. */
    readonly at: string;
  };
  readonly status: {
    /** The answer in one sentence. */
    readonly summary: string;
    /** Whether the updater may act at all. */
    readonly gate: { readonly open: boolean; readonly reason: string };
    readonly counts: Readonly<Record<State, number>>;
    /** VMIs that have yet to run, which count when they do. */
    readonly notRunning: number;
    /** Of all that run, rounded down. */
    readonly percentDone: number;
    readonly pace?: Pace | undefined;
    /** Until all are done that can be, by the pace so far and the batches to come. */
    readonly secondsLeft?: number | undefined;
    readonly endsAt?: string | undefined;
    /** By namespace and name. */
    readonly vms: readonly VmStanding[];
  };
}

import type { KubeVirt, LabelSelector } from '../kubevirt/objects.ts';

/** What a user asks, as the command line, the API and the tests put it. Each plan answers one of these. */

/** Which VMs an answer shows and counts. Nothing set means all. */
export interface Scope {
  /** `namespace/name` of the only one. */
  readonly vm?: string | undefined;
  readonly namespace?: string | undefined;
  readonly selector?: LabelSelector | undefined;
}

export interface UpgradeQuestion {
  /** The image that the new virt-controller starts launchers with; absent: any other than today's. */
  readonly launcherImage?: string | undefined;
}

export const DRAIN_CLIENTS = [
  'kubectl',
  'talos-node',
  'talosctl',
  'cluster-autoscaler',
  'descheduler',
] as const;
export type DrainClient = (typeof DRAIN_CLIENTS)[number];

export interface DrainQuestion {
  /** In the order in which they are drained; at least one. */
  readonly nodes: readonly string[];
  readonly client: DrainClient;
  /** 0 or absent: without a limit of its own. */
  readonly timeoutSeconds?: number | undefined;
  readonly podSelector?: LabelSelector | undefined;
  readonly ignoreDaemonsets: boolean;
  readonly deleteEmptydirData: boolean;
  readonly force: boolean;
  /** Absent: each pod's own. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly disableEviction: boolean;
}

/** A drain with the flags that every node with VMs needs. */
export const DRAIN_DEFAULTS: Omit<DrainQuestion, 'nodes'> = {
  client: 'kubectl',
  ignoreDaemonsets: true,
  deleteEmptydirData: true,
  force: false,
  disableEviction: false,
};

export interface RoundQuestion {
  /** To be drained, booted anew and given back, in any order; empty: all nodes that are not cordoned. */
  readonly nodes: readonly string[];
}

export interface EvictQuestion {
  /** `namespace/name`; empty: those that the scope takes. */
  readonly vms: readonly string[];
}

/** One field to set: a dotted path within the spec, and the value as the user wrote it. */
export interface Setting {
  readonly path: string;
  readonly value: string;
}

/** Another configuration: single fields of the KubeVirt CR's spec, or the whole CR. */
export type ConfigQuestion = { readonly set: readonly Setting[] } | { readonly kubevirt: KubeVirt };

export interface EditQuestion {
  /** `namespace/name` */
  readonly vm: string;
  readonly set: readonly Setting[];
}

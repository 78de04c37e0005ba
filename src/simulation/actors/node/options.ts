import type { Cluster } from '../../../controllers/ports.ts';
import type { BehaviorOf } from '../../guests/behavior.ts';
import type { NetworkOptions } from '../../guests/copy-network.ts';
import type { NodeDescription } from './node-objects.ts';

/** How long the steps of nodes take. */
export interface NodeTimes {
  /** From the binding of a pod until its containers run. */
  readonly podStartSeconds: number;
  /** Until the containers of a pod without a guest have ended, if the pod grants that. */
  readonly podStopSeconds: number;
  /** From the end of a guest, or of a pod's time, until its pod is gone. */
  readonly podExitSeconds: number;
  readonly targetPrepareSeconds: number;
  /** From the target's being ready until the source begins to copy. */
  readonly copyStartSeconds: number;
  /** From there until the target sees its domain. */
  readonly domainSeenSeconds: number;
  /** Each of the two steps of a volume that is plugged in. */
  readonly volumeStepSeconds: number;
  /** The agent looks around this often, so each step comes a little later; 0: it notices everything at once. */
  readonly pollSeconds: number;
  /** Between two heartbeats of a virt-handler; 0: none. */
  readonly heartbeatSeconds: number;
}

/** As in the recorded histories; heartbeats as KubeVirt's. */
export const RECORDED_TIMES: NodeTimes = {
  podStartSeconds: 1,
  podStopSeconds: 0.5,
  podExitSeconds: 0.045,
  targetPrepareSeconds: 0.5,
  copyStartSeconds: 0.5,
  domainSeenSeconds: 0.5,
  volumeStepSeconds: 0.5,
  pollSeconds: 0.2,
  heartbeatSeconds: 60,
};

export interface NodeAgentOptions {
  readonly times?: Partial<NodeTimes> | undefined;
  /** By the recordings' annotations where absent. */
  readonly behaviorOf?: BehaviorOf | undefined;
  readonly network?: NetworkOptions | undefined;
  /** Who a node's agent writes as; the actor's own cluster where absent. It is only written to: news come by the actor's own. */
  readonly clusterFor?: ((node: string) => Cluster) | undefined;
  /** How many steps are written at once, over all nodes, to spare a real API server; any number where absent. */
  readonly stepsAtOnce?: number | undefined;
  /** Nodes to bring up, as far as they do not exist. */
  readonly nodes?: readonly NodeDescription[] | undefined;
  /** Nodes that have a real agent of their own are left alone; all are played where absent. */
  readonly plays?: ((node: string) => boolean) | undefined;
  /** virt-handler's events; the stand-in of the recorded histories recorded none. Yes where absent. */
  readonly recordsEvents?: boolean | undefined;
  /** Is told what becomes of guests, for statistics. */
  readonly tell?: ((fact: GuestFact) => void) | undefined;
}

/** What became of a guest. */
export type GuestFact =
  | {
      readonly kind: 'Moved';
      readonly vmi: string;
      readonly migrationUid: string;
      readonly downtimeSeconds: number;
    }
  | { readonly kind: 'Ended'; readonly vmi: string; readonly how: 'Itself' | 'Destroyed' | 'Killed' };

/** When a step that takes so long is noticed by an agent that looks around every so often: a beginning, then an end. */
export function lateSeconds(seconds: number, pollSeconds: number): number {
  return pollSeconds <= 0 ? seconds : (Math.ceil(seconds / pollSeconds - 1e-9) + 1) * pollSeconds;
}

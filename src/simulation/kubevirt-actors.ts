import type { Behavior } from '../decide/rules.ts';
import type { Actor, ActorContext } from './actors/actor.ts';
import { disruptionController } from './actors/cluster/disruption-controller.ts';
import { nodeController } from './actors/cluster/node-controller.ts';
import { quotaController } from './actors/cluster/quota-controller.ts';
import type { MigrationControllerOptions } from './actors/migration/desk.ts';
import { migrationController } from './actors/migration/migration-controller.ts';
import { type NodeAgents, nodeAgents } from './actors/node/node-agents.ts';
import type { NodeAgentOptions } from './actors/node/options.ts';
import { type SchedulerOptions, scheduler } from './actors/scheduler/scheduler.ts';
import { type VmControllerOptions, vmController } from './actors/vm/vm-controller.ts';
import { replicaSetController } from './actors/vmi/replica-set.ts';
import { type VmiControllerOptions, vmiController } from './actors/vmi/vmi-controller.ts';

export interface KubeVirtActorsOptions {
  readonly behavior: Behavior;
  /** What launchers are started from; may change. */
  readonly launcherImage: () => string;
  readonly nodes?: NodeAgentOptions | undefined;
  readonly scheduling?: SchedulerOptions | undefined;
  readonly migrations?: Pick<MigrationControllerOptions, 'mayStart'> | undefined;
  readonly isVmLast?: VmiControllerOptions['isVmLast'];
  readonly vms?: Pick<VmControllerOptions, 'provisioningSecondsOf'> | undefined;
}

export interface KubeVirtActors {
  readonly agents: NodeAgents;
  /** What Kubernetes has of its own. */
  readonly kubernetes: readonly Actor[];
  /** A process of virt-controller, without the workload updater and the evacuation controller. */
  virtController(): Actor[];
}

/** A cluster, in memory or real, with a world for each actor by its name. */
export interface ActorWorlds {
  contextFor(name: string): ActorContext;
}

/** All that stands in for Kubernetes' and KubeVirt's controllers and for the nodes; the eviction machinery itself is Drover's. */
export function kubevirtActors(worlds: ActorWorlds, options: KubeVirtActorsOptions): KubeVirtActors {
  const { behavior, launcherImage, isVmLast } = options;
  const context = (name: string) => worlds.contextFor(name);
  // Without heartbeats nobody may wait for them.
  const beats = options.nodes?.times?.heartbeatSeconds !== 0;
  const agents = nodeAgents(context('node-agents'), options.nodes);
  const kubernetes = [
    scheduler(context('scheduler'), options.scheduling),
    disruptionController(context('disruption-controller')),
    quotaController(context('quota-controller')),
  ];
  const virtController = (): Actor[] => [
    vmController(context('vm-controller'), { behavior, isVmLast, ...options.vms }),
    vmiController(context('vmi-controller'), { launcherImage, isVmLast }),
    replicaSetController(context('replica-set-controller')),
    migrationController(context('migration-controller'), { behavior, launcherImage, ...options.migrations }),
    ...(beats ? [nodeController(context('node-controller'))] : []),
  ];
  return { agents, kubernetes, virtController };
}

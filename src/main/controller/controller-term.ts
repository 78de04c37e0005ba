import type { ControllerName, ControllerRequest } from '../../cli/services.ts';
import { batchMemoryIn, type TextStore } from '../../controllers/batch-memory.ts';
import { EvacuationController } from '../../controllers/evacuation-controller.ts';
import { DeedsInHand } from '../../controllers/in-hand.ts';
import type { JournalSink } from '../../controllers/journal.ts';
import type { Cluster, Log, Metrics } from '../../controllers/ports.ts';
import type { StrategySource } from '../../controllers/strategy.ts';
import { WorkloadUpdateController } from '../../controllers/workload-update-controller.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { deployedLauncherImage } from '../../forecast/launcher-image.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import { KUBEVIRT_ACCOUNT, userOf } from '../../kubevirt/requester.ts';
import type { Term } from './terms.ts';

export interface TermOptions {
  readonly request: ControllerRequest;
  readonly cluster: Cluster;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly journal?: JournalSink | undefined;
  readonly strategy: () => StrategySource;
  readonly store: TextStore;
  /** Who the API server takes this process for. */
  readonly account: string | undefined;
}

export interface ControllerTerm extends Term {
  /** The strategy may be another one. */
  wake(): void;
}

/** New controllers for a new term: what those before remembered may have been overtaken. */
export function startTerm(options: TermOptions): ControllerTerm {
  const { request, cluster, log, metrics, journal } = options;
  const common = {
    ...{ cluster, log, metrics, journal, clock: wallClock, behavior: request.behavior },
    inHand: new DeedsInHand(wallClock),
    sendsPriority: isKubeVirtItself(options),
  };
  const start: Readonly<Record<ControllerName, () => WorkloadUpdateController | EvacuationController>> = {
    'workload-update': () => new WorkloadUpdateController({ ...common, ...updaterOptions(options) }),
    evacuation: () => new EvacuationController(common),
  };
  const controllers = request.controllers.map((name) => start[name]());
  for (const controller of controllers) controller.start();
  return {
    wake: () => {
      for (const controller of controllers)
        if (controller instanceof WorkloadUpdateController) controller.wake();
    },
    stop: async () => void (await Promise.all(controllers.map((controller) => controller.stop()))),
  };
}

function updaterOptions({ request, cluster, strategy, store }: TermOptions) {
  return {
    random: systemRandom,
    strategy,
    launcherImage: () => request.launcherImage ?? deployedLauncherImage(cluster.fleet),
    isBuiltInRunning: () => isVirtControllerRunning(cluster.fleet),
    memory: batchMemoryIn(store, () => wallClock.now()),
  };
}

/** Of the Deployment of that name, which KubeVirt has one of. */
export function isVirtControllerRunning(fleet: Fleet): boolean {
  return [...fleet.all('Deployment')].some(
    ({ metadata, status }) => metadata.name === 'virt-controller' && (status?.readyReplicas ?? 0) > 0,
  );
}

/** The admission takes priorities from this account alone. */
function isKubeVirtItself({ account, cluster }: TermOptions): boolean {
  const namespace = cluster.fleet.kubevirt()?.metadata.namespace;
  return namespace !== undefined && account === userOf(KUBEVIRT_ACCOUNT.controller, namespace);
}

import { hasHandler, nodesWithoutReadyHandler } from '../../../decide/operator/handlers.ts';
import {
  deploymentIdOf,
  handlersAtOnce,
  type Release,
  updated,
  updating,
  withLauncherImage,
} from '../../../decide/operator/update.ts';
import type { KubeVirt } from '../../../kubevirt/objects.ts';
import { byKey, compareText } from '../../../kubevirt/order.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { firstOf } from '../../../kubevirt/words.ts';
import type { ActorContext } from '../actor.ts';
import { Course, type Running } from '../course.ts';

/** How long each step of a roll-out takes. */
export interface RollOutTimes {
  /** From the target in the status to the first change of a component. */
  readonly beginSeconds: number;
  /** A virt-handler is down for so long while its pod is replaced. */
  readonly handlerSeconds: number;
  /** Until the new virt-controller is ready and leads. */
  readonly controllerSeconds: number;
  /** Until the new virt-api is ready, and the operator has seen it. */
  readonly apiSeconds: number;
}

export const ROLL_OUT_TIMES: RollOutTimes = {
  beginSeconds: 1,
  handlerSeconds: 10,
  controllerSeconds: 15,
  apiSeconds: 15,
};

export interface OperatorOptions {
  readonly times?: Partial<RollOutTimes> | undefined;
  /** virt-handler of a node goes down, and comes back. */
  readonly pauseHandler: (node: string) => void;
  readonly resumeHandler: (node: string) => void;
  /** The new virt-controller takes over, and starts launchers with this image from now on. */
  readonly restartController: (launcherImage: string) => Promise<void> | void;
}

/** `observed`: every component is of the new release. `superseded`: another target came, or it was called off. */
export interface RollOutResult {
  readonly end: 'observed' | 'superseded';
  readonly release: Release;
}

export interface VirtOperator {
  /** Begins to roll out a version; one that is under way ends where it is. `tell` hears what it waits for. */
  startUpgrade(
    version: string,
    launcherImage: string,
    tell?: (waits: string) => void,
  ): Running<RollOutResult>;
}

/**
 * virt-operator as it rolls out another version: the target id; the virt-handlers, one node first and then a tenth at a time;
 * virt-controller with the new launcher image; virt-api; the observed id. It waits for nodes that are not Ready.
 */
export function virtOperator(context: ActorContext, options: OperatorOptions): VirtOperator {
  let underWay: Running<RollOutResult> | undefined;
  return {
    startUpgrade(version, launcherImage, tell = () => {}) {
      underWay?.cancel();
      const deploymentId = deploymentIdOf(version, launcherImage);
      const rollOut = new RollOut(context, options, { version, launcherImage, deploymentId }, tell);
      underWay = { done: rollOut.run(), cancel: () => rollOut.cancel() };
      return underWay;
    },
  };
}

class RollOut {
  readonly #context: ActorContext;
  readonly #options: OperatorOptions;
  readonly #release: Release;
  readonly #tell: (waits: string) => void;
  readonly #times: RollOutTimes;
  readonly #course: Course;

  constructor(
    context: ActorContext,
    options: OperatorOptions,
    release: Release,
    tell: (waits: string) => void,
  ) {
    this.#context = context;
    this.#options = options;
    this.#release = release;
    this.#tell = tell;
    this.#times = { ...ROLL_OUT_TIMES, ...options.times };
    this.#course = new Course(context.cluster, context.clock);
  }

  cancel(): void {
    this.#course.cancel();
  }

  async run(): Promise<RollOutResult> {
    const { beginSeconds, controllerSeconds, apiSeconds } = this.#times;
    await this.#write((kubevirt) => updating(kubevirt, this.#release));
    await this.#course.pause(beginSeconds);
    await this.#rollHandlers();
    await this.#course.pause(controllerSeconds);
    if (!this.#course.isCancelled) await this.#replaceController();
    await this.#course.pause(apiSeconds);
    const isDone = !this.#course.isCancelled;
    if (isDone) await this.#write((kubevirt) => updated(kubevirt, this.#release));
    this.#course.close();
    return { end: isDone ? 'observed' : 'superseded', release: this.#release };
  }

  /** As many at a time as may be; the next one begins when one is ready, and none while one is down anyway. */
  async #rollHandlers(): Promise<void> {
    await this.#untilHandlersReady();
    const nodes = [...this.#context.cluster.fleet.all('Node')]
      .filter(hasHandler)
      .map(keyOf)
      .sort(compareText);
    const [first, ...others] = nodes;
    if (first !== undefined) await this.#rollHandler(first);
    const width = handlersAtOnce(nodes.length, 1);
    const roll = async (): Promise<void> => {
      for (let node = others.shift(); node !== undefined; node = others.shift())
        await this.#rollHandler(node);
    };
    await Promise.all(Array.from({ length: width }, roll));
    await this.#untilHandlersReady();
  }

  #untilHandlersReady(): Promise<void> {
    const { fleet } = this.#context.cluster;
    return this.#course.untilNodes(() => {
      const nodes = nodesWithoutReadyHandler(fleet.all('Node')).map(keyOf).sort(compareText);
      if (nodes.length > 0) this.#tell(`waits for virt-handler, which is not ready on ${firstOf(nodes)}`);
      return nodes.length === 0;
    });
  }

  async #rollHandler(node: string): Promise<void> {
    if (this.#course.isCancelled) return;
    this.#options.pauseHandler(node);
    await this.#course.pause(this.#times.handlerSeconds);
    this.#options.resumeHandler(node);
  }

  async #replaceController(): Promise<void> {
    const { cluster } = this.#context;
    const { launcherImage } = this.#release;
    for (const deployment of [...cluster.fleet.all('Deployment')].sort(byKey)) {
      if (!withLauncherImage(deployment, launcherImage)) continue;
      await cluster.modify('Deployment', keyOf(deployment), (held) => withLauncherImage(held, launcherImage));
    }
    await this.#options.restartController(launcherImage);
  }

  async #write(change: (kubevirt: KubeVirt) => KubeVirt | undefined): Promise<void> {
    const { cluster, log } = this.#context;
    const kubevirt = cluster.fleet.kubevirt();
    if (!kubevirt) return;
    const result = await cluster.modify('KubeVirt', keyOf(kubevirt), change, { subresource: 'status' });
    if (!result.ok) log.write('warn', 'the status of KubeVirt was not written', { problem: result.message });
  }
}

import type { Log, Metrics } from '../controllers/ports.ts';
import { silent } from '../controllers/silent.ts';
import { type Behavior, type Decision, decide } from '../decide/rules.ts';
import { resolveSettings } from '../decide/settings.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Outcome } from '../forecast/forecast.ts';
import { compareText } from '../kubevirt/order.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { NodeAgents } from '../simulation/actors/node/node-agents.ts';
import type { NodeAgentOptions } from '../simulation/actors/node/options.ts';
import { simulatedDrover } from '../simulation/drover.ts';
import { behaviorByAnnotations } from '../simulation/guests/lab-annotations.ts';
import { type KubeVirtActors, kubevirtActors } from '../simulation/kubevirt-actors.ts';
import type { RecordedEvent } from '../simulation/memory-cluster.ts';
import { SimulatedCluster } from '../simulation/simulated-cluster.ts';
import { behaviorBySnapshot, endsCountedFrom } from './beginning/snapshot-behavior.ts';
import { ControllerProcess } from './controller-process.ts';
import { endingTable } from './ending.ts';
import { Observer } from './observer.ts';
import { Quiet } from './quiet.ts';
import type { Story } from './story.ts';

export interface RehearsalOptions {
  /** What there is at the beginning, read through the schemas. */
  readonly objects: Iterable<object>;
  readonly startAt: Instant;
  readonly seed: number;
  readonly behavior: Behavior;
  /** What launchers are started from at the beginning. */
  readonly launcherImage: string;
  readonly nodes?: NodeAgentOptions | undefined;
  readonly onEvent?: ((event: RecordedEvent, at: Instant) => void) | undefined;
  readonly log?: Log | undefined;
  readonly metrics?: Metrics | undefined;
}

/** What became of one VM. */
export interface VmEnding extends Decision<Outcome> {
  readonly story: Story;
}

/** When nothing has happened to any VM for so long, nobody waits for anything any more; the longest time-outs are five minutes. */
export const QUIET_SECONDS = 400;
/** How often it is asked whether all is quiet. */
const LOOK_SECONDS = 5;

/**
 * A cluster with KubeVirt and Drover in virtual time, and somebody who takes down what happens to every VM. Start it, do
 * things to `simulated.cluster`, let time pass, and ask for the endings.
 *
 * Promise: the same options and the same deeds at the same times give the same course.
 */
export class Rehearsal {
  readonly simulated: SimulatedCluster;
  readonly observer: Observer;
  /** virt-controller, with Drover in the place of its updater and its evacuation controller. */
  readonly controller: ControllerProcess;
  readonly #actors: KubeVirtActors;
  readonly #quiet: Quiet;
  readonly #options: RehearsalOptions;

  constructor(options: RehearsalOptions) {
    const { objects, startAt, seed, behavior, onEvent = () => {} } = options;
    const { log = silent.log, metrics = silent.metrics } = options;
    const launcherImage = () => this.controller.launcherImage;
    this.#options = options;
    this.simulated = new SimulatedCluster({
      ...{ objects, startAt, seed, behavior, log, metrics },
      onEvent: (event) => onEvent(event, this.simulated.clock.now()),
      onEviction: (call, result) => this.observer.evicted(call, result),
    });
    this.observer = new Observer(this.simulated.cluster, this.simulated.clock);
    const behaviorOf = endsCountedFrom(
      startAt,
      behaviorBySnapshot(
        this.simulated.cluster.fleet.all('VirtualMachineInstance'),
        options.nodes?.behaviorOf ?? behaviorByAnnotations,
      ),
    );
    this.#actors = kubevirtActors(this.simulated, {
      ...{ behavior, launcherImage },
      nodes: {
        ...options.nodes,
        behaviorOf,
        times: { pollSeconds: 0, heartbeatSeconds: 0, ...options.nodes?.times },
      },
    });
    this.controller = new ControllerProcess({
      ...{ clock: this.simulated.clock, launcherImage: options.launcherImage },
      controllers: () => [
        ...this.#actors.virtController(),
        simulatedDrover(this.simulated.contextFor('drover'), { behavior, launcherImage }),
      ],
    });
    const { observer, controller } = this;
    const { fleet } = this.simulated.cluster;
    this.#quiet = new Quiet({ observer, controller, behavior, fleet, behaviorOf });
  }

  get agents(): NodeAgents {
    return this.#actors.agents;
  }

  start(): void {
    this.simulated.start(...this.#actors.kubernetes, this.agents);
    this.controller.start();
  }

  /**
   * Lets time pass until nothing happens any more, and for so many seconds at most. Gives the second at which something last
   * happened, and whether it is quiet now. `quietSeconds`: how long nothing may have happened before it is over, where nothing is under way either; `isOver`: whether it is over besides.
   */
  async untilQuiet(
    limitSeconds: number,
    quietSeconds = QUIET_SECONDS,
    isOver: (rehearsal: Rehearsal) => boolean = () => false,
  ): Promise<{ readonly seconds: number; readonly isQuiet: boolean }> {
    const { clock } = this.simulated;
    const end = clock.now() + limitSeconds * 1000;
    let isQuiet = this.#isQuiet(quietSeconds);
    while (clock.now() < end && !isQuiet && !isOver(this)) {
      await clock.advance(Math.min(LOOK_SECONDS, (end - clock.now()) / 1000));
      isQuiet = this.#isQuiet(quietSeconds);
    }
    return { seconds: (this.observer.lastAt - this.#options.startAt) / 1000, isQuiet };
  }

  /** Whether nothing has happened to any VM for so long, and nothing is under way. */
  #isQuiet(seconds: number): boolean {
    return this.#quiet.isQuiet(seconds, this.simulated.clock.now());
  }

  /** What has become of every VM so far, by key. */
  endings(): ReadonlyMap<string, VmEnding> {
    return endingsOf(this.observer, this.simulated.cluster.fleet);
  }

  async stop(): Promise<void> {
    await this.controller.stop();
    await this.simulated.stop();
  }
}

/** What has become of every VM that somebody has taken down so far, by key. */
export function endingsOf({ stories }: Observer, fleet: Fleet): ReadonlyMap<string, VmEnding> {
  const settings = resolveSettings(fleet.kubevirt());
  const inOrder = [...stories.values()].sort((a, b) => compareText(a.vm, b.vm));
  return new Map(
    inOrder.map((story) => {
      const vmi = fleet.get('VirtualMachineInstance', story.vm);
      return [story.vm, { story, ...decide(endingTable, { story, vmi, settings }) }];
    }),
  );
}

import {
  type EvacuationEvent,
  type EvacuationEventInput,
  evacuationInformerTable,
} from '../decide/evacuation/informer-events.ts';
import { vmiRef } from '../decide/evidence.ts';
import { resultOf } from '../decide/rules.ts';
import { vmiKeyOf } from '../decide/workload-update/survey.ts';
import { changesPlacement, freesRoom, type WakeUp } from '../decide/workload-update/wake-ups.ts';
import { isSameJson } from '../kubevirt/json.ts';
import type { KubeVirt, Vmi } from '../kubevirt/objects.ts';
import { isLauncherPod, isMarked } from '../kubevirt/predicates.ts';
import { Controller, type ReconcileResult, type Reconciler } from './controller.ts';
import { Evacuator } from './evacuation/evacuator.ts';
import { NodePictures } from './evacuation/node-picture.ts';
import type { EvacuationOptions } from './evacuation/options.ts';
import { Holds } from './holds.ts';
import { Journal } from './journal.ts';
import type { Change } from './ports.ts';
import { defaultRateLimiter } from './rate-limit.ts';
import { LOOK_FOR_ROOM_SECONDS, PLACEMENT_REASONS, ROOM_REASONS, ROOM_SECONDS } from './target-finder.ts';
import { WorkQueue } from './work-queue.ts';

export type { EvacuationOptions } from './evacuation/options.ts';

const NAME = 'evacuation';

/** The evacuation controller, from events to passes over nodes. */
export class EvacuationController {
  readonly #options: EvacuationOptions;
  readonly #queue: WorkQueue;
  readonly #holds: Holds;
  readonly #journal: Journal;
  readonly #pictures: NodePictures;
  readonly #evacuator: Evacuator;
  readonly #controller: Controller;
  /** Nodes that asked to be looked at again: somebody on them waits. */
  readonly #waiting = new Set<string>();
  readonly #leave: (() => void)[] = [];

  constructor(options: EvacuationOptions) {
    const { clock, cluster, log, metrics } = options;
    this.#options = options;
    this.#queue = new WorkQueue(clock, defaultRateLimiter());
    this.#holds = new Holds(clock);
    this.#journal = new Journal(NAME, clock, options.journal);
    this.#pictures = new NodePictures(options);
    this.#evacuator = new Evacuator(options, this.#pictures, this.#holds, this.#journal);
    const reconciler: Reconciler = { reconcile: (node) => this.#reconcile(node) };
    this.#controller = new Controller({
      name: NAME,
      reconciler,
      queue: this.#queue,
      cluster,
      clock,
      log,
      metrics,
    });
  }

  /** Follows the cluster, and looks at every node that is there already. */
  start(): void {
    const { behavior, cluster, inHand } = this.#options;
    this.#leave.push(cluster.subscribe((change) => this.#take(change)));
    if (behavior === 'intended') this.#leave.push(inHand.onShortened((vmi) => this.#takeShortened(vmi)));
    for (const node of cluster.fleet.all('Node')) this.#queue.add(node.metadata.name);
    this.#controller.start();
  }

  /** Resolves when the pass in flight has ended. */
  async stop(): Promise<void> {
    for (const leave of this.#leave) leave();
    await this.#controller.stop();
  }

  async #reconcile(node: string): Promise<ReconcileResult> {
    const result = await this.#evacuator.reconcile(node);
    if (result.requeueAfterSeconds === undefined) this.#waiting.delete(node);
    else this.#waiting.add(node);
    return result;
  }

  #take(change: Change): void {
    this.#options.inHand.observe(change);
    this.#takeEvent(change);
    if (this.#options.behavior === 'intended') this.#takeWakeUp(change);
    if (change.kind === 'VirtualMachineInstance') this.#takeEnd(change as Change<'VirtualMachineInstance'>);
  }

  /** Of who is gone, or has lost the mark, nothing is said any more. */
  #takeEnd({ before, after }: Change<'VirtualMachineInstance'>): void {
    if (!before) return;
    if (!after) this.#forget(before);
    else if (isMarked(before) && !isMarked(after)) this.#letStay(after);
  }

  #takeEvent(change: Change): void {
    const input = this.#inputOf(change);
    if (!input) return;
    const { enqueue, observedFor } = resultOf(evacuationInformerTable, input);
    if (observedFor !== undefined) this.#evacuator.creationObserved(observedFor);
    if (enqueue && this.#evacuator.isConcerned(enqueue)) this.#queue.add(enqueue);
  }

  #takeWakeUp(change: Change): void {
    if (changesSettings(change)) this.#lookAtAll();
    this.#takePlacement(change as WakeUp);
  }

  #takePlacement(change: WakeUp): void {
    if (changesPlacement(change) && this.#holds.lift(PLACEMENT_REASONS)) this.#lookAtWaiting(0);
    if (freesRoom(change) && this.#holds.shorten(ROOM_REASONS, ROOM_SECONDS))
      this.#lookAtWaiting(LOOK_FOR_ROOM_SECONDS);
  }

  #lookAtWaiting(afterSeconds: number): void {
    for (const node of this.#waiting) this.#queue.addAfter(node, afterSeconds);
  }

  /** What somebody waited for may never come. */
  #takeShortened({ status }: Vmi): void {
    const node = status?.nodeName ?? '';
    if (this.#waiting.has(node)) this.#queue.add(node);
  }

  #lookAtAll(): void {
    for (const { metadata } of this.#options.cluster.fleet.all('Node'))
      if (this.#evacuator.isConcerned(metadata.name)) this.#queue.add(metadata.name);
  }

  /** Undefined for kinds that the controller does not watch. */
  #inputOf(change: Change): EvacuationEventInput | undefined {
    const event = eventOf(change);
    if (!event) return undefined;
    const { fleet } = this.#options.cluster;
    const vmi = this.#vmiOf(event);
    const node = fleet.get('Node', vmi?.status?.nodeName ?? '');
    return { event, vmi, node, settings: this.#pictures.settings(), behavior: this.#options.behavior };
  }

  #vmiOf(event: EvacuationEvent): Vmi | undefined {
    const { fleet } = this.#options.cluster;
    switch (event.kind) {
      case 'VirtualMachineInstanceMigration': {
        const migration = event.after ?? event.before;
        return migration && fleet.get('VirtualMachineInstance', vmiKeyOf(migration));
      }
      case 'Pod': {
        const pod = event.after ?? event.before;
        return pod && isLauncherPod(pod) ? fleet.vmiOfLauncher(pod) : undefined;
      }
      case 'VirtualMachineInstance':
        return event.after ?? event.before;
      default:
        return undefined;
    }
  }

  #forget(vmi: Vmi): void {
    this.#holds.forget(vmi);
    this.#letStay(vmi);
  }

  #letStay(vmi: Vmi): void {
    this.#evacuator.forget(vmi);
    this.#journal.forget(vmiRef(vmi), 'evacuate');
  }
}

const WATCHED: ReadonlySet<string> = new Set([
  'Node',
  'Pod',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
]);

/** Another strategy of the cluster, taint key or cap; the CR's status has nothing that a decision needs at once. */
function changesSettings({ kind, before, after }: Change): boolean {
  if (kind !== 'KubeVirt') return false;
  return !isSameJson((before as KubeVirt | undefined)?.spec, (after as KubeVirt | undefined)?.spec);
}

function eventOf({ kind, before, after }: Change): EvacuationEvent | undefined {
  return WATCHED.has(kind) ? ({ kind, before, after } as EvacuationEvent) : undefined;
}

import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import { currentPod } from '../../../decide/current-pod.ts';
import type { EventDraft } from '../../../decide/events.ts';
import { networkChange } from '../../../decide/vmi/network-change.ts';
import { isUnprocessed } from '../../../decide/vmi/phase.ts';
import { isLauncherReady } from '../../../decide/vmi/pod-state.ts';
import { volumeStatusOf } from '../../../decide/vmi/volume-status.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import { CONDITION, FINALIZER } from '../../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { controllerOf, findCondition, isFinal, isPodFinished, keyOf } from '../../../kubevirt/predicates.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { VIRT_CONTROLLER } from './component.ts';
import { isMoveNews, isSameCourse } from './copy-news.ts';
import { isShownNews, syncedLauncher } from './launcher-writes.ts';
import { type SyncFailure, VmiPods } from './pods.ts';
import { vmiKeyOfPod } from './vmi-keys.ts';
import { isHandedOver, type VmiNews } from './vmi-news.ts';
import { syncedVmi } from './vmi-status.ts';

export interface VmiControllerOptions {
  /** What launchers are made from now; asked again at every pass, and VMIs are looked at again when KubeVirt or a Deployment changes. */
  readonly launcherImage: () => string;
  /** Whether the VM controller lets go of a VMI that has ended behind this one; before it where absent. */
  readonly isVmLast?: ((vmi: Vmi) => boolean) | undefined;
}

const VMI = 'VirtualMachineInstance';
/** How soon a network change that waits is looked at again. */
const PATIENCE_SECONDS = 10;

/** virt-controller's part in VMIs: their pods, phases until virt-handler has them, and conditions. vm-lifecycle §2, §3 of the spec. */
export function vmiController(context: ActorContext, options: VmiControllerOptions): Actor {
  const controller = new VmiController(context, options);
  return keyedActor({
    name: 'vmi-controller',
    context,
    keysOf: (change) => controller.keysOf(change),
    allKeys: (fleet) => [...fleet.all(VMI)].map(keyOf).sort(),
    reconcile: (key) => controller.reconcile(key),
  });
}

class VmiController {
  readonly #context: ActorContext;
  readonly #launcherImage: () => string;
  readonly #isVmLast: (vmi: Vmi) => boolean;
  readonly #pods: VmiPods;
  /** The pods that were last noted on a VMI, by its UID: the fleet leaves them out. */
  readonly #noted = new Map<string, NonNullable<Vmi['status']>['activePods']>();
  #imageSeen: string;

  constructor(context: ActorContext, { launcherImage, isVmLast = () => false }: VmiControllerOptions) {
    this.#context = context;
    this.#launcherImage = launcherImage;
    this.#isVmLast = isVmLast;
    this.#pods = new VmiPods(context, launcherImage);
    this.#imageSeen = launcherImage();
  }

  keysOf(change: Change): readonly string[] {
    const { kind, key, before, after } = change;
    if (!after && before && (kind === VMI || kind === 'Pod')) this.#forget(before as Vmi | Pod);
    if (kind === VMI) return before && after && isNoNews(before as Vmi, after as Vmi) ? [] : [key];
    if (kind === 'Pod') return this.#keysForPod(before as Pod | undefined, after as Pod | undefined);
    if (kind === 'VirtualMachine') return after ? [] : [key];
    return kind === 'KubeVirt' || kind === 'Deployment' ? this.#keysForImage() : [];
  }

  #keysForPod(before: Pod | undefined, after: Pod | undefined): readonly string[] {
    const pod = after ?? before;
    const keys = pod ? vmiKeyOfPod(pod, this.#fleet) : [];
    return before && after && isShownNews(before, after)
      ? keys.filter((key) => !this.#isShown(after, key))
      : keys;
  }

  #isShown(pod: Pod, vmiKey: string): boolean {
    const vmi = this.#fleet.get(VMI, vmiKey);
    return vmi !== undefined && syncedLauncher(pod, vmi) === pod;
  }

  /** All VMIs where launchers are made from another image than before. */
  #keysForImage(): readonly string[] {
    if (this.#launcherImage() === this.#imageSeen) return [];
    this.#imageSeen = this.#launcherImage();
    return [...this.#fleet.all(VMI)].map(keyOf).sort();
  }

  async reconcile(key: string): Promise<ReconcileResult> {
    const vmi = this.#fleet.get(VMI, key);
    if (!vmi || this.#pods.isAwaited(vmi)) return {};
    const pod = currentPod(vmi, this.#fleet.podsOf(vmi));
    if (this.#isVmFirst(vmi, pod)) return {};
    if (!pod && mayStart(vmi)) {
      const failure = await this.#pods.createLauncher(vmi);
      return failure ? this.#update(vmi, undefined, failure) : {};
    }
    const failure = await this.#sync(vmi, pod);
    return this.#update(vmi, pod, failure);
  }

  /**
   * A VMI that has ended has two finalizers, and nothing more is written about one that goes once both controllers have let go of it.
   * Which of them is the last is a matter of milliseconds in KubeVirt; here it is this one, unless it is told otherwise.
   */
  #isVmFirst(vmi: Vmi, pod: Pod | undefined): boolean {
    const isHeld = vmi.metadata.finalizers?.includes(FINALIZER.vmController) ?? false;
    return isFinal(vmi) && !pod && isHeld && this.#hasOwner(vmi) && !this.#isVmLast(vmi);
  }

  #hasOwner(vmi: Vmi): boolean {
    const owner = this.#fleet.vmOf(vmi);
    return owner !== undefined && owner.metadata.uid === controllerOf(vmi.metadata)?.uid;
  }

  get #fleet(): Fleet {
    return this.#context.cluster.fleet;
  }

  #forget(object: Vmi | Pod): void {
    this.#noted.delete(object.metadata.uid ?? '');
    this.#pods.forget(object);
  }

  /** What is done to the pods. */
  async #sync(vmi: Vmi, pod: Pod | undefined): Promise<SyncFailure | undefined> {
    if (vmi.metadata.deletionTimestamp !== undefined) return this.#pods.deleteAll(vmi);
    const launchers = this.#fleet.podsOf(vmi);
    if (isFinal(vmi)) {
      await this.#pods.deleteAttachments(vmi, launchers);
      return undefined;
    }
    if (launchers.length > 1) await this.#pods.deleteAttachments(vmi, launchers.filter(isPodFinished));
    if (!pod) return undefined;
    if (syncedLauncher(pod, vmi) !== pod) await this.#showOn(pod, vmi);
    return isLauncherReady(pod) ? this.#pods.changeAttachments(vmi, pod) : undefined;
  }

  async #showOn(pod: Pod, vmi: Vmi): Promise<void> {
    await this.#context.cluster.modify('Pod', keyOf(pod), (held) => syncedLauncher(held, vmi));
  }

  async #update(vmi: Vmi, pod: Pod | undefined, failure: SyncFailure | undefined): Promise<ReconcileResult> {
    const news = this.#newsOf(vmi, pod, failure);
    const isPatient = findCondition(vmi.status?.conditions, CONDITION.migrationRequired)?.status === 'False';
    const result = {
      ...(failure && { error: failure.message }),
      ...(isPatient && { requeueAfterSeconds: PATIENCE_SECONDS }),
    };
    if (!isPatient && this.#isSynced(vmi, news)) return result;
    const events: EventDraft[] = [];
    const written = await this.#context.cluster.modify(VMI, keyOf(vmi), (held) => {
      events.length = 0;
      if (held.metadata.uid !== vmi.metadata.uid) return undefined;
      const next = syncedVmi(held, news);
      this.#noted.set(held.metadata.uid ?? '', next.status?.activePods);
      if (next !== held && isHandedOver(next.status?.phase))
        events.push(...volumeStatusOf(extended(news, { vmi: held })).events);
      return next;
    });
    if (!written.ok) return isNotFound(written) ? {} : { ...result, error: written.message };
    for (const event of events) this.#context.cluster.recordEvent(event, VIRT_CONTROLLER);
    return result;
  }

  /** Nothing to write, as far as the fleet and memory tell. */
  #isSynced(vmi: Vmi, news: VmiNews): boolean {
    const { uid = '' } = vmi.metadata;
    if (!this.#noted.has(uid)) return false;
    const seen = extended(vmi, { status: extended(vmi.status ?? {}, { activePods: this.#noted.get(uid) }) });
    return syncedVmi(seen, news) === seen;
  }

  #newsOf(vmi: Vmi, pod: Pod | undefined, failure: SyncFailure | undefined): VmiNews {
    return {
      now: this.#context.clock.now(),
      pod,
      pods: this.#fleet.podsOf(vmi),
      attachments: pod ? this.#fleet.hotplugPodsOf(pod) : [],
      launcherImage: this.#launcherImage(),
      failure,
      hasOwner: this.#hasOwner(vmi),
      claim: (name) => this.#fleet.get('PersistentVolumeClaim', `${vmi.metadata.namespace}/${name}`),
    };
  }
}

/** A move matters only to a VMI whose networks wait for one. */
function isNoNews(before: Vmi, after: Vmi): boolean {
  const { conditions, migrationState } = after.status ?? {};
  if (!isMoveNews(before, after)) return false;
  if (isSameCourse(before.status?.migrationState, migrationState)) return true;
  return networkChange(after) === 'None' && !findCondition(conditions, CONDITION.migrationRequired);
}

/** Somebody waits for its pod. */
function mayStart(vmi: Vmi): boolean {
  return isUnprocessed(vmi) && vmi.metadata.deletionTimestamp === undefined;
}

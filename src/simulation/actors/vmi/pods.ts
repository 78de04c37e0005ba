/** What virt-controller does with the pods of a VMI: makes them, deletes them, and says so. */
import type { ApiResult } from '../../../decide/api-result.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import { eventOnVmi } from '../../../decide/events.ts';
import { areExpectationsMet } from '../../../decide/expectations.ts';
import { attachmentPod } from '../../../decide/launcher/attachment-pod.ts';
import { launcherPod } from '../../../decide/launcher/launcher-pod.ts';
import { attachmentChange } from '../../../decide/vmi/attachments.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { byName } from '../../../kubevirt/order.ts';
import { controllerOf, isPodFinished, keyOf } from '../../../kubevirt/predicates.ts';
import type { Instant } from '../../../kubevirt/time.ts';
import type { ActorContext } from '../actor.ts';
import { readWhole } from '../read-whole.ts';
import { VIRT_CONTROLLER } from './component.ts';

/** Why something could not be done, as the VMI's condition Synchronized tells it. */
export interface SyncFailure {
  readonly reason: string;
  readonly message: string;
}

const VMI = 'VirtualMachineInstance';

/** The pods of VMIs, as one controller makes and deletes them. */
export class VmiPods {
  readonly #context: ActorContext;
  readonly #launcherImage: () => string;
  /** Pods that were made and are not seen yet, by the UID of what they are for. */
  readonly #made = new Map<string, { readonly name: string; readonly at: Instant }>();
  /** UIDs of pods that were deleted and are still seen as they were. */
  readonly #deleted = new Set<string>();

  constructor(context: ActorContext, launcherImage: () => string) {
    this.#context = context;
    this.#launcherImage = launcherImage;
  }

  /** A pod has been made for the object and is not seen yet; not for ever, since it may be gone already. */
  isAwaited({ metadata }: Vmi | Pod): boolean {
    const made = this.#made.get(metadata.uid ?? '');
    if (!made || this.#context.cluster.fleet.get('Pod', `${metadata.namespace}/${made.name}`)) return false;
    return !areExpectationsMet({ pending: 1, setAt: made.at }, this.#context.clock.now());
  }

  /** The object, which is gone, is not remembered any more, nor what was made for it. */
  forget({ metadata }: Vmi | Pod): void {
    const { uid = '', name } = metadata;
    this.#made.delete(uid);
    this.#deleted.delete(uid);
    const owner = controllerOf(metadata)?.uid ?? '';
    if (this.#made.get(owner)?.name === name) this.#made.delete(owner);
  }

  async createLauncher(vmi: Vmi): Promise<SyncFailure | undefined> {
    const { fleet } = this.#context.cluster;
    if (fleet.unfinishedMigrationsOf(vmi).length > 0) {
      return { reason: 'FailedCreate', message: 'active migration exists' };
    }
    const whole = await readWhole(this.#context.cluster, VMI, keyOf(vmi));
    if (whole?.metadata.uid !== vmi.metadata.uid || whole === undefined) return undefined;
    const configuration = fleet.kubevirt()?.spec?.configuration;
    const result = await this.#create(
      vmi,
      launcherPod({ vmi: whole, image: this.#launcherImage(), configuration }),
    );
    if (result.ok) {
      this.#tell(vmi, 'SuccessfulCreate', `Created virtual machine pod ${result.name}`);
      return undefined;
    }
    this.#tell(vmi, 'FailedCreate', `Error creating pod: ${result.message}`, 'Warning');
    return { reason: 'FailedCreate', message: `failed to create virtual machine pod: ${result.message}` };
  }

  /** All that the VMI controls, but for those that are on their way out. */
  async deleteAll(vmi: Vmi): Promise<SyncFailure | undefined> {
    for (const pod of sorted(this.#context.cluster.fleet.podsOf(vmi))) {
      const isLeaving = pod.metadata.deletionTimestamp !== undefined && !isPodFinished(pod);
      if (isLeaving || this.#deleted.has(pod.metadata.uid ?? '')) continue;
      if (!(await this.#delete(pod))) {
        this.#tell(
          vmi,
          'FailedDelete',
          `Failed to delete virtual machine pod ${pod.metadata.name}`,
          'Warning',
        );
        return { reason: 'FailedDelete', message: `failed to delete pod: ${pod.metadata.name}` };
      }
      this.#tell(vmi, 'SuccessfulDelete', `Deleted virtual machine pod ${pod.metadata.name}`);
    }
    return undefined;
  }

  /** The attachment pods of launchers. */
  async deleteAttachments(vmi: Vmi, launchers: readonly Pod[]): Promise<void> {
    const { fleet } = this.#context.cluster;
    for (const pod of launchers.flatMap((launcher) => sorted(fleet.hotplugPodsOf(launcher)))) {
      await this.#deleteAttachment(vmi, pod);
    }
  }

  /** Brings the volumes that were plugged in since, and takes away what brought others. */
  async changeAttachments(vmi: Vmi, launcher: Pod): Promise<SyncFailure | undefined> {
    if (this.isAwaited(launcher)) return undefined;
    const attachments = this.#context.cluster.fleet.hotplugPodsOf(launcher);
    const { create, remove } = attachmentChange(vmi, launcher, sorted(attachments));
    for (const pod of remove) await this.#deleteAttachment(vmi, pod);
    if (create.length === 0) return undefined;
    const result = await this.#create(launcher, attachmentPod(launcher, create, this.#launcherImage()));
    if (result.ok) {
      this.#tell(vmi, 'SuccessfulCreate', `Created attachment pod ${result.name}`);
      return undefined;
    }
    return { reason: 'FailedHotplugSync', message: `Error creating attachment pod: ${result.message}` };
  }

  async #deleteAttachment(vmi: Vmi, pod: Pod): Promise<void> {
    const { deletionTimestamp, uid = '', name } = pod.metadata;
    if (deletionTimestamp !== undefined || this.#deleted.has(uid)) return;
    if (await this.#delete(pod)) this.#tell(vmi, 'SuccessfulDelete', `Deleted attachment pod ${name}`);
  }

  async #create(owner: Vmi | Pod, pod: Pod): Promise<ApiResult> {
    const result = await this.#context.cluster.create('Pod', owner.metadata.namespace, pod);
    if (result.ok)
      this.#made.set(owner.metadata.uid ?? '', { name: result.name, at: this.#context.clock.now() });
    return result;
  }

  /** Whether it is gone, or about to be. */
  async #delete(pod: Pod): Promise<boolean> {
    const { uid } = pod.metadata;
    const result = await this.#context.cluster.delete('Pod', keyOf(pod), { uid });
    if (result.ok) this.#deleted.add(uid ?? '');
    return result.ok || isNotFound(result);
  }

  #tell(vmi: Vmi, reason: string, message: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    this.#context.cluster.recordEvent(eventOnVmi(vmi, type, reason, message), VIRT_CONTROLLER);
  }
}

function sorted(pods: readonly Pod[]): readonly Pod[] {
  return pods.length < 2 ? pods : [...pods].sort(byName);
}

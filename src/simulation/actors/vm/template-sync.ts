import type { ApiResult } from '../../../decide/api-result.ts';
import {
  restartRequiredBy,
  type TemplateEdit,
  templateEdits,
} from '../../../decide/live-edit/changed-template.ts';
import { editedWholeSpec } from '../../../decide/live-edit/edit.ts';
import { hasOtherPluggedVolumes, withPluggedVolumes } from '../../../decide/live-edit/plugged-volumes.ts';
import { resolveSettings } from '../../../decide/settings.ts';
import type { VmFailure } from '../../../decide/vm/vm-conditions.ts';
import { isSameJson, type JsonObject } from '../../../kubevirt/json.ts';
import { ANNOTATION, CONDITION } from '../../../kubevirt/names.ts';
import type { VirtualMachine, Vmi, VmiSpec } from '../../../kubevirt/objects.ts';
import { annotationOf, findCondition, isFinal, keyOf } from '../../../kubevirt/predicates.ts';
import type { ActorContext } from '../actor.ts';
import { readWhole } from '../read-whole.ts';

const VMI = 'VirtualMachineInstance';

/** How the template and the running VMI go together. */
export interface TemplateSync {
  readonly restartRequired?: string | undefined;
  readonly failure?: VmFailure | undefined;
}

const FAILURE_REASON: Readonly<Record<string, string>> = {
  'cpu.sockets': 'HotPlugCPUError',
  'memory.guest': 'HotPlugMemoryError',
  nodeSelector: 'AffinityChangeError',
  affinity: 'AffinityChangeError',
  tolerations: 'TolerationsChangeError',
};

/**
 * Takes over what changes in the templates of VMs while their VMIs run. What a VMI was started with is remembered since it was first
 * seen with that template; after a restart of the controller, edits made before are only known where they can be seen on the VMI.
 */
export class TemplateSyncs {
  readonly #context: ActorContext;
  /** By the UID of the VM. */
  readonly #started = new Map<string, VmiSpec>();
  /** Specs of VM and VMI that were found to go together. */
  readonly #settled = new Map<string, readonly [VirtualMachine['spec'], Vmi['spec']]>();

  constructor(context: ActorContext) {
    this.#context = context;
  }

  forget(vm: VirtualMachine): void {
    this.#started.delete(vm.metadata.uid ?? '');
    this.#settled.delete(vm.metadata.uid ?? '');
  }

  async sync(vm: VirtualMachine, vmi: Vmi | undefined): Promise<TemplateSync> {
    if (!vmi || isFinal(vmi) || vmi.metadata.deletionTimestamp !== undefined) {
      if (!vmi) this.forget(vm);
      return {};
    }
    const started = this.#startedWith(vm, vmi);
    if (isAsStarted(vm, vmi) || this.#isSettled(vm, vmi)) return {};
    const template = vm.spec?.template?.spec ?? {};
    if (started && isSameJson(started, template)) {
      await this.#noteGeneration(vm, vmi);
      return {};
    }
    return this.#takeOver(vm, vmi, started);
  }

  async #takeOver(vm: VirtualMachine, vmi: Vmi, started: VmiSpec | undefined): Promise<TemplateSync> {
    const { vmRolloutStrategy } = resolveSettings(this.#context.cluster.fleet.kubevirt());
    const restartRequired =
      started && restartRequiredBy(started, vm.spec?.template?.spec ?? {}, vmRolloutStrategy);
    if (restartRequired !== undefined) return { restartRequired };
    const edits = templateEdits(vm, vmi, vmRolloutStrategy, this.#context.clock.now());
    const failure = (await this.#hotPlug(vm, vmi, edits)) ?? failureOf(edits);
    if (edits.length === 0 && !failure) this.#settled.set(vm.metadata.uid ?? '', [vm.spec, vmi.spec]);
    return {
      failure,
      restartRequired: edits.find(({ result }) => result.effect === 'RestartRequired')?.result.message,
    };
  }

  /** Nothing has changed since they went together; a hot-plug of memory may fail later. */
  #isSettled(vm: VirtualMachine, vmi: Vmi): boolean {
    const [template, running] = this.#settled.get(vm.metadata.uid ?? '') ?? [];
    if (template === undefined || template !== vm.spec || running !== vmi.spec) return false;
    return findCondition(vmi.status?.conditions, CONDITION.hotMemoryChange) === undefined;
  }

  #startedWith(vm: VirtualMachine, vmi: Vmi): VmiSpec | undefined {
    const { uid = '' } = vm.metadata;
    const isFirst = !isNoted(vmi) && !this.#started.has(uid);
    if (isFirst || isAsStarted(vm, vmi)) this.#started.set(uid, vm.spec?.template?.spec ?? {});
    return this.#started.get(uid);
  }

  /** Something else than the template has changed, so that the VMI is as good as of today's VM. */
  async #noteGeneration(vm: VirtualMachine, vmi: Vmi): Promise<void> {
    const generation = String(vm.metadata.generation ?? 0);
    if (!isNoted(vmi)) return;
    await this.#context.cluster.modify(VMI, keyOf(vmi), (held) => {
      if (annotationOf(held, ANNOTATION.vmGeneration) === generation) return undefined;
      const annotations = { ...held.metadata.annotations, [ANNOTATION.vmGeneration]: generation };
      return { ...held, metadata: { ...held.metadata, annotations } };
    });
  }

  async #hotPlug(
    vm: VirtualMachine,
    vmi: Vmi,
    edits: readonly TemplateEdit[],
  ): Promise<VmFailure | undefined> {
    const plugged = edits.filter(({ result }) => result.effect === 'HotPlug');
    const volumes = hasOtherPluggedVolumes({ ...vmi.spec }, { ...vm.spec?.template?.spec });
    if (plugged.length === 0 && !volumes) return undefined;
    const whole = volumes ? await readWhole(this.#context.cluster, 'VirtualMachine', keyOf(vm)) : undefined;
    const template = whole?.spec?.template?.spec as JsonObject | undefined;
    const result: ApiResult = await this.#context.cluster.modify(VMI, keyOf(vmi), (held) => {
      if (held.metadata.uid !== vmi.metadata.uid) return undefined;
      const edited = plugged.reduce((spec, { edit }) => editedWholeSpec(spec, edit), {
        ...held.spec,
      } as JsonObject);
      return { ...held, spec: template ? withPluggedVolumes(edited, template) : edited };
    });
    return result.ok
      ? undefined
      : { reason: FAILURE_REASON[plugged[0]?.edit.path ?? ''] ?? 'HotPlugError', message: result.message };
  }
}

/** Whether the VMI says with which generation of its VM it was started; made-up ones need not. */
function isNoted(vmi: Vmi): boolean {
  return annotationOf(vmi, ANNOTATION.vmGeneration) !== undefined;
}

/** Whether nothing can have changed since the VMI was started, which is what most passes find. */
function isAsStarted(vm: VirtualMachine, vmi: Vmi): boolean {
  return annotationOf(vmi, ANNOTATION.vmGeneration) === String(vm.metadata.generation ?? 0);
}

/** An edit that has to wait. */
function failureOf(edits: readonly TemplateEdit[]): VmFailure | undefined {
  const waiting = edits.find(({ result }) => result.effect === 'Refused');
  return (
    waiting && {
      reason: FAILURE_REASON[waiting.edit.path] ?? 'HotPlugError',
      message: waiting.result.message,
    }
  );
}

import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { type ApiResult, isNotFound } from '../../../decide/api-result.ts';
import { areExpectationsMet } from '../../../decide/expectations.ts';
import type { Behavior } from '../../../decide/rules.ts';
import { NOTHING, type RunStrategyAction } from '../../../decide/run-strategy/action.ts';
import type { RunStrategyPass } from '../../../decide/run-strategy/pass.ts';
import { resolveRunStrategy } from '../../../decide/run-strategy/resolve.ts';
import { decideRunStrategy } from '../../../decide/run-strategy/step.ts';
import { isStartFailureNew, type VmNews, withVmStatus } from '../../../decide/vm/vm-status.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import { FINALIZER, RUN_STRATEGY } from '../../../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../../../kubevirt/objects.ts';
import { controllerOf, isFinal, keyOf } from '../../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../../kubevirt/time.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { VIRT_CONTROLLER } from '../vmi/component.ts';
import { hasVmFinalizer, withoutVmFinalizer, withVmFinalizer } from './finalizers.ts';
import { isNoNewsForVm, isPrintedNews } from './no-news.ts';
import { TemplateSyncs } from './template-sync.ts';
import { carryOutAction } from './vm-calls.ts';

export interface VmControllerOptions {
  /** Upstream faults included, where absent. */
  readonly behavior?: Behavior | undefined;
  /** Seconds from the creation of a VM until its disks are there; at once where absent. */
  readonly provisioningSecondsOf?: ((vm: VirtualMachine) => number) | undefined;
  /** Whether this controller lets go of a VMI that has ended only behind the VMI controller; as soon as it can where absent. */
  readonly isVmLast?: ((vmi: Vmi) => boolean) | undefined;
}

const VM = 'VirtualMachine';
const VMI = 'VirtualMachineInstance';

/** virt-controller's part in VMs: run strategies, live edits, status. vm-lifecycle §1, §2, §5, §6 of the spec. */
export function vmController(context: ActorContext, options: VmControllerOptions = {}): Actor {
  const controller = new VmController(context, options);
  return keyedActor({
    name: 'vm-controller',
    context,
    keysOf: (change) => controller.keysOf(change),
    allKeys: (fleet) => [...fleet.all(VM)].map(keyOf).sort(),
    reconcile: (key) => controller.reconcile(key),
  });
}

/** A deletion is under way. */
const STOPPING = { creations: 0, deletions: 1 };

/** What a pass came to, before the status is written. */
interface PassResult {
  readonly pass?: RunStrategyPass | undefined;
  readonly news: Pick<VmNews, 'failure' | 'restarted' | 'restartRequired' | 'expectations' | 'dataVolumes'>;
  readonly requeueAfterSeconds?: number | undefined;
}

class VmController {
  readonly #context: ActorContext;
  readonly #behavior: Behavior;
  readonly #provisioningSecondsOf: (vm: VirtualMachine) => number;
  readonly #isVmLast: (vmi: Vmi) => boolean;
  readonly #templates: TemplateSyncs;
  /** When the VMI of a VM was created, and which VMIs were deleted, until the fleet shows it. */
  readonly #created = new Map<string, Instant>();
  readonly #deleted = new Set<string>();

  constructor(
    context: ActorContext,
    { behavior = 'exact', provisioningSecondsOf = () => 0, isVmLast = () => false }: VmControllerOptions,
  ) {
    this.#context = context;
    this.#behavior = behavior;
    this.#provisioningSecondsOf = provisioningSecondsOf;
    this.#isVmLast = isVmLast;
    this.#templates = new TemplateSyncs(context);
  }

  keysOf({ kind, key, before, after }: Change): readonly string[] {
    if (kind === VM) {
      if (!after && before) this.#templates.forget(before as VirtualMachine);
      return before && after && isPrintedNews(before as VirtualMachine, after as VirtualMachine) ? [] : [key];
    }
    if (kind !== VMI || isNoNewsForVm(before as Vmi | undefined, after as Vmi | undefined)) return [];
    if (after) this.#created.delete(key);
    else this.#deleted.delete(before?.metadata.uid ?? '');
    return this.#fleet.get(VM, key) ? [key] : [];
  }

  async reconcile(key: string): Promise<ReconcileResult> {
    const vm = this.#fleet.get(VM, key);
    if (!vm) return {};
    const vmi = this.#vmiOf(vm);
    if (!vmi && this.#isAwaited(key)) return {};
    if (vm.metadata.deletionTimestamp !== undefined) return this.#takeLeave(vm, vmi);
    if (!hasVmFinalizer(vm) && !(await this.#prepare(vm))) return {};
    const result = await this.#act(vm, vmi);
    const written = await this.#write(vm, vmi, result);
    if (!written.ok) return isNotFound(written) ? {} : { error: written.message };
    if (vmi && isFinal(vmi)) await this.#letGo(vmi);
    const { failure } = result.news;
    return { requeueAfterSeconds: result.requeueAfterSeconds, error: failure?.message };
  }

  /** A VMI was created and is not seen yet; not for ever, since it may be gone already. */
  #isAwaited(key: string): boolean {
    const setAt = this.#created.get(key);
    const expectation = setAt === undefined ? undefined : { pending: 1, setAt };
    return !areExpectationsMet(expectation, this.#context.clock.now());
  }

  get #fleet(): Fleet {
    return this.#context.cluster.fleet;
  }

  /** A VMI of the VM's name that somebody else controls is none of its business. */
  #vmiOf(vm: VirtualMachine): Vmi | undefined {
    const vmi = this.#fleet.get(VMI, keyOf(vm));
    return vmi && controllerOf(vmi.metadata)?.uid === vm.metadata.uid ? vmi : undefined;
  }

  /** The first writes to a new VM: the API server shows it as Stopped, and it is kept until its VMI is gone. Yes: go on. */
  async #prepare(vm: VirtualMachine): Promise<boolean> {
    const { cluster } = this.#context;
    if (vm.status?.printableStatus === undefined) {
      const stopped = (held: VirtualMachine) => ({
        ...held,
        status: { printableStatus: 'Stopped', ...held.status },
      });
      await cluster.modify(VM, keyOf(vm), stopped, { subresource: 'status' });
    }
    return (await cluster.modify(VM, keyOf(vm), withVmFinalizer)).ok;
  }

  async #act(vm: VirtualMachine, vmi: Vmi | undefined): Promise<PassResult> {
    const { strategy, error } = resolveRunStrategy(vm);
    if (error !== undefined) return { news: { failure: { reason: 'FailedCreate', message: error } } };
    const now = this.#context.clock.now();
    const waits = this.#provisioningSecondsLeft(vm);
    const { result } = decideRunStrategy({ vm, vmi, strategy, now });
    const action = isReceiverBegun(strategy, result) ? NOTHING : result;
    if (action.do === 'StartVmi' && waits > 0) {
      return { news: { dataVolumes: 'Provisioning' }, requeueAfterSeconds: waits };
    }
    if (action.do === 'DeleteVmi' && this.#deleted.has(vmi?.metadata.uid ?? ''))
      return { news: { expectations: STOPPING } };
    const pass = await this.#carryOut(vm, vmi, action);
    const template = action.do === 'Nothing' ? await this.#templates.sync(vm, vmi) : {};
    const restarted = action.do === 'StartVmi' || action.do === 'DeleteVmi';
    return {
      pass,
      news: {
        expectations: pass.expectations,
        restarted,
        ...template,
        failure: pass.syncError ?? template.failure,
      },
      requeueAfterSeconds: action.do === 'LookAgain' ? action.afterSeconds : undefined,
    };
  }

  async #carryOut(
    vm: VirtualMachine,
    vmi: Vmi | undefined,
    action: RunStrategyAction,
  ): Promise<RunStrategyPass> {
    const pass = await carryOutAction(this.#context, { vm, vmi }, action, this.#behavior);
    if ((pass.expectations?.creations ?? 0) > 0 && !this.#fleet.get(VMI, keyOf(vm)))
      this.#created.set(keyOf(vm), this.#context.clock.now());
    if ((pass.expectations?.deletions ?? 0) > 0) this.#deleted.add(vmi?.metadata.uid ?? '');
    for (const event of pass.events) this.#context.cluster.recordEvent(event, VIRT_CONTROLLER);
    return pass;
  }

  #provisioningSecondsLeft(vm: VirtualMachine): number {
    const createdAt = parseInstant(vm.metadata.creationTimestamp) ?? 0;
    return createdAt / 1000 + this.#provisioningSecondsOf(vm) - this.#context.clock.now() / 1000;
  }

  async #write(vm: VirtualMachine, vmi: Vmi | undefined, { news }: PassResult): Promise<ApiResult> {
    const { clock, random, cluster } = this.#context;
    const now = clock.now();
    const chance = isStartFailureNew(vm, { vmi, now }) ? random.next() : 0;
    const { failure, restarted, restartRequired, expectations, dataVolumes } = news;
    const all: VmNews = { vmi, now, chance, failure, restarted, restartRequired, expectations, dataVolumes };
    if (withVmStatus(vm, all) === vm) return { ok: true, name: vm.metadata.name };
    return cluster.modify(VM, keyOf(vm), (held) => withVmStatus(held, all), { subresource: 'status' });
  }

  /** A VMI that has ended, which has been seen now, may go as far as its VM is concerned. */
  async #letGo(vmi: Vmi): Promise<void> {
    if (!hasVmFinalizer(vmi)) return;
    if (vmi.metadata.finalizers?.includes(FINALIZER.foregroundDelete) && this.#isVmLast(vmi)) return;
    await this.#context.cluster.modify(VMI, keyOf(vmi), withoutVmFinalizer);
  }

  /** A VM that is being deleted takes its VMI along. */
  async #takeLeave(vm: VirtualMachine, vmi: Vmi | undefined): Promise<ReconcileResult> {
    const { cluster } = this.#context;
    if (!vmi) {
      const result = await cluster.modify(VM, keyOf(vm), withoutVmFinalizer);
      return result.ok || isNotFound(result) ? {} : { error: result.message };
    }
    const isLeaving =
      vmi.metadata.deletionTimestamp !== undefined || this.#deleted.has(vmi.metadata.uid ?? '');
    const stop: RunStrategyAction = isLeaving
      ? { do: 'Nothing' }
      : { do: 'DeleteVmi', thenRequestStart: false };
    const pass = await this.#carryOut(vm, vmi, stop);
    const written = await this.#write(vm, vmi, {
      news: { expectations: pass.expectations, failure: pass.syncError },
    });
    if (isFinal(vmi)) await this.#letGo(vmi);
    return written.ok || isNotFound(written) ? {} : { error: written.message };
  }
}

/** A receiver has no guest until another cluster sends one, and nobody plays that: its VMI is not made. */
function isReceiverBegun(strategy: string, action: RunStrategyAction): boolean {
  return strategy === RUN_STRATEGY.waitAsReceiver && action.do === 'StartVmi';
}

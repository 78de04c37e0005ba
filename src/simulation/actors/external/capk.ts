import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { capkBackportTable } from '../../../decide/external/capk-backport.ts';
import type { CapkInput, CapkStep } from '../../../decide/external/capk-drain.ts';
import { capkTerminalTable } from '../../../decide/external/capk-terminal.ts';
import { capkV0110Table } from '../../../decide/external/capk-v0-1-10.ts';
import { type Behavior, resultOf } from '../../../decide/rules.ts';
import { withoutFinalizer } from '../../../kubevirt/finalizers.ts';
import { CONDITION, FINALIZER } from '../../../kubevirt/names.ts';
import type { KubevirtMachine, Vmi } from '../../../kubevirt/objects.ts';
import { isConditionTrue, keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { DueTimes } from './due-times.ts';
import { withInfraStatus, withMarks } from './machine-writes.ts';

/** The guest clusters, of which nothing else is played. */
export interface GuestClusters {
  /** What one try to drain a node comes to. */
  drain(machine: KubevirtMachine, node: string): 'missing' | 'drained' | 'not-drained';
  uncordon?(machine: KubevirtMachine, node: string): void;
}

export interface CapkOptions {
  readonly build: 'capk-v0.1.10' | 'capk-backport';
  readonly behavior: Behavior;
  /** A mark is seen at the next full resync. */
  readonly syncSeconds?: number | undefined;
  /** Absent: guests drain at once, and have nodes of their own names only. */
  readonly guests?: GuestClusters | undefined;
}

const SYNC_SECONDS = 60;
const NOT_READY_SECONDS = 20;
/** How long one try to drain a guest's node takes that does not succeed. */
const DRAIN_TRY_SECONDS = 20;

const GUESTS: GuestClusters = {
  drain: (machine, node) => (node === machine.metadata.name ? 'drained' : 'missing'),
};

/** cluster-api-provider-kubevirt: looks after the VMs that are nodes of guest clusters. capk-external of the spec. */
export function capk(context: ActorContext, options: CapkOptions): Actor {
  const provider = new Capk(context, options);
  return keyedActor({
    name: 'capk',
    context,
    keysOf: (change) => provider.keysOf(change),
    allKeys: (fleet) =>
      [...fleet.all('KubevirtMachine')].map((machine) => provider.due(keyOf(machine))).sort(),
    reconcile: (key) => provider.reconcile(key),
  });
}

class Capk {
  readonly #context: ActorContext;
  readonly #options: CapkOptions;
  readonly #guests: GuestClusters;
  readonly #due = new DueTimes();
  readonly #startedAt: number;

  constructor(context: ActorContext, options: CapkOptions) {
    this.#context = context;
    this.#options = options;
    this.#guests = options.guests ?? GUESTS;
    this.#startedAt = context.clock.now();
  }

  due(key: string): string {
    this.#due.set(key, this.#context.clock.now());
    return key;
  }

  /** It watches its own machines, and no VMIs: what happens to those it sees at the next resync. */
  keysOf({ kind, key, before, after }: Change): string[] {
    const { cluster } = this.#context;
    if (kind === 'KubevirtMachine') {
      if (after) return [this.due(key)];
      return (before?.metadata.finalizers ?? []).length > 0 ? [] : this.#orphaned(key);
    }
    if (kind !== 'VirtualMachineInstance' || !cluster.fleet.get('KubevirtMachine', key)) return [];
    this.#due.set(key, this.#nextSync());
    return [key];
  }

  async reconcile(key: string): Promise<ReconcileResult> {
    const { cluster, clock } = this.#context;
    const due = this.#due.take(key, clock.now());
    if (due !== 'due') return { requeueAfterSeconds: due };
    const machine = cluster.fleet.get('KubevirtMachine', key);
    if (!machine) return {};
    if (machine.metadata.deletionTimestamp !== undefined) return this.#remove(key);
    const againSeconds = await this.#look(key, machine);
    if (againSeconds !== undefined) this.#due.set(key, clock.now() + againSeconds * 1000);
    return { requeueAfterSeconds: againSeconds };
  }

  /** One look at a live machine; in how many seconds the next one is due. */
  async #look(key: string, machine: KubevirtMachine): Promise<number | undefined> {
    const { fleet } = this.#context.cluster;
    const vm = fleet.get('VirtualMachine', key);
    const vmi = fleet.get('VirtualMachineInstance', key);
    const terminal = resultOf(capkTerminalTable, { vm, vmi });
    const failure = terminal.terminal ? terminal.message : undefined;
    if (!vm && !terminal.terminal) {
      await this.#createVm(machine);
      return NOT_READY_SECONDS;
    }
    const isReady = isUsable(vmi);
    const againSeconds = isReady ? await this.#drainIfNeeded(key, machine, vmi) : NOT_READY_SECONDS;
    await this.#writeStatus(key, isReady, failure);
    return againSeconds;
  }

  async #drainIfNeeded(
    key: string,
    machine: KubevirtMachine,
    vmi: Vmi | undefined,
  ): Promise<number | undefined> {
    const step = this.#decide(machine, vmi);
    if (step.step !== 'create-migration') return this.#carryOut(key, machine, step);
    if (await this.#createMigration(machine)) return this.#carryOut(key, machine, step);
    return this.#carryOut(key, machine, this.#decide(machine, vmi, false));
  }

  #decide(machine: KubevirtMachine, vmi: Vmi | undefined, acceptsMigration?: boolean): CapkStep {
    const { build, behavior } = this.#options;
    const input: CapkInput = {
      ...{ machine, vmi, behavior, acceptsMigration },
      now: this.#context.clock.now(),
      drainOf: (node) => this.#guests.drain(machine, node),
    };
    return resultOf(build === 'capk-backport' ? capkBackportTable : capkV0110Table, input);
  }

  async #carryOut(key: string, machine: KubevirtMachine, step: CapkStep): Promise<number | undefined> {
    const { cluster } = this.#context;
    const cordons = step.step === 'drain' || (step.step === 'delete-vmi' && this.#hasGuestNode(machine));
    if (step.step === 'nothing' && step.uncordons) this.#guests.uncordon?.(machine, step.uncordons);
    await cluster.modify('KubevirtMachine', key, (held) =>
      withMarks(held, step, cordons && this.#notesCordons()),
    );
    if (step.step === 'delete-vmi') await cluster.delete('VirtualMachineInstance', key);
    if (step.step === 'nothing') return undefined;
    return step.step === 'drain' ? DRAIN_TRY_SECONDS + step.againSeconds : step.againSeconds;
  }

  /** Only the patched build remembers that it has cordoned the guest's node. */
  #notesCordons(): boolean {
    const { build, behavior } = this.#options;
    return build === 'capk-backport' || behavior === 'intended';
  }

  #hasGuestNode(machine: KubevirtMachine): boolean {
    return this.#guests.drain(machine, machine.metadata.name) !== 'missing';
  }

  async #createMigration({ metadata: { name, namespace } }: KubevirtMachine): Promise<boolean> {
    const migration = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { generateName: `${name}-migration-`, namespace },
      spec: { vmiName: name },
    };
    const result = await this.#context.cluster.create(
      'VirtualMachineInstanceMigration',
      namespace,
      migration,
    );
    return result.ok;
  }

  async #createVm({ metadata: { name, namespace }, spec }: KubevirtMachine): Promise<void> {
    const template = spec?.virtualMachineTemplate;
    if (!template) return;
    const vm = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { ...template.metadata, name, namespace },
      spec: template.spec,
    };
    await this.#context.cluster.create('VirtualMachine', namespace, vm);
  }

  async #writeStatus(key: string, ready: boolean, failure: string | undefined): Promise<void> {
    const change = (held: KubevirtMachine) => withInfraStatus(held, ready, failure);
    await this.#context.cluster.modify('KubevirtMachine', key, change, { subresource: 'status' });
  }

  async #remove(key: string): Promise<ReconcileResult> {
    const { cluster } = this.#context;
    await cluster.delete('VirtualMachine', key);
    await cluster.modify('KubevirtMachine', key, (held) => withoutFinalizer(held, FINALIZER.kubevirtMachine));
    return {};
  }

  /** A machine that nothing held is gone before it could be seen to go. */
  #orphaned(key: string): string[] {
    void this.#context.cluster.delete('VirtualMachine', key);
    return [];
  }

  #nextSync(): number {
    const period = (this.#options.syncSeconds ?? SYNC_SECONDS) * 1000;
    const since = this.#context.clock.now() - this.#startedAt;
    return this.#startedAt + (Math.floor(since / period) + 1) * period;
  }
}

/** Ready, and with an address; before that CAPK does nothing about marks. */
function isUsable(vmi: Vmi | undefined): boolean {
  const hasAddress = (vmi?.status?.interfaces ?? []).some(({ ipAddress }) => Boolean(ipAddress));
  return isConditionTrue(vmi?.status?.conditions, CONDITION.ready) && hasAddress;
}

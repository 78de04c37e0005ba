/** Kubelet, scheduler and virt-handler, played by hand: each word is one write of theirs. */

import { aKubeVirt, aMigration, aPod, aVmi } from '../../../kubevirt/builders.ts';
import { CONDITION, LABEL } from '../../../kubevirt/names.ts';
import type { Condition, Migration, MigrationState, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { annotationOf, keyOf } from '../../../kubevirt/predicates.ts';
import { formatInstant } from '../../../kubevirt/time.ts';
import type { MemoryCluster, MemoryClusterOptions, RecordedEvent } from '../../memory-cluster.ts';
import { aRoomyNode, World } from '../../test-world.ts';
import type { Actor } from '../actor.ts';
import { actorContext } from '../test-context.ts';
import type { MigrationControllerOptions } from './desk.ts';
import { migrationController } from './migration-controller.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const VMI = 'VirtualMachineInstance';

/** A VMI that can be moved, and its launcher. */
export function aMovable(name = 'db', node = 'n1') {
  return aVmi(name).on(node).strategy('LiveMigrate').migratable().status({ selinuxContext: 'none' });
}

export function sourceOf(vmi: Vmi): Pod {
  return aPod(`virt-launcher-${vmi.metadata.name}-old`)
    .launcherOf(vmi)
    .on(vmi.status?.nodeName ?? '')
    .spec({ containers: [{ name: 'compute', image: 'launcher:v1' }] })
    .ready()
    .build();
}

export class MigrationWorld extends World {
  readonly cluster: MemoryCluster;
  readonly controller: Actor;
  /** Every phase that a migration had, by name. */
  readonly phases = new Map<string, string[]>();

  constructor(
    objects: readonly object[],
    options: Partial<MigrationControllerOptions> = {},
    faults: Partial<MemoryClusterOptions> = {},
  ) {
    super(...objects);
    const context = actorContext(this, faults);
    this.cluster = context.cluster;
    this.controller = migrationController(context, {
      behavior: 'exact',
      launcherImage: () => 'launcher:v2',
      ...options,
    });
    this.api.watch(({ kind, after }) => {
      if (kind === MIGRATION && after) this.#notePhase(after as unknown as Migration);
    });
    this.controller.start();
  }

  #notePhase({ metadata: { name }, status }: Migration): void {
    const seen = this.phases.get(name) ?? [];
    if (status?.phase && seen.at(-1) !== status.phase) this.phases.set(name, [...seen, status.phase]);
  }

  async seconds(seconds = 0): Promise<void> {
    await this.clock.advance(seconds);
  }

  vmi(name = 'db'): Vmi {
    return this.cluster.fleet.get(VMI, `shop/${name}`) ?? { metadata: { name } };
  }

  migration(name = 'move-1'): Migration | undefined {
    return this.cluster.fleet.get(MIGRATION, `shop/${name}`);
  }

  /** The pods of a migration by kind: launcher or attachment. */
  podOf(migration = 'move-1', app = 'virt-launcher'): Pod | undefined {
    return [...this.cluster.fleet.all('Pod')].find(
      (pod) =>
        annotationOf(pod, 'kubevirt.io/migrationJobName') === migration &&
        pod.metadata.labels?.[LABEL.app] === app,
    );
  }

  /** Migrations with a target pod, by name. */
  started(): string[] {
    return [...this.cluster.fleet.all('Pod')]
      .flatMap((pod) => annotationOf(pod, 'kubevirt.io/migrationJobName') ?? [])
      .sort();
  }

  /** Events as `reason message`, repeated ones once. */
  told(kind: string, name: string): string[] {
    return this.cluster.events
      .filter((event) => event.kind === kind && event.name === name)
      .map(({ reason, message }) => `${reason} ${message}`)
      .filter((text, index, all) => text !== all[index - 1]);
  }

  get events(): readonly RecordedEvent[] {
    return this.cluster.events;
  }

  modify(kind: 'Pod' | typeof VMI | typeof MIGRATION, key: string, change: (object: never) => object): void {
    const held = this.api.get(kind, key);
    const result = this.api.update(kind, change(held as never) as never);
    if (!result.ok) throw new Error(result.message);
  }

  ask(migration: Migration): void {
    this.put(migration);
  }

  account(state: MigrationState, name = 'db'): void {
    this.modify(VMI, `shop/${name}`, (vmi: Vmi) => ({
      ...vmi,
      status: { ...vmi.status, migrationState: { ...vmi.status?.migrationState, ...state } },
    }));
  }

  changeVmi(status: Partial<NonNullable<Vmi['status']>>, name = 'db'): void {
    this.modify(VMI, `shop/${name}`, (vmi: Vmi) => ({ ...vmi, status: { ...vmi.status, ...status } }));
  }

  changePod(pod: Pod | undefined, status: NonNullable<Pod['status']>, nodeName?: string): void {
    if (!pod) throw new Error('no such pod');
    this.modify('Pod', keyOf(pod), (held: Pod) => ({
      ...held,
      spec: { ...held.spec, nodeName: nodeName ?? held.spec?.nodeName },
      status: { ...held.status, ...status },
    }));
  }

  /** Bound, started, and ready. */
  startPod(pod: Pod | undefined, node = 'n2'): void {
    const conditions: Condition[] = [{ type: CONDITION.ready, status: 'True' }];
    this.changePod(pod, { phase: 'Running', conditions }, node);
  }

  /** No node fits. */
  fitNowhere(pod: Pod | undefined): void {
    const conditions: Condition[] = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
    this.changePod(pod, { phase: 'Pending', conditions });
  }

  now(): string {
    return formatInstant(this.clock.now());
  }

  /** The handler of the target listens, that of the source starts to copy. */
  async copy(name = 'db'): Promise<void> {
    this.account({ targetNodeAddress: '10.1.0.1', targetDirectMigrationNodePorts: { '38001': 49152 } }, name);
    await this.seconds(1);
    this.account({ startTimestamp: this.now(), mode: 'PreCopy' }, name);
    await this.seconds(1);
    this.account({ targetNodeDomainDetected: true }, name);
    await this.seconds(3);
  }

  /** The guest is on the target, and the handler there takes the VMI over. */
  async handOver(name = 'db'): Promise<void> {
    this.account({ targetNodeDomainReadyTimestamp: this.now() }, name);
    await this.seconds(0.2);
    const node = this.vmi(name).status?.migrationState?.targetNode ?? '';
    this.modify(VMI, `shop/${name}`, (vmi: Vmi) => ({
      ...vmi,
      metadata: { ...vmi.metadata, labels: { ...vmi.metadata.labels, [LABEL.nodeName]: node } },
      status: {
        ...vmi.status,
        nodeName: node,
        evacuationNodeName: undefined,
        migrationState: { ...vmi.status?.migrationState, endTimestamp: this.now() },
      },
    }));
    await this.seconds(0.2);
    this.account({ completed: true }, name);
    await this.seconds(0.2);
  }

  /** From the target pod to the end. */
  async moveThrough(migration = 'move-1', name = 'db'): Promise<void> {
    const source = this.cluster.fleet.launcherPodOf(this.vmi(name));
    this.startPod(this.podOf(migration));
    await this.seconds();
    await this.copy(name);
    await this.handOver(name);
    this.changePod(source, { phase: 'Succeeded' });
    await this.seconds();
  }

  /** The copy fails, and the target pod ends. */
  async fail(migration = 'move-1', name = 'db', failureReason = 'injected'): Promise<void> {
    this.account({ failed: true, completed: true, endTimestamp: this.now(), failureReason }, name);
    await this.seconds(0.2);
    this.changePod(this.podOf(migration), { phase: 'Failed' });
    await this.seconds();
  }
}

/** Three nodes, the CR, and VMIs with their launchers; on it the controller. */
export function aMigrationWorld(
  vmis: readonly Vmi[],
  options: Partial<MigrationControllerOptions> = {},
  faults: Partial<MemoryClusterOptions> = {},
): MigrationWorld {
  const nodes = ['n1', 'n2', 'n3'].map((name) => aRoomyNode(name).build());
  const objects = [aKubeVirt().build(), ...nodes, ...vmis.flatMap((vmi) => [vmi, sourceOf(vmi)])];
  return new MigrationWorld(objects, options, faults);
}

/** A migration as it is stored: with its finalizer. */
export function anOrder(name = 'move-1', vmi = 'db') {
  return aMigration(name, vmi).meta({ finalizers: ['kubevirt.io/migrationJobFinalize'] });
}

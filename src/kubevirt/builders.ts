/**
 * Objects for tests, in the words of the tests: `aVmi('db').on('n1').migratable('False').build()`. A builder starts as
 * the plainest healthy object of its kind; every word changes one thing and gives the builder back.
 */
import { ANNOTATION, APP, CONDITION, KUBEVIRT_DEPLOYED, LABEL } from './names.ts';
import type {
  KubeVirt,
  Migration,
  MigrationState,
  Node,
  ObjectMeta,
  Pod,
  PodDisruptionBudget,
  VirtualMachine,
  Vmi,
  VmiSpec,
} from './objects.ts';

/** Shared by all builders: name, labels, annotations, creation and deletion. Timestamps are RFC 3339. */
abstract class Builder<T extends { metadata: ObjectMeta }> {
  protected object: T;

  protected constructor(object: T) {
    this.object = object;
  }

  meta(change: Partial<ObjectMeta>): this {
    this.object = { ...this.object, metadata: { ...this.object.metadata, ...change } };
    return this;
  }

  labelled(key: string, value: string): this {
    return this.meta({ labels: { ...this.object.metadata.labels, [key]: value } });
  }

  annotated(key: string, value = ''): this {
    return this.meta({ annotations: { ...this.object.metadata.annotations, [key]: value } });
  }

  createdAt(timestamp: string): this {
    return this.meta({ creationTimestamp: timestamp });
  }

  deleting(timestamp = '2026-03-01T11:59:00Z'): this {
    return this.meta({ deletionTimestamp: timestamp });
  }

  build(): T {
    return structuredClone(this.object);
  }
}

class VmiBuilder extends Builder<Vmi> {
  constructor(name: string, namespace: string) {
    super({
      kind: 'VirtualMachineInstance',
      metadata: { name, namespace, uid: `uid-${name}` },
      spec: {},
      status: { phase: 'Running' },
    });
  }

  status(change: NonNullable<Vmi['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  spec(change: VmiSpec): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  on(nodeName: string): this {
    return this.labelled(LABEL.nodeName, nodeName).status({ nodeName });
  }

  phase(phase: string): this {
    return this.status({ phase });
  }

  strategy(evictionStrategy: string): this {
    return this.spec({ evictionStrategy });
  }

  /** Adds a condition behind those that are there. */
  condition(type: string, status: string, reason?: string, message?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason, message }] });
  }

  migratable(status = 'True', reason?: string, message?: string): this {
    return this.condition(CONDITION.liveMigratable, status, reason, message);
  }

  /** `status.evacuationNodeName`; without a name, the node that the VMI is on. */
  marked(node?: string): this {
    return this.status({ evacuationNodeName: node ?? this.object.status?.nodeName });
  }

  migrationState(state: MigrationState): this {
    return this.status({ migrationState: state });
  }

  outdated(): this {
    return this.labelled(LABEL.outdatedLauncherImage, '');
  }

  /** The image of the launcher that the VMI runs in. */
  launcher(launcherContainerImageVersion: string): this {
    return this.status({ launcherContainerImageVersion });
  }

  /** Controlled by an object of the kind that bears its own name, as a VMI is by its VM. */
  controlledBy(kind: string, uid?: string): this {
    const { name } = this.object.metadata;
    return this.meta({ ownerReferences: [{ kind, name, uid, controller: true }] });
  }
}

class VmBuilder extends Builder<VirtualMachine> {
  constructor(name: string, namespace: string) {
    super({
      kind: 'VirtualMachine',
      metadata: { name, namespace, uid: `uid-vm-${name}`, generation: 1 },
      spec: { runStrategy: 'Always', template: { spec: {} } },
      status: {},
    });
  }

  spec(change: NonNullable<VirtualMachine['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<VirtualMachine['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  /** `spec.runStrategy`; without one, neither it nor `running` is set. */
  runStrategy(runStrategy?: string): this {
    return this.spec({ runStrategy });
  }

  /** The deprecated way: `spec.running` instead of a run strategy. */
  running(running: boolean): this {
    return this.spec({ runStrategy: undefined, running });
  }

  template(spec: VmiSpec): this {
    return this.spec({ template: { spec } });
  }

  /** Adds a request behind those that wait; the first is acted on. */
  requesting(action: string, uid?: string, data?: Record<string, string>): this {
    const waiting = this.object.status?.stateChangeRequests ?? [];
    return this.status({ stateChangeRequests: [...waiting, { action, uid, data }] });
  }

  condition(type: string, status = 'True', reason?: string, message?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason, message }] });
  }
}

class MigrationBuilder extends Builder<Migration> {
  constructor(name: string, vmiName: string, namespace: string) {
    super({
      kind: 'VirtualMachineInstanceMigration',
      metadata: { name, namespace, uid: `uid-${name}`, labels: { [LABEL.vmiName]: vmiName } },
      spec: { vmiName },
      status: {},
    });
  }

  spec(change: NonNullable<Migration['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<Migration['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  phase(phase: string): this {
    return this.status({ phase });
  }

  /** Also notes when the phase was reached. */
  reached(phase: string, phaseTransitionTimestamp: string): this {
    const noted = this.object.status?.phaseTransitionTimestamps ?? [];
    return this.status({ phase, phaseTransitionTimestamps: [...noted, { phase, phaseTransitionTimestamp }] });
  }

  condition(type: string, status = 'True', reason?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason }] });
  }

  priority(priority: string): this {
    return this.spec({ priority });
  }

  evacuation(node = 'n1'): this {
    return this.annotated(ANNOTATION.evacuationMigration, node);
  }

  workloadUpdate(): this {
    return this.annotated(ANNOTATION.workloadUpdateMigration);
  }
}

class PodBuilder extends Builder<Pod> {
  constructor(name: string, namespace: string) {
    super({
      kind: 'Pod',
      metadata: { name, namespace, uid: `uid-${name}` },
      spec: {},
      status: { phase: 'Running' },
    });
  }

  spec(change: NonNullable<Pod['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<Pod['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  on(nodeName: string): this {
    return this.spec({ nodeName });
  }

  phase(phase: string): this {
    return this.status({ phase });
  }

  condition(type: string, status: string, reason?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason }] });
  }

  ready(): this {
    return this.condition(CONDITION.ready, 'True');
  }

  /** Adds a container `c<n>` that asks for this much. */
  asking(requests: Record<string, string>, limits?: Record<string, string>): this {
    const containers = this.object.spec?.containers ?? [];
    const name = `c${containers.length}`;
    return this.spec({ containers: [...containers, { name, resources: { requests, limits } }] });
  }

  /** Its only owner, as controller. */
  ownedBy(kind: string, name: string, uid = `uid-${name}`): this {
    return this.meta({ ownerReferences: [{ kind, name, uid, controller: true }] });
  }

  /** A launcher that the VMI controls. */
  launcherOf(vmi: Vmi): this {
    return this.labelled(LABEL.app, APP.launcher)
      .labelled(LABEL.createdBy, vmi.metadata.uid ?? '')
      .annotated(ANNOTATION.domain, vmi.metadata.name)
      .meta({
        ownerReferences: [
          {
            kind: 'VirtualMachineInstance',
            name: vmi.metadata.name,
            uid: vmi.metadata.uid,
            controller: true,
          },
        ],
      });
  }

  /** The target pod of a migration of the VMI. */
  targetOf(vmi: Vmi, migration: Migration): this {
    return this.launcherOf(vmi)
      .labelled(LABEL.migrationJobUid, migration.metadata.uid ?? '')
      .annotated(ANNOTATION.migrationJobName, migration.metadata.name);
  }
}

class NodeBuilder extends Builder<Node> {
  constructor(name: string) {
    super({ kind: 'Node', metadata: { name, labels: { [LABEL.hostname]: name } }, spec: {}, status: {} });
  }

  tainted(key: string, effect = 'NoSchedule', value?: string): this {
    const taints = this.object.spec?.taints ?? [];
    this.object.spec = { ...this.object.spec, taints: [...taints, { key, effect, value }] };
    return this;
  }

  cordoned(): this {
    this.object.spec = { ...this.object.spec, unschedulable: true };
    return this;
  }

  /** `status.allocatable`. */
  offering(allocatable: Record<string, string>): this {
    this.object.status = { ...this.object.status, allocatable };
    return this;
  }
}

class KubeVirtBuilder extends Builder<KubeVirt> {
  constructor(name: string, namespace: string) {
    const status = { phase: KUBEVIRT_DEPLOYED, observedDeploymentID: 'same', targetDeploymentID: 'same' };
    super({ kind: 'KubeVirt', metadata: { name, namespace }, spec: {}, status });
  }

  spec(change: NonNullable<KubeVirt['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<KubeVirt['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  methods(...workloadUpdateMethods: string[]): this {
    const strategy = this.object.spec?.workloadUpdateStrategy;
    return this.spec({ workloadUpdateStrategy: { ...strategy, workloadUpdateMethods } });
  }

  batches(batchEvictionSize: number, batchEvictionInterval: string): this {
    const strategy = this.object.spec?.workloadUpdateStrategy;
    return this.spec({ workloadUpdateStrategy: { ...strategy, batchEvictionSize, batchEvictionInterval } });
  }
}

/** The KubeVirt CR of a cluster at rest: deployed, nothing set. */
export function aKubeVirt(name = 'kubevirt', namespace = 'kubevirt'): KubeVirtBuilder {
  return new KubeVirtBuilder(name, namespace);
}

class BudgetBuilder extends Builder<PodDisruptionBudget> {
  constructor(name: string, namespace: string) {
    super({ kind: 'PodDisruptionBudget', metadata: { name, namespace }, spec: {} });
  }

  spec(change: NonNullable<PodDisruptionBudget['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  /** `matchLabels` with one label. */
  selecting(key: string, value: string): this {
    return this.spec({ selector: { matchLabels: { [key]: value } } });
  }

  status(change: NonNullable<PodDisruptionBudget['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }
}

/** A budget that selects nothing, asks for nothing and has no status. */
export function aBudget(name = 'pool', namespace = 'shop'): BudgetBuilder {
  return new BudgetBuilder(name, namespace);
}

/** A running VMI without node, strategy or conditions, in namespace `shop`; its UID is `uid-<name>`. */
export function aVmi(name = 'db', namespace = 'shop'): VmiBuilder {
  return new VmiBuilder(name, namespace);
}

/** A VM with run strategy Always and nothing in its status; its UID is `uid-vm-<name>`. */
export function aVm(name = 'db', namespace = 'shop'): VmBuilder {
  return new VmBuilder(name, namespace);
}

/** A migration of the VMI that has not been looked at yet: no phase, no priority. */
export function aMigration(name = 'move-1', vmiName = 'db', namespace = 'shop'): MigrationBuilder {
  return new MigrationBuilder(name, vmiName, namespace);
}

/** A running pod without owner, node or conditions. */
export function aPod(name = 'virt-launcher-db-1', namespace = 'shop'): PodBuilder {
  return new PodBuilder(name, namespace);
}

/** A schedulable node. */
export function aNode(name = 'n1'): NodeBuilder {
  return new NodeBuilder(name);
}

import fc from 'fast-check';
import type { RawObject } from '../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../scenario/schema.ts';
import { poolBudget } from './test-clusters.ts';

export const NODES = ['n1', 'n2', 'n3'];
const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);

/** VMs of every strategy, run strategy, end, phase and oddity, some of them not even complete. */
const aVm: fc.Arbitrary<Omit<ScenarioVm, 'name'>> = fc.record(
  {
    node: pick(...NODES),
    phase: pick('Running', 'Running', 'Running', 'Scheduled', 'Succeeded', 'Failed', 'Pending'),
    launcher: pick('L1', 'L2', ''),
    migratable: pick<true | string>(true, true, 'DisksNotLiveMigratable', 'HostDeviceNotLiveMigratable'),
    strategy: pick('None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External', 'Bogus'),
    templateStrategy: pick('None', 'LiveMigrate'),
    runStrategy: pick('Always', 'RerunOnFailure', 'Manual', 'Once', 'Halted'),
    standalone: fc.boolean(),
    graceSeconds: pick(0, 5, 30, 300),
    acpi: fc.boolean(),
    marked: pick(...NODES),
    deleting: pick(false, false, true),
    conditions: pick<Record<string, string>>(
      {},
      { HotVCPUChange: 'True' },
      { VolumesChange: 'True' },
      { MigrationRequired: 'True' },
    ),
    labels: pick<Record<string, string>>({}, { pool: 'web' }),
    nodeSelector: pick<Record<string, string>>({}, { 'kubernetes.io/hostname': 'n1' }),
    hotplugged: fc.boolean(),
    cpu: pick('100m', '40'),
  },
  { requiredKeys: ['node', 'phase'] },
);

const aBudget = pick<Record<string, unknown>>(
  { minAvailable: 1 },
  { minAvailable: '50%' },
  { maxUnavailable: 1 },
  { minAvailable: 0 },
);

/** Clusters of all sorts. */
export const aCluster: fc.Arbitrary<ScenarioCluster> = fc
  .record({
    vms: fc.array(aVm, { minLength: 1, maxLength: 8 }),
    kubevirt: fc.record({
      version: pick('v1.9.0', 'v1.5.2', 'v1.4.0'),
      phase: pick('Deployed', 'Deployed', 'Deploying'),
      methods: pick<string[]>([], ['LiveMigrate'], ['Evict'], ['LiveMigrate', 'Evict']),
      evictionStrategy: pick('None', 'LiveMigrate', 'LiveMigrateIfPossible'),
      batchEvictionSize: pick(0, 1, 10),
    }),
    budgets: fc.array(aBudget, { maxLength: 2 }),
  })
  .map(({ vms, kubevirt, budgets }) => ({
    kubevirt,
    nodes: NODES,
    vms: named(vms),
    objects: budgets.map((spec, index) => poolBudget(spec, `budget-${index}`)),
  }));

/** Clusters in which each VM is under one of two budgets, and most evictions go through: whose turn comes first matters. */
export const aTightCluster: fc.Arbitrary<ScenarioCluster> = fc
  .record({
    vms: fc.array(
      fc.record(
        {
          node: pick(...NODES),
          labels: pick({ pool: 'web' }, { pool: 'web' }, { pool: 'db' }),
          strategy: pick('None', 'None', 'LiveMigrate', 'LiveMigrateIfPossible'),
          migratable: pick<true | string>(true, 'DisksNotLiveMigratable'),
          runStrategy: pick('Always', 'Manual', 'RerunOnFailure'),
          marked: pick(...NODES),
          nodeSelector: pick({ 'kubernetes.io/hostname': 'n1' }, { 'kubernetes.io/hostname': 'n2' }),
          cpu: pick('100m', '40'),
        },
        { requiredKeys: ['node', 'labels', 'strategy'] },
      ),
      { minLength: 2, maxLength: 8 },
    ),
    web: fc.integer({ min: 0, max: 4 }),
    db: fc.integer({ min: 0, max: 2 }),
    methods: pick<string[]>(['Evict'], ['LiveMigrate', 'Evict']),
  })
  .map(({ vms, web, db, methods }) => ({
    kubevirt: { methods },
    nodes: NODES,
    vms: named(vms),
    objects: [poolBudget({ minAvailable: web }, 'web'), poolBudget({ minAvailable: db }, 'db', 'db')],
  }));

function named(vms: readonly Omit<ScenarioVm, 'name'>[]): ScenarioVm[] {
  return vms.map((vm, index) => ({ ...vm, name: `vm-${index}` }));
}

const aNode = pick(...NODES);
const aNumber = fc.nat(2);

/** Another launcher of a VMI, as old as the first: what a migration leaves, or brings. */
const anotherLauncher = fc.tuple(aNumber, aNode).map(([vm, node]) => {
  const owner = { kind: 'VirtualMachineInstance', name: `vm-${vm}`, uid: `vmi-vm-${vm}`, controller: true };
  const labels = { pool: 'web', 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': owner.uid };
  return podOf(`virt-launcher-vm-${vm}`, node, { labels, ownerReferences: [owner] });
});

/** A pod that keeps pool web off its node, or one that a controller with a scale owns. */
const aPod = fc.tuple(pick('DaemonSet', 'ReplicaSet', 'StatefulSet'), aNode).map(([kind, node]) => {
  const term = { labelSelector: { matchLabels: { pool: 'web' } }, topologyKey: 'kubernetes.io/hostname' };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const owner = { kind, name: kind.toLowerCase(), uid: kind, controller: true };
  const labels = { pool: kind === 'DaemonSet' ? 'guards' : 'web' };
  const pod = podOf(owner.name, node, { labels, ownerReferences: [owner] });
  return kind === 'DaemonSet' ? { ...pod, spec: { ...pod.spec, affinity: { podAntiAffinity } } } : pod;
});

const aQuota = pick('1', '20').map((pods) => ({
  kind: 'ResourceQuota',
  metadata: { name: 'quota' },
  spec: { hard: { pods } },
  status: { hard: { pods }, used: { pods: '10' } },
}));

const aMigration = fc.tuple(aNumber, pick('Pending', 'Running', 'Succeeded')).map(([vm, phase]) => ({
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'migration', uid: 'migration' },
  spec: { vmiName: `vm-${vm}` },
  status: { phase },
}));

/** What else stands about, in no order: each with a name of its own, all of one age. */
export const bystanders: fc.Arbitrary<RawObject[]> = fc
  .array(fc.oneof(anotherLauncher, aPod, aQuota, aMigration), { maxLength: 8 })
  .map((all) => all.map((object, index) => withName(object, `${object.metadata.name}-${index}`)));

interface Named extends RawObject {
  readonly metadata: RawObject & { readonly name: string };
}

function podOf(name: string, node: string, metadata: RawObject) {
  return {
    kind: 'Pod',
    metadata: { name, creationTimestamp: '2026-03-01T10:00:00Z', ...metadata },
    spec: { nodeName: node, containers: [{ name: 'compute', resources: { requests: { cpu: '100m' } } }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function withName(object: Named, name: string): RawObject {
  return { ...object, metadata: { ...object.metadata, name, namespace: 'default', uid: `uid-${name}` } };
}

import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioNode, ScenarioVm } from '../../scenario/schema.ts';
import { drawVm } from './draw-vm.ts';
import type { Draws } from './draws.ts';

/** What else there is to a cluster that is drawn. */
export interface ClusterWishes {
  readonly launcherImage: string;
  /** Launchers of an older image: the updater may then have something to do without any upgrade. */
  readonly hasOutdated: (methods: readonly string[]) => boolean;
  /** External VMs are workers of guest clusters. */
  readonly hasWorkers: boolean;
}

const NODES = ['n1', 'n2', 'n3', 'n4'] as const;

/** A cluster of a few nodes and up to eight VMs, with whatever may stand in their way. */
export function drawCluster(draws: Draws, wishes: ClusterWishes): ScenarioCluster {
  const kubevirt = drawKubevirt(draws);
  const nodes = NODES.slice(0, draws.between(2, 4)) as unknown as readonly [string, ...string[]];
  const hasOutdated = wishes.hasOutdated(kubevirt.methods);
  const around = { nodes, launcherImage: wishes.launcherImage, hasOutdated };
  const vms = Array.from({ length: draws.between(1, 8) }, (_, index) => drawVm(draws, `vm-${index}`, around));
  const cluster = { kubevirt, nodes: nodes.map((name) => drawNode(draws, name, vms)), vms };
  const workers = wishes.hasWorkers ? withSet(vms.flatMap((vm) => workerObjects(draws, vm))) : [];
  const objects = [
    ...vms.flatMap(claimObjects),
    ...drawBudgets(draws),
    ...workers,
    ...(wishes.hasWorkers ? drawHealthCheck(draws) : []),
  ];
  return { ...cluster, objects: [...objects, ...drawQuota(draws, cluster)] };
}

function drawKubevirt(draws: Draws) {
  return {
    version: draws.pick('v1.9.0', 'v1.9.0', 'v1.8.2', 'v1.5.2'),
    ...(draws.percent(8) && { phase: 'Deploying' }),
    ...(draws.percent(8) && { target: 'd2' }),
    methods: draws.pick<string[]>(
      [],
      ['LiveMigrate'],
      ['Evict'],
      ['LiveMigrate', 'Evict'],
      ['LiveMigrate', 'Evict'],
    ),
    evictionStrategy: draws.pick(
      undefined,
      undefined,
      'None',
      'LiveMigrate',
      'LiveMigrateIfPossible',
      'External',
    ),
    batchEvictionSize: draws.pick(undefined, undefined, 0, 1, 2, 10),
    ...(draws.percent(30) && { batchEvictionInterval: '20s' }),
    ...(draws.percent(10) && { migrations: { parallelMigrationsPerCluster: draws.pick(0, 1) } }),
  };
}

/** Launchers that are made anew ask for 5m more each than those that are drawn, for their consoles. */
const NEWER = 0.05;

/** Some are small, some closed, some for others. Whoever is there has room. */
function drawNode(draws: Draws, name: string, vms: readonly ScenarioVm[]): ScenarioNode {
  const cores = vms
    .filter(({ node }) => node === name)
    .map(({ cpu = '100m' }) => (cpu === '100m' ? 0.1 : Number(cpu)));
  const used = Math.ceil(cores.reduce((sum, cpu) => sum + cpu, 0));
  return {
    name,
    ...(draws.percent(20) && { cpu: used + draws.pick(1, 1, 4) + NEWER }),
    ...(draws.percent(10) && { unschedulable: true }),
    ...(draws.percent(10) && { taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }] }),
  };
}

/** The claims that the VMs mount. */
function claimObjects({ name, claims = {}, hotplugged }: ScenarioVm): RawObject[] {
  const plugged = hotplugged ? { plugged: ['ReadWriteMany'] } : {};
  return Object.entries({ ...claims, ...plugged }).map(([volume, accessModes]) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: `${name}-${volume}` },
    spec: { accessModes },
    status: { phase: 'Bound' },
  }));
}

function drawBudgets(draws: Draws): RawObject[] {
  return Array.from({ length: draws.pick(0, 0, 1, 1, 2) }, (_, index) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `budget-${index}` },
    spec: {
      ...draws.pick<RawObject>(
        { minAvailable: 0 },
        { minAvailable: 1 },
        { minAvailable: 2 },
        { minAvailable: '50%' },
        { maxUnavailable: 1 },
      ),
      selector: { matchLabels: { pool: draws.pick('web', 'db') } },
    },
  }));
}

/** As many pods as there are, or a few more. */
function drawQuota(draws: Draws, cluster: ScenarioCluster): RawObject[] {
  if (!draws.percent(10)) return [];
  const used = String(clusterObjects(cluster).filter(({ kind }) => kind === 'Pod').length);
  const hard = { pods: String(Number(used) + draws.pick(0, 0, 20)) };
  return [
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'quota' },
      spec: { hard },
      status: { hard, used: { pods: used } },
    },
  ];
}

function workerObjects(draws: Draws, { name, standalone }: ScenarioVm): RawObject[] {
  if (standalone || draws.percent(20)) return [];
  return [
    {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
      kind: 'KubevirtMachine',
      metadata: { name },
      status: { ready: true },
    },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Machine',
      metadata: {
        name: `machine-${name}`,
        labels: { group: 'workers' },
        ownerReferences: [{ kind: 'MachineSet', name: 'workers', uid: 'set-workers', controller: true }],
      },
      spec: { clusterName: 'tenant', infrastructureRef: { kind: 'KubevirtMachine', name } },
      status: { phase: 'Running', nodeRef: { name } },
    },
  ];
}

/** The set that has made these machines, and makes others for those that are taken away. */
function withSet(workers: readonly RawObject[]): RawObject[] {
  const replicas = workers.filter(({ kind }) => kind === 'Machine').length;
  const set = {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name: 'workers', uid: 'set-workers' },
    spec: { replicas, clusterName: 'tenant' },
  };
  return replicas === 0 ? [...workers] : [set, ...workers];
}

function drawHealthCheck(draws: Draws): RawObject[] {
  if (draws.percent(50)) return [];
  return [
    {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'MachineHealthCheck',
      metadata: { name: 'workers' },
      spec: { clusterName: 'tenant', maxUnhealthy: '50%', selector: { matchLabels: { group: 'workers' } } },
    },
  ];
}

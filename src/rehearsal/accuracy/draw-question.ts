import type { Setting } from '../../forecast/questions.ts';
import type { RawObject } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';
import { Draws } from './draws.ts';
import type { Trial } from './trial.ts';

/** What is changed in the configuration or in a VM, or who is evicted: what an action takes besides the cluster. */
export interface Question {
  readonly set?: readonly Setting[];
  /** `namespace/name` */
  readonly vms?: readonly string[];
}

/** The trial with its question. It draws for itself, so that the cluster is the same whatever is asked. */
export function withQuestion(trial: Trial): Trial {
  const draws = new Draws(seededRandom((trial.seed + 1) * 1000 + 999));
  const { cluster } = trial;
  switch (trial.action) {
    case 'config':
      return { ...trial, set: drawConfig(draws), cluster: withController(trial) };
    case 'edit': {
      // KubeVirt takes a running VM that says it is a receiver for an error, and nothing of it over.
      const running = cluster.vms.filter(
        ({ phase, runStrategy }) => phase !== 'Stopped' && runStrategy !== 'WaitAsReceiver',
      );
      const edited = draws.pick<ScenarioVm>(SPARE, ...running);
      const others = cluster.vms.filter((vm) => vm !== edited);
      const vms = [...others, { ...edited, standalone: undefined }];
      const asked = { vms: [keyIn(edited)], set: [draws.pick(...EDITS)] };
      return { ...trial, ...asked, cluster: withController({ ...trial, cluster: { ...cluster, vms } }) };
    }
    case 'evict': {
      const running = cluster.vms.filter(({ phase }) => phase !== 'Stopped').map(keyIn);
      const some = running.filter(() => draws.percent(60));
      return { ...trial, vms: some.length > 0 ? some : running };
    }
    default:
      return trial;
  }
}

/** A VM that is there to be edited. */
const SPARE: ScenarioVm = { name: 'vm-9', node: 'n1', migratable: true, strategy: 'LiveMigrate' };

function keyIn({ name }: ScenarioVm): string {
  return `default/${name}`;
}

/** One field or two of what changes something for VMs. */
function drawConfig(draws: Draws): Setting[] {
  const first = draws.pick(...CHANGES);
  const second = draws.pick(...CHANGES);
  return draws.percent(50) || first.path === second.path ? [first] : [first, second];
}

const CHANGES: readonly [Setting, ...Setting[]] = [
  { path: 'workloadUpdateMethods', value: 'LiveMigrate' },
  { path: 'workloadUpdateMethods', value: 'Evict' },
  { path: 'workloadUpdateMethods', value: 'LiveMigrate,Evict' },
  { path: 'workloadUpdateMethods', value: 'LiveMigrate,Evict' },
  { path: 'evictionStrategy', value: 'None' },
  { path: 'evictionStrategy', value: 'LiveMigrate' },
  { path: 'evictionStrategy', value: 'LiveMigrateIfPossible' },
  { path: 'evictionStrategy', value: 'External' },
  { path: 'parallelMigrationsPerCluster', value: '0' },
  { path: 'parallelMigrationsPerCluster', value: '5' },
  { path: 'batchEvictionSize', value: '1' },
  { path: 'batchEvictionSize', value: '10' },
  { path: 'nodeDrainTaintKey', value: 'dedicated' },
];

const EDITS: readonly [Setting, ...Setting[]] = [
  { path: 'cpu.sockets', value: '2' },
  { path: 'cpu.sockets', value: '2' },
  { path: 'cpu.sockets', value: '8' },
  { path: 'memory.guest', value: '2Gi' },
  { path: 'memory.guest', value: '2Gi' },
  { path: 'memory.guest', value: '16Gi' },
  { path: 'evictionStrategy', value: 'LiveMigrateIfPossible' },
  { path: 'terminationGracePeriodSeconds', value: '90' },
  { path: 'nodeSelector', value: '{"kubernetes.io/hostname":"n2"}' },
  { path: 'tolerations', value: '[{"key":"dedicated","operator":"Exists"}]' },
];

/** The cluster with the Deployment that says what launchers are started from, as every cluster has it. */
function withController({ cluster, launcherImage }: Trial): ScenarioCluster {
  const labels = { 'kubevirt.io': 'virt-controller' };
  const args = ['--launcher-image', launcherImage];
  const containers = [{ name: 'virt-controller', image: 'virt-controller', args }];
  const deployment: RawObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'virt-controller', namespace: 'kubevirt' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
  return { ...cluster, objects: [...(cluster.objects ?? []), deployment] };
}

import { recordLog, recordMetrics } from '../../../controllers/test-records.ts';
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { virtApiAdmission } from '../../admission/memory-admission.ts';
import { evictionWebhook } from '../../eviction-webhook.ts';
import { MemoryApi } from '../../memory-api.ts';
import { MemoryCluster } from '../../memory-cluster.ts';
import { OwnerCollector } from '../../owner-collector.ts';
import { seededRandom } from '../../seeded-random.ts';
import type { StoredObject } from '../../stored-object.ts';
import { VirtualClock } from '../../virtual-clock.ts';
import type { ActorContext } from '../actor.ts';
import { playTestNode, type TestNode, Values } from '../test-node.ts';
import { vmiController } from '../vmi/vmi-controller.ts';
import { type VmControllerOptions, vmController } from './vm-controller.ts';

export const IMAGE = 'launcher:v1';
export const VM = 'VirtualMachine';
export const VMI = 'VirtualMachineInstance';

const conditionsIn = (object: JsonObject): string =>
  objectsAt(objectAt(object, 'status'), 'conditions')
    .map(({ type, status, reason }) => (type === 'Ready' ? `${reason ?? status}` : `${type}=${status}`))
    .join(' ');

function fieldsOf(object: JsonObject, kind: string): Record<string, unknown> {
  const status = objectAt(object, 'status');
  const labels = objectAt(objectAt(object, 'metadata'), 'labels');
  const common = { conditions: conditionsIn(object) };
  if (kind === VM) {
    const { printableStatus, created, ready, runStrategy } = status;
    const failure = objectAt(status, 'startFailure').consecutiveFailCount;
    const requests = objectsAt(status, 'stateChangeRequests').length || '';
    return { ...common, printableStatus, created, ready, runStrategy, failure, requests };
  }
  if (kind !== VMI) return {};
  return {
    ...common,
    phase: status.phase,
    node: status.nodeName,
    label: labels['kubevirt.io/nodeName'],
    outdated: 'kubevirt.io/outdatedLauncherImage' in labels,
    image: status.launcherContainerImageVersion,
    pods: Object.keys(objectAt(status, 'activePods')).length,
    volumes: objectsAt(status, 'volumeStatus')
      .map(({ name, phase }) => `${name}:${phase ?? ''}`)
      .join(' '),
  };
}

/** A cluster with the VM and the VMI controller and one node, and VMs on it. */
export class VmWorld {
  readonly clock = new VirtualClock(1_772_366_400_000);
  readonly api = new MemoryApi(this.clock, seededRandom(1), {
    admission: virtApiAdmission(this.clock, 'exact'),
  });
  readonly values: Values;
  readonly cluster: MemoryCluster;
  image = IMAGE;

  constructor(node: TestNode = {}, options: VmControllerOptions = {}) {
    new OwnerCollector(this.api);
    this.values = new Values(this.api, fieldsOf);
    playTestNode(this.api, this.clock, node);
    const { api, clock } = this;
    this.cluster = new MemoryCluster({ api, clock, evictionWebhook: evictionWebhook(api, 'exact') });
    this.startControllers(options);
  }

  get context(): ActorContext {
    const { cluster, clock } = this;
    const { metrics } = recordMetrics();
    return { cluster, clock, random: seededRandom(3), log: recordLog(), metrics };
  }

  startControllers(options: VmControllerOptions = {}): void {
    const { context } = this;
    vmController(context, options).start();
    vmiController(context, { launcherImage: () => this.image, isVmLast: options.isVmLast }).start();
  }

  create(vm: object): void {
    const result = this.api.create(VM, 'shop', vm);
    if (!result.ok) throw new Error(result.message);
  }

  /** A VM that is named, created, and boots, if it starts by itself. */
  async boot(name: string, runStrategy = 'Always', spec: object = {}): Promise<void> {
    this.create(aRawVm(name, runStrategy, spec));
    await this.clock.advance(5);
  }

  vm(name = 'db'): StoredObject | undefined {
    return this.api.get(VM, `shop/${name}`);
  }

  vmi(name = 'db'): StoredObject | undefined {
    return this.api.get(VMI, `shop/${name}`);
  }

  pods(prefix = 'virt-launcher'): readonly StoredObject[] {
    return [...this.api.list('Pod')].filter(({ metadata }) => metadata.name.startsWith(prefix));
  }

  async evict(): Promise<void> {
    const name = this.pods()[0]?.metadata.name ?? '';
    await this.cluster.evict({
      namespace: 'shop',
      pod: name,
      body: { metadata: { name, namespace: 'shop' } },
    });
  }

  /** Changes the spec of a VM's template. */
  edit(name: string, change: (spec: JsonObject) => JsonObject): void {
    this.api.modify(VM, `shop/${name}`, (held) => {
      const spec = objectAt(held, 'spec');
      const template = objectAt(spec, 'template');
      return {
        ...held,
        spec: { ...spec, template: { ...template, spec: change(objectAt(template, 'spec')) } },
      };
    });
  }

  request(name: string, ...stateChangeRequests: object[]): void {
    const change = (held: StoredObject) => ({
      ...held,
      status: { ...objectAt(held, 'status'), stateChangeRequests },
    });
    this.api.modify(VM, `shop/${name}`, change, { subresource: 'status' });
  }

  /** The CR with this configuration. */
  configure(configuration: object = {}): void {
    const metadata = { name: 'kubevirt', namespace: 'kubevirt' };
    this.api.put('KubeVirt', { kind: 'KubeVirt', metadata, spec: { configuration } });
  }

  /** Events as `VM Reason`. */
  told(): readonly string[] {
    return this.cluster.events.map(({ kind, reason }) => `${kind === VMI ? 'VMI' : 'VM'} ${reason}`);
  }

  messages(): readonly string[] {
    return this.cluster.events.map(({ message }) => message);
  }
}

export function aRawVm(name: string, runStrategy: string, spec: object = {}) {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: VM,
    metadata: { name },
    spec: {
      runStrategy,
      template: {
        metadata: { labels: {}, annotations: { 'lab/shutdown': 'clean:2' } },
        spec: {
          domain: { cpu: { sockets: 1, cores: 1, threads: 1 }, memory: { guest: '1Gi' }, devices: {} },
          ...spec,
        },
      },
    },
  };
}

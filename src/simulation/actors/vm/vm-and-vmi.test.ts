import { describe, expect, it } from 'vitest';
import { recordLog, recordMetrics } from '../../../controllers/test-records.ts';
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { virtApiAdmission } from '../../admission/memory-admission.ts';
import { evictionWebhook } from '../../eviction-webhook.ts';
import { MemoryApi } from '../../memory-api.ts';
import { MemoryCluster } from '../../memory-cluster.ts';
import { OwnerCollector } from '../../owner-collector.ts';
import { seededRandom } from '../../seeded-random.ts';
import { VirtualClock } from '../../virtual-clock.ts';
import { playTestNode, type TestNode, Values } from '../test-node.ts';
import { vmiController } from '../vmi/vmi-controller.ts';
import { type VmControllerOptions, vmController } from './vm-controller.ts';

const IMAGE = 'launcher:v1';
const VMI = 'VirtualMachineInstance';

const conditionsIn = (object: JsonObject): string =>
  objectsAt(objectAt(object, 'status'), 'conditions')
    .map(({ type, status, reason }) => (type === 'Ready' ? `${reason ?? status}` : `${type}=${status}`))
    .join(' ');

function fieldsOf(object: JsonObject, kind: string): Record<string, unknown> {
  const status = objectAt(object, 'status');
  const labels = objectAt(objectAt(object, 'metadata'), 'labels');
  const common = { conditions: conditionsIn(object) };
  if (kind === 'VirtualMachine') {
    const { printableStatus, created, ready, runStrategy } = status;
    const failure = objectAt(status, 'startFailure').consecutiveFailCount;
    return {
      ...common,
      printableStatus,
      created,
      ready,
      runStrategy,
      failure,
      requests: objectsAt(status, 'stateChangeRequests').length || '',
    };
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
  };
}

/** A cluster with both controllers and a node. */
function aCluster(node: TestNode = {}, options: VmControllerOptions = {}) {
  const clock = new VirtualClock(1_772_366_400_000);
  const api = new MemoryApi(clock, seededRandom(1), { admission: virtApiAdmission(clock, 'exact') });
  new OwnerCollector(api);
  const values = new Values(api, fieldsOf);
  playTestNode(api, clock, node);
  const cluster = new MemoryCluster({ api, clock, evictionWebhook: evictionWebhook(api, 'exact') });
  const context = {
    cluster,
    clock,
    random: seededRandom(3),
    log: recordLog(),
    metrics: recordMetrics().metrics,
  };
  const image = { now: IMAGE };
  const actors = [vmController(context, options), vmiController(context, { launcherImage: () => image.now })];
  for (const actor of actors) actor.start();
  return { clock, api, cluster, values, image, actors };
}

const aVm = (name: string, runStrategy: string, spec: object = {}) => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name },
  spec: {
    runStrategy,
    template: {
      metadata: { labels: {}, annotations: { 'lab/shutdown': 'clean:2' } },
      spec: {
        domain: { cpu: { sockets: 1, cores: 1, threads: 1 }, memory: { guest: '64Mi' }, devices: {} },
        ...spec,
      },
    },
  },
});

type World = ReturnType<typeof aCluster>;

const create = ({ api }: World, vm: object) => {
  const result = api.create('VirtualMachine', 'shop', vm);
  if (!result.ok) throw new Error(result.message);
};
const launchers = ({ api }: World) =>
  [...api.list('Pod')].filter(({ metadata }) => metadata.name.startsWith('virt-launcher'));
const evict = async ({ cluster, api }: World) => {
  const [pod] = [...api.list('Pod')];
  const name = pod?.metadata.name ?? '';
  await cluster.evict({ namespace: 'shop', pod: name, body: { metadata: { name, namespace: 'shop' } } });
};
const told = ({ cluster }: World) =>
  cluster.events.map(({ kind, reason }) => `${kind === VMI ? 'VMI' : 'VM'} ${reason}`);
const request = ({ api }: World, name: string, ...stateChangeRequests: object[]) =>
  api.modify(
    'VirtualMachine',
    `shop/${name}`,
    (held) => ({ ...held, status: { ...objectAt(held, 'status'), stateChangeRequests } }),
    { subresource: 'status' },
  );

const BOOTED = 'True LiveMigratable=True StorageLiveMigratable=True';
const LEAVING = 'PodTerminating LiveMigratable=True StorageLiveMigratable=True';

describe('a VM that always runs', () => {
  it('starts as the recorded ones do', async () => {
    const world = aCluster();
    create(world, aVm('db', 'Always'));
    await world.clock.advance(5);
    const { values } = world;
    expect(values.of('VirtualMachine printableStatus')).toEqual(['–', 'Stopped', 'Starting', 'Running']);
    expect(values.of('VirtualMachine runStrategy')).toEqual(['–', 'Always']);
    expect(values.of('VirtualMachine ready')).toEqual(['–', 'true']);
    expect(values.of('VirtualMachine conditions')).toEqual([
      '–',
      'VMINotExists',
      'VMIConditionMissing',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
    ]);
    expect(values.of(`${VMI} phase`)).toEqual(['Pending', 'Scheduling', 'Scheduled', 'Running']);
    expect(values.of(`${VMI} conditions`)).toEqual([
      '–',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
    ]);
    expect(values.of(`${VMI} image`)).toEqual(['–', IMAGE]);
    expect(values.of(`${VMI} node`)).toEqual(['–', 'n1']);
    expect(values.of(`${VMI} label`)).toEqual(['–', 'n1']);
    expect(values.of(`${VMI} pods`)).toEqual(['0', '1']);
    expect(world.cluster.events.map(({ message }) => message)).toEqual([
      'Started the virtual machine by creating the new virtual machine instance db',
      `Created virtual machine pod ${launchers(world)[0]?.metadata.name}`,
    ]);
    expect(world.cluster.events.every(({ component }) => component === 'virtualmachine-controller')).toBe(
      true,
    );
    expect(launchers(world)[0]?.metadata.labels).toMatchObject({ 'kubevirt.io/nodeName': 'n1' });
    expect(launchers(world)[0]?.metadata.annotations).toMatchObject({ 'lab/shutdown': 'clean:2' });
  });

  it('comes back after an eviction', async () => {
    const world = aCluster();
    create(world, aVm('db', 'Always'));
    await world.clock.advance(5);
    await evict(world);
    await world.clock.advance(8);
    const { values } = world;
    expect(values.of('VirtualMachine printableStatus')).toEqual([
      '–',
      'Stopped',
      'Starting',
      'Running',
      'Stopped',
      'Starting',
      'Running',
    ]);
    expect(values.of(`${VMI} phase`)).toEqual([
      'Pending',
      'Scheduling',
      'Scheduled',
      'Running',
      'Succeeded',
      'Pending',
      'Scheduling',
      'Scheduled',
      'Running',
    ]);
    expect(values.of(`${VMI} conditions`)).toEqual([
      '–',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
      LEAVING,
      '–',
      'GuestNotRunning',
      'GuestNotRunning LiveMigratable=True StorageLiveMigratable=True',
      BOOTED,
    ]);
    expect(values.of('VirtualMachine failure')).toEqual(['–']);
    expect(told(world)).toEqual([
      'VM SuccessfulCreate',
      'VMI SuccessfulCreate',
      'VM SuccessfulDelete',
      'VM SuccessfulCreate',
      'VMI SuccessfulCreate',
    ]);
    expect(launchers(world)).toHaveLength(1);
  });

  it('is stopped and started by a request to restart', async () => {
    const world = aCluster();
    create(world, aVm('db', 'Always'));
    await world.clock.advance(5);
    const uid = world.api.get(VMI, 'shop/db')?.metadata.uid;
    request(world, 'db', { action: 'Stop', uid }, { action: 'Start' });
    await world.clock.advance(10);
    expect(world.values.of('VirtualMachine printableStatus')).toEqual([
      '–',
      'Stopped',
      'Starting',
      'Running',
      'Stopping',
      'Stopped',
      'Starting',
      'Running',
    ]);
    expect(world.values.of('VirtualMachine requests')).toEqual(['–', '2', '1', '–']);
    expect(world.cluster.events.map(({ message }) => message)).toContain(
      `Stopped the virtual machine by deleting the virtual machine instance ${uid}`,
    );
    expect(told(world).filter((event) => event === 'VMI SuccessfulDelete')).toHaveLength(1);
  });

  it('waits longer after each start that failed', async () => {
    const world = aCluster({ boots: false });
    create(world, aVm('db', 'Always'));
    await world.clock.advance(3);
    for (let round = 0; round < 2; round++) {
      const [pod] = launchers(world);
      world.api.delete('Pod', `shop/${pod?.metadata.name}`, { graceSeconds: 0 });
      await world.clock.advance(2);
      expect(launchers(world)).toHaveLength(0);
      await world.clock.advance(round === 0 ? 20 : 70);
      expect(launchers(world)).toHaveLength(1);
    }
    expect(world.values.of('VirtualMachine printableStatus')).toEqual([
      '–',
      'Stopped',
      'Starting',
      'CrashLoopBackOff',
      'Starting',
      'CrashLoopBackOff',
      'Starting',
    ]);
    expect(world.values.of('VirtualMachine failure')).toEqual(['–', '1', '2']);
  });

  it('goes with its VMI when it is deleted', async () => {
    const world = aCluster();
    create(world, aVm('db', 'Always'));
    await world.clock.advance(5);
    world.api.delete('VirtualMachine', 'shop/db');
    await world.clock.advance(10);
    expect([...world.api.list('VirtualMachine'), ...world.api.list(VMI), ...world.api.list('Pod')]).toEqual(
      [],
    );
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe('Terminating');
    expect(told(world)).toContain('VM SuccessfulDelete');
  });

  it('waits for its disks', async () => {
    const world = aCluster({}, { provisioningSecondsOf: () => 30 });
    create(world, aVm('db', 'Always'));
    await world.clock.advance(29);
    expect(world.values.of('VirtualMachine printableStatus')).toEqual(['–', 'Stopped', 'Provisioning']);
    await world.clock.advance(6);
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe('Running');
  });
});

describe('after an eviction', () => {
  it.each([
    ['Always', 'Succeeded', 'Running', 'Running'],
    ['RerunOnFailure', 'Succeeded', 'Stopped', undefined],
    ['RerunOnFailure', 'Failed', 'Running', 'Running'],
    ['Manual', 'Succeeded', 'Stopped', 'Succeeded'],
    ['Manual', 'Failed', 'Stopped', 'Failed'],
    ['Once', 'Succeeded', 'Stopped', 'Succeeded'],
  ] as const)('%s whose guest ended %s: %s', async (strategy, end, status, phase) => {
    const world = aCluster({ endOf: () => ({ phase: end, seconds: 2 }) });
    create(world, aVm('db', strategy));
    await world.clock.settle();
    if (strategy === 'Manual') {
      expect(world.values.of('VirtualMachine printableStatus')).toEqual(['–', 'Stopped']);
      request(world, 'db', { action: 'Start' });
    }
    await world.clock.advance(5);
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe('Running');
    await evict(world);
    await world.clock.advance(10);
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe(status);
    const vmi = world.api.get(VMI, 'shop/db');
    expect(vmi && objectAt(vmi, 'status').phase).toBe(phase);
    if (phase === 'Succeeded' || phase === 'Failed') {
      expect(vmi?.metadata.finalizers ?? []).toEqual([]);
      expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(
        'PodNotExists LiveMigratable=True StorageLiveMigratable=True',
      );
      expect(world.values.of(`${VMI} image`).at(-1)).toBe('–');
      expect(world.values.of(`${VMI} pods`).at(-1)).toBe('0');
    }
  });

  it('a Halted VM is never started, until a start makes it Always', async () => {
    const world = aCluster();
    create(world, aVm('db', 'Halted'));
    await world.clock.advance(5);
    expect([...world.api.list(VMI)]).toEqual([]);
    request(world, 'db', { action: 'Start' });
    await world.clock.advance(5);
    const vm = world.api.get('VirtualMachine', 'shop/db');
    expect(vm && objectAt(vm, 'spec').runStrategy).toBe('Always');
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe('Running');
  });

  it('a VMI without VM stays for ever', async () => {
    const world = aCluster();
    world.api.create(VMI, 'shop', { metadata: { name: 'alone' }, spec: { domain: {} } });
    await world.clock.advance(5);
    await evict(world);
    await world.clock.advance(10);
    expect(world.values.of(`${VMI} phase`).at(-1)).toBe('Succeeded');
    expect(world.api.get(VMI, 'shop/alone')?.metadata.finalizers).toBeUndefined();
    expect(told(world)).toEqual(['VMI SuccessfulCreate']);
  });
});

describe('a launcher without a place', () => {
  it('shows on VMI and VM until it has one', async () => {
    const place = { found: false };
    const world = aCluster({ hasPlace: () => place.found });
    create(world, aVm('db', 'Always'));
    await world.clock.advance(2);
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe('ErrorUnschedulable');
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe('GuestNotRunning PodScheduled=False');
    const [pod] = launchers(world);
    const condition = { type: 'PodScheduled', status: 'True' };
    world.api.modify(
      'Pod',
      `shop/${pod?.metadata.name}`,
      (held) => ({ ...held, status: { conditions: [condition] } }),
      { subresource: 'status' },
    );
    await world.clock.settle();
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe('Starting');
  });

  it('whose creation is refused is tried again, and said', async () => {
    const world = aCluster();
    const { api } = world;
    const createPod = api.create.bind(api);
    let refusals = 3;
    api.create = (kind, namespace, object) =>
      kind === 'Pod' && refusals-- > 0
        ? { ok: false, code: 403, reason: 'Forbidden', message: 'exceeded quota' }
        : createPod(kind, namespace, object);
    create(world, aVm('db', 'Always'));
    await world.clock.advance(5);
    expect(world.values.of(`${VMI} conditions`).slice(0, 3)).toEqual([
      '–',
      'PodNotExists Synchronized=False',
      'GuestNotRunning',
    ]);
    expect(world.cluster.events.filter(({ reason }) => reason === 'FailedCreate')).toHaveLength(3);
    expect(world.cluster.events[1]).toMatchObject({
      type: 'Warning',
      message: 'Error creating pod: exceeded quota',
    });
    expect(world.values.of('VirtualMachine printableStatus').at(-1)).toBe('Running');
  });
});

describe('a new launcher image', () => {
  it('makes VMIs outdated, and those that start anew are not', async () => {
    const world = aCluster();
    create(world, aVm('db', 'Always'));
    await world.clock.advance(5);
    world.image.now = 'launcher:v2';
    world.api.put('KubeVirt', { kind: 'KubeVirt', metadata: { name: 'kubevirt', namespace: 'kubevirt' } });
    await world.clock.settle();
    expect(world.values.of(`${VMI} outdated`)).toEqual(['false', 'true']);
    expect(launchers(world)[0]?.metadata.labels).toHaveProperty(['kubevirt.io/outdatedLauncherImage'], '');
    await evict(world);
    await world.clock.advance(10);
    expect(world.values.of(`${VMI} outdated`)).toEqual(['false', 'true', 'false']);
    expect(world.values.of(`${VMI} image`)).toEqual(['–', IMAGE, '–', 'launcher:v2']);
  });
});

describe('an eviction that marks a VMI', () => {
  it('shows on pod and VMI as long as it lasts', async () => {
    const world = aCluster();
    world.api.put('KubeVirt', {
      kind: 'KubeVirt',
      metadata: { name: 'kubevirt', namespace: 'kubevirt' },
      spec: { configuration: { evictionStrategy: 'LiveMigrate' } },
    });
    create(world, aVm('db', 'Always'));
    await world.clock.advance(5);
    await evict(world);
    await world.clock.settle();
    const annotation = ['annotations', 'descheduler.alpha.kubernetes.io/eviction-in-progress'];
    expect(launchers(world)[0]?.metadata).toHaveProperty(annotation, 'true');
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(`${BOOTED} EvictionRequested=True`);
    world.api.modify(VMI, 'shop/db', (held) => ({
      ...held,
      status: { ...objectAt(held, 'status'), evacuationNodeName: '' },
    }));
    await world.clock.settle();
    expect(launchers(world)[0]?.metadata).not.toHaveProperty(annotation);
    expect(world.values.of(`${VMI} conditions`).at(-1)).toBe(BOOTED);
    expect(world.values.of('VirtualMachine conditions').at(-1)).toBe(BOOTED);
  });
});

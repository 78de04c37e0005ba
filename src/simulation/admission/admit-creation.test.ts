import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aVm, aVmi } from '../../kubevirt/builders.ts';
import { isJsonObject, type JsonObject } from '../../kubevirt/json.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import { appliedIn, recordedBefore, valueAt } from '../test-recording.ts';
import { type AdmissionLookup, admitCreation, refuseUpdate } from './admit-creation.ts';

const NOW = 1_772_366_400_000;
const LATEST = 'kubevirt.io/latest-observed-api-version';

interface Facts {
  kubevirt?: KubeVirt;
  vmi?: Vmi;
  byVirtController?: boolean;
  behavior?: 'exact' | 'intended';
  labelled?: ReturnType<AdmissionLookup['migrationsLabelled']>;
}

function lookup({ kubevirt, vmi, byVirtController = true, behavior = 'exact', labelled = [] }: Facts = {}) {
  return {
    behavior,
    now: NOW,
    byVirtController,
    kubevirt: () => kubevirt,
    vmi: (_: string, name: string) => (vmi?.metadata.name === name ? vmi : undefined),
    migrationsLabelled: (_: string, name: string) => labelled.filter(({ spec }) => spec?.vmiName === name),
  };
}

const json = (object: object): JsonObject => JSON.parse(JSON.stringify(object));

function created(kind: Parameters<typeof admitCreation>[0], object: object, facts: Facts = {}): JsonObject {
  const answer = admitCreation(kind, json(object), lookup(facts));
  if (!answer.allowed) throw new Error(answer.message);
  return answer.object;
}

const withMinimalVmi = (domain: object, spec: object = {}) => ({
  kind: 'VirtualMachineInstance',
  metadata: { name: 'alone', namespace: 'shop' },
  spec: { domain, ...spec },
});
const ofVmi = (domain: object, facts?: Facts, spec?: object) =>
  created('VirtualMachineInstance', withMinimalVmi(domain, spec), facts);

/** Without what is random in one and derived in the other, and without what came later. */
function withoutIdentity(spec: unknown): unknown {
  return JSON.parse(JSON.stringify(spec), (key, value: unknown) => {
    if (key !== 'firmware') return value;
    return isJsonObject(value) ? Object.keys(value) : value;
  });
}

describe('a new VM', () => {
  it.each(['run-strategies', 'cpu-hotplug'])('is completed as the real one of %s', (name) => {
    const [sent] = appliedIn(name).filter(({ kind }) => kind === 'VirtualMachine');
    const recorded = recordedBefore(name, 'VirtualMachine', String(valueAt(sent, 'metadata', 'name')));
    const template = valueAt(created('VirtualMachine', sent ?? {}), 'spec', 'template');
    expect(withoutIdentity(valueAt(template, 'spec'))).toEqual(
      withoutIdentity(valueAt(recorded, 'spec', 'template', 'spec')),
    );
    expect(valueAt(template, 'metadata', 'annotations')).toEqual(
      valueAt(recorded, 'spec', 'template', 'metadata', 'annotations'),
    );
  });

  it('keeps what it says itself', () => {
    const vm = aVm('db').template({ architecture: 'arm64' }).build();
    const sent = json(vm) as { spec: { template: { spec: object; metadata?: object } } };
    sent.spec.template.spec = {
      architecture: 'arm64',
      domain: { firmware: { uuid: 'own' }, machine: { type: 'virt-9' } },
    };
    sent.spec.template.metadata = { annotations: { 'kubevirt.io/pci-topology-version': 'v2' } };
    const { spec } = created('VirtualMachine', sent) as typeof sent;
    expect(valueAt(spec.template, 'metadata', 'annotations', 'kubevirt.io/pci-topology-version')).toBe('v2');
    expect(valueAt(spec.template, 'spec', 'domain', 'firmware', 'uuid')).toBe('own');
    expect(valueAt(spec.template, 'spec', 'domain', 'machine')).toEqual({ type: 'virt-9' });
  });

  it.each([
    [
      'both ways of running',
      { running: true, runStrategy: 'Always', template: {} },
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
    ],
    ['no way of running', { template: {} }, 'RunStrategy must be specified'],
    ['no template', { runStrategy: 'Always' }, 'missing virtual machine template.'],
    [
      'an unknown strategy',
      { runStrategy: 'Always', template: { spec: { evictionStrategy: 'Maybe' } } },
      'spec.template.spec.evictionStrategy is set with an unrecognized option: Maybe',
    ],
  ])('is refused with %s', (_, spec, message) => {
    const vm = { kind: 'VirtualMachine', metadata: { name: 'db', namespace: 'shop' }, spec };
    expect(admitCreation('VirtualMachine', vm, lookup())).toMatchObject({
      allowed: false,
      webhook: 'virtualmachine-validator.kubevirt.io',
      code: 422,
      reason: 'Invalid',
      message,
    });
  });
});

describe('a new VMI', () => {
  it('is completed as the real one', () => {
    const sent = appliedIn('standalone')[0] ?? {};
    const recorded = recordedBefore('standalone', 'VirtualMachineInstance', 'alone');
    const vmi = created('VirtualMachineInstance', sent);
    const { firmware: _, ...domain } = valueAt(recorded, 'spec', 'domain') as JsonObject;
    expect(vmi.spec).toEqual({ ...(recorded.spec as JsonObject), domain });
    expect(valueAt(vmi, 'metadata', 'finalizers')).toEqual(valueAt(recorded, 'metadata', 'finalizers'));
    expect(vmi.status).toEqual({
      phase: 'Pending',
      phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: '2026-03-01T12:00:00Z' }],
      runtimeUser: 107,
      currentCPUTopology: valueAt(recorded, 'status', 'currentCPUTopology'),
      memory: { guestAtBoot: '64Mi', guestCurrent: '64Mi', guestRequested: '64Mi' },
    });
    expect(valueAt(recorded, 'metadata', 'annotations', LATEST)).toBe('v1');
  });

  it('is stamped with the strategy of the cluster, and keeps its own', () => {
    const kubevirt = aKubeVirt()
      .spec({ configuration: { evictionStrategy: 'LiveMigrate' } })
      .build();
    expect(valueAt(ofVmi({}, { kubevirt }), 'spec', 'evictionStrategy')).toBe('LiveMigrate');
    const own = ofVmi({}, { kubevirt }, { evictionStrategy: 'External' });
    expect(valueAt(own, 'spec', 'evictionStrategy')).toBe('External');
  });

  it('keeps finalizers, one of each', () => {
    const finalizers = ['kubevirt.io/foregroundDeleteVirtualMachine', 'other'];
    const vmi = { ...withMinimalVmi({}), metadata: { name: 'a', namespace: 'b', finalizers } };
    expect(valueAt(created('VirtualMachineInstance', vmi), 'metadata', 'finalizers')).toEqual(finalizers);
  });

  it.each([
    ['nothing', {}, { sockets: 1, cores: 1, threads: 1, maxSockets: 4 }],
    [
      'CPUs that are asked of the node',
      { resources: { requests: { cpu: '1500m' } } },
      { sockets: 2, cores: 1, threads: 1, maxSockets: 8 },
    ],
    [
      'limits before requests',
      { resources: { limits: { cpu: '3' }, requests: { cpu: '1' } } },
      { sockets: 3, cores: 1, threads: 1, maxSockets: 12 },
    ],
    [
      'many CPUs',
      { cpu: { sockets: 100, cores: 2, threads: 2 } },
      { sockets: 100, cores: 2, threads: 2, maxSockets: 128 },
    ],
    [
      'more CPUs than may grow',
      { cpu: { sockets: 600, cores: 1, threads: 1 } },
      { sockets: 600, cores: 1, threads: 1, maxSockets: 600 },
    ],
    [
      'a maximum of its own',
      { cpu: { sockets: 1, cores: 1, threads: 1, maxSockets: 2 } },
      { sockets: 1, cores: 1, threads: 1, maxSockets: 2 },
    ],
    [
      'a model of its own',
      { cpu: { sockets: 1, cores: 1, threads: 1, model: 'EPYC' } },
      { sockets: 1, cores: 1, threads: 1, maxSockets: 4, model: 'EPYC' },
    ],
  ])('gets its topology from %s', (_, domain, cpu) => {
    expect(valueAt(ofVmi(domain), 'spec', 'domain', 'cpu')).toEqual({ model: 'host-model', ...cpu });
  });

  it.each([
    ['that fits', { memory: { guest: '1Gi' } }, { guest: '1Gi', maxGuest: '4Gi' }],
    ['below the least', { memory: { guest: '1023Mi' } }, { guest: '1023Mi' }],
    ['asked of the node', { resources: { requests: { memory: '2Gi' } } }, { guest: '2Gi', maxGuest: '8Gi' }],
    ['as a limit', { resources: { limits: { memory: '512Mi' } } }, { guest: '512Mi' }],
    [
      'in huge pages',
      { memory: { hugepages: { pageSize: '1Gi' } } },
      { guest: '1Gi', hugepages: { pageSize: '1Gi' }, maxGuest: '4Gi' },
    ],
    [
      'with a maximum of its own',
      { memory: { guest: '1Gi', maxGuest: '2Gi' } },
      { guest: '1Gi', maxGuest: '2Gi' },
    ],
    [
      'of a guest that is encrypted',
      { memory: { guest: '1Gi' }, launchSecurity: { sev: {} } },
      { guest: '1Gi' },
    ],
    ['that nobody names', {}, undefined],
  ])('gets memory %s', (_, domain, memory) => {
    expect(valueAt(ofVmi(domain), 'spec', 'domain', 'memory')).toEqual(memory);
  });

  it('grows as far as the cluster says', () => {
    const kubevirt = aKubeVirt().build();
    const configuration = {
      liveUpdateConfiguration: { maxCpuSockets: 3, maxGuest: '6Gi', maxHotplugRatio: 2 },
    };
    const limited = { ...kubevirt, spec: { ...kubevirt.spec, configuration } };
    const vmi = ofVmi({ memory: { guest: '1Gi' } }, { kubevirt: limited });
    expect(valueAt(vmi, 'spec', 'domain', 'cpu', 'maxSockets')).toBe(3);
    expect(valueAt(vmi, 'spec', 'domain', 'memory', 'maxGuest')).toBe('6Gi');
  });

  it.each([
    [
      'under Stage',
      { kubevirt: { ...aKubeVirt().build(), spec: { configuration: { vmRolloutStrategy: 'Stage' } } } },
      {},
    ],
    ['on arm64', {}, { architecture: 'arm64' }],
  ])('does not grow %s', (_, facts, spec) => {
    const vmi = ofVmi({ memory: { guest: '1Gi' } }, facts, spec);
    expect(valueAt(vmi, 'spec', 'domain', 'cpu', 'maxSockets')).toBeUndefined();
    expect(valueAt(vmi, 'spec', 'domain', 'memory')).toEqual({ guest: '1Gi' });
  });

  it.each([
    ['registry/disk', 'Always'],
    ['registry/disk:latest', 'Always'],
    ['registry/disk:1', 'IfNotPresent'],
    ['registry/disk@sha256:0', 'IfNotPresent'],
  ])('pulls %s: %s', (image, imagePullPolicy) => {
    const vmi = ofVmi({}, {}, { volumes: [{ name: 'd', containerDisk: { image } }] });
    expect(valueAt(vmi, 'spec', 'volumes')).toEqual([
      { name: 'd', containerDisk: { image, imagePullPolicy } },
    ]);
  });

  it.each([
    ['amd64', 'q35'],
    ['arm64', 'virt'],
    ['s390x', 's390-ccw-virtio'],
  ])('of %s has machine %s', (architecture, type) => {
    expect(valueAt(ofVmi({}, {}, { architecture }), 'spec', 'domain', 'machine')).toEqual({ type });
  });

  it('crashes the webhook where the cluster has an unknown strategy', () => {
    const kubevirt = aKubeVirt()
      .spec({ configuration: { evictionStrategy: 'Maybe' } })
      .build();
    const answer = (behavior: 'exact' | 'intended') =>
      admitCreation('VirtualMachineInstance', withMinimalVmi({}), lookup({ kubevirt, behavior }));
    expect(answer('exact')).toMatchObject({ allowed: false, code: 500, reason: 'InternalError' });
    expect(answer('intended')).toMatchObject({
      code: 422,
      message: 'spec.evictionStrategy is set with an unrecognized option: Maybe',
    });
  });
});

describe('a migration', () => {
  const migration = aMigration('move').build();
  const vmi = aVmi('db').on('n1').migratable().build();

  it('is labelled and kept by a finalizer', () => {
    const stored = created('VirtualMachineInstanceMigration', migration, { vmi });
    expect(valueAt(stored, 'metadata', 'labels', 'kubevirt.io/vmi-name')).toBe('db');
    expect(valueAt(stored, 'metadata', 'finalizers')).toEqual(['kubevirt.io/migrationJobFinalize']);
    expect(stored.spec).toEqual(json(migration).spec);
  });

  it.each([
    ['nobody to move', {}, 400, 'the VMI "shop/db" does not exist'],
    [
      'another in flight',
      { vmi, labelled: [aMigration('first').build()] },
      400,
      'in-flight migration detected. Active migration job (uid-first) is currently already in progress for VMI db.',
    ],
    [
      'a VMI that cannot move',
      { vmi: aVmi('db').migratable('False', 'R', 'm').build() },
      400,
      'Cannot migrate VMI, Reason: R, Message: m',
    ],
  ])('is refused with %s', (_, facts: Facts, code, message) => {
    const answer = admitCreation('VirtualMachineInstanceMigration', json(migration), lookup(facts));
    expect(answer).toMatchObject({ allowed: false, webhook: 'migration-create-validator.kubevirt.io', code });
    expect(answer).toMatchObject({
      message: message.replace('default/', `${migration.metadata.namespace}/`),
    });
  });

  it('has no priority of a user', () => {
    const urgent = { ...migration, spec: { vmiName: 'db', priority: 'system-critical' } };
    const facts = { vmi, byVirtController: false };
    const kind = 'VirtualMachineInstanceMigration';
    expect(admitCreation(kind, json(urgent), lookup(facts))).toMatchObject({
      code: 422,
      causes: [{ reason: 'FieldValueForbidden', field: 'spec.migrationPriority' }],
    });
    expect(admitCreation(kind, json(urgent), lookup({ vmi }))).toMatchObject({ allowed: true });
  });

  it('never changes its spec', () => {
    const other = json({ ...migration, spec: { vmiName: 'web' } });
    const refused = refuseUpdate('VirtualMachineInstanceMigration', json(migration), other, lookup());
    expect(refused).toMatchObject({
      webhook: 'migration-update-validator.kubevirt.io',
      message: "update of Migration object's spec is restricted",
    });
    const same = json(migration);
    expect(refuseUpdate('VirtualMachineInstanceMigration', same, same, lookup())).toBeUndefined();
  });
});

describe('others', () => {
  it('are let through', () => {
    const pod = { metadata: { name: 'p', namespace: 'n' } };
    expect(admitCreation('Pod', pod, lookup())).toEqual({ allowed: true, object: pod });
    expect(refuseUpdate('Pod', pod, { ...pod, spec: {} }, lookup())).toBeUndefined();
  });

  it('a VM may not be changed into one that would be refused', () => {
    const before = json(aVm('db').build());
    const after = { ...before, spec: {} };
    expect(refuseUpdate('VirtualMachine', before, after, lookup())).toMatchObject({ code: 422 });
    expect(refuseUpdate('VirtualMachine', before, { ...before, status: {} }, lookup())).toBeUndefined();
  });
});

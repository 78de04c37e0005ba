import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import { appliedIn, recordedBefore, valueAt } from '../test-recording.ts';
import { admitCreation } from './admit-creation.ts';
import { created, type Facts, lookup } from './test-admit-creation.ts';

const LATEST = 'kubevirt.io/latest-observed-api-version';

const withMinimalVmi = (domain: object, spec: object = {}) => ({
  kind: 'VirtualMachineInstance',
  metadata: { name: 'alone', namespace: 'shop' },
  spec: { domain, ...spec },
});

const ofVmi = (domain: object, facts?: Facts, spec?: object) =>
  created('VirtualMachineInstance', withMinimalVmi(domain, spec), facts);

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

  it.each(['exact', 'intended'] as const)(
    'is refused with the unknown strategy that it is stamped with (%s)',
    (behavior) => {
      const kubevirt = aKubeVirt()
        .spec({ configuration: { evictionStrategy: 'Maybe' } })
        .build();
      const facts = lookup({ kubevirt, behavior });
      expect(admitCreation('VirtualMachineInstance', withMinimalVmi({}), facts)).toMatchObject({
        allowed: false,
        code: 422,
        message: 'spec.evictionStrategy is set with an unrecognized option: Maybe',
      });
    },
  );
});

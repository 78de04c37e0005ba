import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { attachmentPod } from './attachment-pod.ts';
import { graceSecondsOf, launcherPod } from './launcher-pod.ts';
import { computeResources, memoryOverheadBytes, vcpusOf } from './launcher-resources.ts';

const MEBI = 2 ** 20;
const KVM = { 'devices.kubevirt.io/kvm': '1' };
const STORAGE = { 'ephemeral-storage': '50M' };

const withDomain = (domain: VmiSpec['domain'], spec: VmiSpec = {}): Vmi =>
  aVmi('db')
    .spec({ ...spec, domain })
    .build();
const small = { cpu: { sockets: 1, cores: 1, threads: 1 }, memory: { guest: '64Mi' } };

describe('what a launcher needs beside the guest', () => {
  it.each([
    ['one CPU', small, {}, 268],
    ['two sockets', { ...small, cpu: { sockets: 2, cores: 1, threads: 1 } }, {}, 276],
    ['cores and threads', { cpu: { sockets: 1, cores: 2, threads: 2 } }, {}, 292],
    ['no screen', { ...small, devices: { autoattachGraphicsDevice: false } }, {}, 236],
    ['a GPU', { ...small, devices: { gpus: [{ name: 'g', deviceName: 'd' }] } }, {}, 1292],
    ['a host device', { ...small, devices: { hostDevices: [{ name: 'g', deviceName: 'd' }] } }, {}, 1292],
    ['memory that is asked of the node', { ...small, resources: { requests: { memory: '1Gi' } } }, {}, 270],
    ['arm64', small, { architecture: 'arm64' }, 396],
  ])('with %s', (_, domain, spec, mebibytes) => {
    expect(memoryOverheadBytes(withDomain(domain, spec))).toBe(mebibytes * MEBI);
  });

  it.each([
    [undefined, 1],
    [{}, 1],
    [{ sockets: 0, cores: 2 }, 2],
    [{ sockets: 2, cores: 3, threads: 2 }, 12],
  ])('counts CPUs of %j', (topology, vcpus) => {
    expect(vcpusOf(topology)).toBe(vcpus);
  });
});

describe('what the container of the guest asks for', () => {
  const network = { interfaces: [{ name: 'default', masquerade: {} }] };

  it('asks for a tenth of its CPUs, the guest and what is around it', () => {
    expect(computeResources(withDomain({ ...small, devices: network }))).toEqual({
      requests: {
        cpu: '100m',
        memory: '332Mi',
        ...STORAGE,
        ...KVM,
        'devices.kubevirt.io/tun': '1',
        'devices.kubevirt.io/vhost-net': '1',
      },
      limits: { ...KVM, 'devices.kubevirt.io/tun': '1', 'devices.kubevirt.io/vhost-net': '1' },
    });
  });

  it.each([
    ['a ratio', small, 4, { cpu: '250m', memory: '332Mi' }, {}],
    [
      'many CPUs',
      { ...small, cpu: { sockets: 16, cores: 1, threads: 1 } },
      10,
      { cpu: '1.6', memory: '452Mi' },
      {},
    ],
    [
      'CPU of its own',
      { ...small, resources: { requests: { cpu: '2' } } },
      10,
      { cpu: '2', memory: '332Mi' },
      {},
    ],
    [
      'memory of its own',
      { ...small, resources: { requests: { memory: '128Mi' } } },
      10,
      { cpu: '100m', memory: '405760Ki' },
      {},
    ],
    [
      'limits',
      { ...small, resources: { limits: { cpu: '1', memory: '128Mi' } } },
      10,
      { cpu: '100m', memory: '396Mi' },
      { cpu: '1', memory: '396Mi' },
    ],
    [
      'CPUs for itself',
      { ...small, cpu: { ...small.cpu, sockets: 2, dedicatedCpuPlacement: true } },
      10,
      { cpu: '2', memory: '340Mi' },
      { cpu: '2', memory: '340Mi' },
    ],
    [
      'huge pages',
      { ...small, memory: { guest: '64Mi', hugepages: { pageSize: '2Mi' } } },
      10,
      { cpu: '100m', memory: '268Mi', 'hugepages-2Mi': '64Mi' },
      { 'hugepages-2Mi': '64Mi' },
    ],
    [
      'huge pages for a part',
      {
        ...small,
        memory: { guest: '64Mi', hugepages: { pageSize: '2Mi' } },
        resources: { requests: { memory: '128Mi' } },
      },
      10,
      { cpu: '100m', memory: '340224Ki', 'hugepages-2Mi': '64Mi' },
      { 'hugepages-2Mi': '64Mi' },
    ],
    ['no memory', { cpu: small.cpu }, 10, { cpu: '100m', memory: '268Mi' }, {}],
  ])('with %s', (_, domain, ratio, requests, limits) => {
    expect(computeResources(withDomain(domain), ratio)).toEqual({
      requests: { ...requests, ...STORAGE, ...KVM },
      limits: { ...limits, ...KVM },
    });
  });

  it('asks for each device as often as the guest has it', () => {
    const gpus = [
      { name: 'a', deviceName: 'nvidia.com/gpu' },
      { name: 'b', deviceName: 'nvidia.com/gpu' },
    ];
    const interfaces = [{ name: 'fast', sriov: {} }];
    const devices = { gpus, hostDevices: [{ name: 'c', deviceName: 'intel.com/qat' }], interfaces };
    expect(computeResources(withDomain({ ...small, devices })).limits).toEqual({
      ...KVM,
      'nvidia.com/gpu': '2',
      'intel.com/qat': '1',
    });
  });
});

describe('a launcher', () => {
  const podOf = (vmi: Vmi, configuration = {}) => launcherPod({ vmi, image: 'launcher:v2', configuration });

  it('bears the labels and annotations of its VMI, and its own', () => {
    const vmi = aVmi('db')
      .labelled('tier', 'gold')
      .annotated('cluster-autoscaler.kubernetes.io/safe-to-evict', 'false')
      .annotated('kubevirt.io/latest-observed-api-version', 'v1')
      .annotated('kubevirt.io/storage-observed-api-version', 'v1')
      .annotated('kubectl.kubernetes.io/last-applied-configuration', '{}')
      .build();
    expect(podOf(vmi).metadata).toEqual({
      name: '',
      generateName: 'virt-launcher-db-',
      namespace: 'shop',
      labels: {
        tier: 'gold',
        'kubevirt.io': 'virt-launcher',
        'kubevirt.io/created-by': 'uid-db',
        'vm.kubevirt.io/name': 'db',
        'vmi.kubevirt.io/id': 'db',
      },
      annotations: {
        'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
        'kubevirt.io/domain': 'db',
        'descheduler.alpha.kubernetes.io/request-evict-only': '',
        'kubevirt.io/memory-overhead-bytes': '281018368',
        'kubevirt.io/migrationTransportUnix': 'true',
        'kubectl.kubernetes.io/default-container': 'compute',
      },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: 'db',
          uid: 'uid-db',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
  });

  it.each([
    ['a.b.c', 'a', 'a.b.c'],
    ['x'.repeat(70), 'x'.repeat(63), 'x'.repeat(63)],
    [`${'x'.repeat(60)}---y`, 'x'.repeat(60), 'x'.repeat(60)],
  ])('of %s has a host name that is allowed', (name, hostname, id) => {
    const pod = podOf(aVmi(name).build());
    expect(pod.spec).toMatchObject({ hostname });
    expect(pod.metadata.labels).toMatchObject({ 'vm.kubevirt.io/name': hostname, 'vmi.kubevirt.io/id': id });
  });

  it.each([
    [undefined, 30],
    [0, 0],
    [180, 180],
  ])('outlives a guest that has %s seconds by half a minute', (terminationGracePeriodSeconds, grace) => {
    const vmi = aVmi('db').spec({ terminationGracePeriodSeconds }).build();
    expect(graceSecondsOf(vmi)).toBe(grace);
    expect(podOf(vmi).spec?.terminationGracePeriodSeconds).toBe(grace + 30);
  });

  it('mounts the claims that are there from the start, and many empty directories', () => {
    const volumes = [
      { name: 'root', persistentVolumeClaim: { claimName: 'root-claim' } },
      { name: 'data', dataVolume: { name: 'data-dv' } },
      { name: 'later', persistentVolumeClaim: { claimName: 'later-claim', hotpluggable: true } },
      { name: 'last', dataVolume: { name: 'last-dv', hotpluggable: true } },
      { name: 'disk', containerDisk: { image: 'registry/disk:1' } },
    ];
    const { spec } = podOf(
      aVmi('db')
        .spec({ volumes } as VmiSpec)
        .build(),
    );
    expect(spec?.volumes).toEqual([
      ...['private', 'public', 'sockets', 'virt-bin-share-dir', 'libvirt-runtime', 'ephemeral-disks'].map(
        (name) => ({ name, emptyDir: {} }),
      ),
      { name: 'root', persistentVolumeClaim: { claimName: 'root-claim' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data-dv' } },
      { name: 'hotplug-disks', emptyDir: {} },
    ]);
    expect(spec?.initContainers?.map(({ name, image }) => [name, image])).toEqual([
      ['guest-console-log', 'launcher:v2'],
      ['volumedisk', 'registry/disk:1'],
    ]);
  });

  it('has one container with the guest, which asks for what the cluster says', () => {
    const { spec } = podOf(withDomain(small), { developerConfiguration: { cpuAllocationRatio: 2 } });
    expect(spec?.containers).toMatchObject([
      { name: 'compute', image: 'launcher:v2', resources: { requests: { cpu: '500m' } } },
    ]);
    expect(spec?.restartPolicy).toBe('Never');
    expect(spec).toMatchObject({ hostname: 'db' });
  });
});

describe('where a launcher may run', () => {
  const placed = (spec: VmiSpec, nodeSelectors?: Record<string, string>) =>
    launcherPod({
      vmi: aVmi('db').spec(spec).build(),
      image: 'i',
      configuration: { developerConfiguration: { nodeSelectors } },
    }).spec;
  const always = { 'kubernetes.io/arch': 'amd64', 'kubevirt.io/schedulable': 'true' };

  it.each([
    ['nothing', {}, undefined, {}],
    ['the VM', { nodeSelector: { zone: 'a' } }, { zone: 'b', rack: 'r' }, { zone: 'a', rack: 'r' }],
    ['another architecture', { architecture: 'arm64' }, undefined, { 'kubernetes.io/arch': 'arm64' }],
    [
      'a machine',
      { domain: { machine: { type: 'q35' } } },
      undefined,
      { 'machine-type.node.kubevirt.io/q35': 'true' },
    ],
    [
      'a CPU model',
      { domain: { cpu: { model: 'EPYC' } } },
      undefined,
      { 'cpu-model.node.kubevirt.io/EPYC': 'true' },
    ],
    ['the CPU of the host', { domain: { cpu: { model: 'host-model' } } }, undefined, {}],
    ['the host itself', { domain: { cpu: { model: 'host-passthrough' } } }, undefined, {}],
    [
      'CPU features',
      {
        domain: {
          cpu: {
            features: [{ name: 'a' }, { name: 'b', policy: 'require' }, { name: 'c', policy: 'optional' }],
          },
        },
      },
      undefined,
      { 'cpu-feature.node.kubevirt.io/a': 'true', 'cpu-feature.node.kubevirt.io/b': 'true' },
    ],
    [
      'CPUs for itself',
      { domain: { cpu: { dedicatedCpuPlacement: true } } },
      undefined,
      { cpumanager: 'true' },
    ],
    ['SEV', { domain: { launchSecurity: { sev: {} } } }, undefined, { 'kubevirt.io/sev': 'true' }],
    ['SNP', { domain: { launchSecurity: { snp: {} } } }, undefined, { 'kubevirt.io/sev-snp': 'true' }],
    ['TDX', { domain: { launchSecurity: { tdx: {} } } }, undefined, { 'kubevirt.io/tdx': 'true' }],
  ])('selects nodes by %s', (_, spec, enforced, selector) => {
    expect(placed(spec, enforced)?.nodeSelector).toEqual({ ...always, ...selector });
  });

  const added = { key: 'node-labeller.kubevirt.io/obsolete-host-model', operator: 'DoesNotExist' };
  const required = (nodeSelectorTerms: object[]) => ({
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  });

  it('keeps off nodes whose CPU model is not known, in each term', () => {
    expect(placed({})?.affinity).toEqual({ nodeAffinity: required([{ matchExpressions: [added] }]) });
    const zone = { key: 'zone', operator: 'Exists' };
    const field = { key: 'metadata.name', operator: 'In', values: ['n1'] };
    const terms = [{ matchExpressions: [zone] }, { matchFields: [field] }];
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [] };
    const affinity = { nodeAffinity: { ...required(terms), ...preferred }, podAntiAffinity: {} };
    expect(placed({ affinity })?.affinity).toEqual({
      nodeAffinity: {
        ...preferred,
        ...required([
          { matchExpressions: [zone, added] },
          { matchFields: [field], matchExpressions: [added] },
        ]),
      },
      podAntiAffinity: {},
    });
  });

  it('does not mind them with a CPU model of its own', () => {
    const domain = { cpu: { model: 'EPYC' } };
    expect(placed({ domain })?.affinity).toBeUndefined();
    expect(placed({ domain, affinity: { podAffinity: {} } })?.affinity).toEqual({ podAffinity: {} });
  });

  it('has the tolerations of the VM', () => {
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    expect(placed({ tolerations })?.tolerations).toEqual(tolerations);
  });
});

describe('an attachment pod', () => {
  it('mounts the claims on the node of its launcher, and belongs to it', () => {
    const launcher = aPod('virt-launcher-db-1').on('n1').build();
    const pod = attachmentPod(launcher, [{ name: 'extra', claimName: 'disk' }], 'launcher:v2');
    expect(pod.metadata).toEqual({
      name: '',
      generateName: 'hp-volume-',
      namespace: 'shop',
      labels: { 'kubevirt.io': 'hotplug-disk' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          name: 'virt-launcher-db-1',
          uid: 'uid-virt-launcher-db-1',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
    const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }];
    const terms = { nodeSelectorTerms: [{ matchExpressions }] };
    expect(pod.spec).toMatchObject({
      terminationGracePeriodSeconds: 0,
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
      containers: [
        {
          name: 'hotplug-disk',
          image: 'launcher:v2',
          resources: { limits: { cpu: '100m', memory: '80M' }, requests: { cpu: '10m', memory: '2M' } },
        },
      ],
      volumes: [
        { name: 'hotplug-disks', emptyDir: {} },
        { name: 'extra', persistentVolumeClaim: { claimName: 'disk' } },
      ],
    });
  });

  it('tolerates what keeps new work off its node', () => {
    const pod = attachmentPod(aPod().build(), [], 'i');
    expect(pod.spec?.tolerations?.map(({ key }) => key)).toEqual([
      'node.kubernetes.io/unschedulable',
      'node.kubernetes.io/network-unavailable',
      'node.kubernetes.io/disk-pressure',
      'node.kubernetes.io/memory-pressure',
      'node.kubernetes.io/pid-pressure',
    ]);
    expect(pod.spec?.tolerations?.every((t) => t.operator === 'Exists' && t.effect === 'NoSchedule')).toBe(
      true,
    );
  });
});

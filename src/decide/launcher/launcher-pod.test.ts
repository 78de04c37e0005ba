import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { attachmentPod } from './attachment-pod.ts';
import { launcherPod } from './launcher-pod.ts';
import { small, withDomain } from './test-launcher-pod.ts';

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

  it('is spread as its VMI is to be', () => {
    const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: 'zone' }];
    const vmi = aVmi('db').build();
    const spec = { ...vmi.spec, topologySpreadConstraints };
    expect(podOf({ ...vmi, spec }).spec).toMatchObject({ topologySpreadConstraints });
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

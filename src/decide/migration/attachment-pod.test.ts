import { expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { attachmentPod } from './attachment-pod.ts';

const render = (volumes?: VmiSpec['volumes']) =>
  attachmentPod({
    migration: aMigration('m').build(),
    vmi: aVmi().spec({ volumes }).build(),
    targetPod: aPod('target').on('n2').build(),
    launcherImage: 'launcher:v2',
  });

it('is a pod of the target pod, for the migration', () => {
  expect(render().metadata).toEqual({
    name: '',
    generateName: 'hp-volume-',
    namespace: 'shop',
    labels: { 'kubevirt.io': 'hotplug-disk', 'kubevirt.io/migrationJobUID': 'uid-m' },
    annotations: { 'kubevirt.io/migrationJobName': 'm' },
    ownerReferences: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        name: 'target',
        uid: 'uid-target',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  });
});

it('goes to the node of the target pod, whatever is the matter with it', () => {
  const { affinity, tolerations, terminationGracePeriodSeconds } = render().spec ?? {};
  expect(affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms).toEqual([
    { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n2'] }] },
  ]);
  expect(tolerations?.map(({ key, operator, effect }) => `${key} ${operator} ${effect}`)).toEqual([
    'node.kubernetes.io/disk-pressure Exists NoSchedule',
    'node.kubernetes.io/memory-pressure Exists NoSchedule',
    'node.kubernetes.io/network-unavailable Exists NoSchedule',
    'node.kubernetes.io/pid-pressure Exists NoSchedule',
    'node.kubernetes.io/unschedulable Exists NoSchedule',
    'node.kubernetes.io/not-ready Exists NoExecute',
    'node.kubernetes.io/unreachable Exists NoExecute',
  ]);
  expect(terminationGracePeriodSeconds).toBe(0);
});

it('asks for little', () => {
  expect(render().spec?.containers).toEqual([
    {
      name: 'hotplug-disk',
      image: 'launcher:v2',
      resources: { limits: { cpu: '100m', memory: '80M' }, requests: { cpu: '10m', memory: '2M' } },
    },
  ]);
});

it('brings the volumes that can be plugged in, and only those', () => {
  const scratch = { name: 'hotplug-disks', emptyDir: {} };
  expect(render().spec?.volumes).toEqual([scratch]);
  const volumes = render([
    { name: 'root', containerDisk: {} },
    { name: 'fixed', persistentVolumeClaim: { claimName: 'fixed' } },
    { name: 'extra', persistentVolumeClaim: { claimName: 'claim', hotpluggable: true } },
    { name: 'built-in', dataVolume: { name: 'dv' } },
    { name: 'imported', dataVolume: { name: 'dv-2', hotpluggable: true } },
  ]).spec?.volumes;
  expect(volumes).toEqual([
    scratch,
    { name: 'extra', persistentVolumeClaim: { claimName: 'claim' } },
    { name: 'imported', persistentVolumeClaim: { claimName: 'dv-2' } },
  ]);
});

it('can do without names', () => {
  const bare = attachmentPod({
    migration: { metadata: { name: 'm' } },
    vmi: { metadata: { name: 'db' } },
    targetPod: { metadata: { name: 'target' } },
    launcherImage: undefined,
  });
  expect(bare.metadata.labels?.['kubevirt.io/migrationJobUID']).toBe('');
  expect(JSON.stringify(bare.spec?.affinity)).toContain('"values":[""]');
});

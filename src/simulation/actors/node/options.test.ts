import { expect, it } from 'vitest';
import { aNode } from '../../../kubevirt/builders.ts';
import { newNode, withHeartbeat } from './node-objects.ts';
import { lateSeconds, RECORDED_TIMES } from './options.ts';

it.each([
  [0, 0.2, 0.2],
  [0.5, 0.2, 0.8],
  [1, 0.2, 1.2],
  [3, 0.2, 3.2],
  [0.6, 0.2, 0.8],
  [0.5, 0, 0.5],
  [0.5, -1, 0.5],
])('a step of %f s is noticed by looks every %f s after %f s', (seconds, poll, late) => {
  expect(lateSeconds(seconds, poll)).toBeCloseTo(late, 9);
});

it('has the times of the recordings', () => {
  expect(RECORDED_TIMES).toMatchObject({ podStartSeconds: 1, targetPrepareSeconds: 0.5, pollSeconds: 0.2 });
});

it('brings up a node as it is described, or as in the recordings', () => {
  const described = {
    name: 'm',
    cpu: '8',
    memory: '4Gi',
    pods: '9',
    cpuModel: 'EPYC',
    cpuVendor: 'AMD',
    machineTypes: ['q35'],
  };
  expect(newNode(described, 0)).toMatchObject({
    kind: 'Node',
    metadata: {
      name: 'm',
      labels: {
        'kubernetes.io/hostname': 'm',
        'kubernetes.io/arch': 'amd64',
        'kubevirt.io/schedulable': 'true',
        'host-model-cpu.node.kubevirt.io/EPYC': 'true',
        'cpu-model-migration.node.kubevirt.io/EPYC': 'true',
        'cpu-model.node.kubevirt.io/EPYC': 'true',
        'cpu-vendor.node.kubevirt.io/AMD': 'true',
        'machine-type.node.kubevirt.io/q35': 'true',
      },
      annotations: { 'kubevirt.io/heartbeat': '1970-01-01T00:00:00Z' },
    },
    status: {
      capacity: {
        cpu: '8',
        memory: '4Gi',
        pods: '9',
        'devices.kubevirt.io/tun': '1k',
        'devices.kubevirt.io/vhost-net': '1k',
      },
      allocatable: { cpu: '8', memory: '4Gi', pods: '9', 'devices.kubevirt.io/kvm': '1k' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  expect(newNode({ name: 'm' }, 0)).toMatchObject({
    metadata: {
      labels: {
        'machine-type.node.kubevirt.io/pc-q35-rhel9.6.0': 'true',
        'cpu-vendor.node.kubevirt.io/Intel': 'true',
      },
    },
    status: { allocatable: { cpu: '64', memory: '256Gi', pods: '250' } },
  });
});

it('beats the heart of a node, and makes it schedulable again', () => {
  const node = aNode('n1').labelled('kubevirt.io/schedulable', 'false').annotated('own', 'x').build();
  expect(withHeartbeat(node, 1000).metadata).toMatchObject({
    labels: { 'kubevirt.io/schedulable': 'true' },
    annotations: { own: 'x', 'kubevirt.io/heartbeat': '1970-01-01T00:00:01Z' },
  });
});

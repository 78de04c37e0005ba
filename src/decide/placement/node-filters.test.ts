import { describe, expect, it } from 'vitest';
import type { Evidence } from '../rules.ts';
import { NODE_FILTERS } from './node-filters.ts';
import { home, judge, launcher, NODE, POD, type Scene, target } from './test-node-filters.ts';

describe('what keeps a launcher off a node: how the node is', () => {
  it.each<[string, string, Scene, string, Evidence[]]>([
    [
      'SourceNode',
      'the node that it leaves',
      { node: home },
      'n1 is the node that the migration leaves',
      [{ object: POD, path: 'spec.nodeName', value: 'n1' }],
    ],
    [
      'NodeUnschedulable',
      'a cordon',
      { node: target().cordoned().build() },
      'n2 is cordoned',
      [{ object: NODE, path: 'spec.unschedulable', value: true }],
    ],
    [
      'NodeUnschedulable',
      'a cordon to come',
      { cordoned: ['n2'] },
      'n2 will be cordoned',
      [{ object: NODE, path: 'spec.unschedulable', value: undefined }],
    ],
    [
      'UntoleratedTaint',
      'a taint',
      { node: target().tainted('gpu', 'NoSchedule', 'yes').build() },
      'n2 is tainted: gpu=yes:NoSchedule',
      [{ object: NODE, path: 'spec.taints[gpu]', value: 'gpu=yes:NoSchedule' }],
    ],
    [
      'UntoleratedTaint',
      'taints of a node that is not ready',
      {
        node: target()
          .tainted('node.kubernetes.io/not-ready')
          .tainted('soft', 'PreferNoSchedule')
          .tainted('node.kubernetes.io/not-ready', 'NoExecute')
          .build(),
      },
      'n2 is tainted: node.kubernetes.io/not-ready:NoSchedule, node.kubernetes.io/not-ready:NoExecute',
      [
        {
          object: NODE,
          path: 'spec.taints[node.kubernetes.io/not-ready]',
          value: 'node.kubernetes.io/not-ready:NoSchedule',
        },
        {
          object: NODE,
          path: 'spec.taints[node.kubernetes.io/not-ready]',
          value: 'node.kubernetes.io/not-ready:NoExecute',
        },
      ],
    ],
    [
      'NotSchedulableForVms',
      'no working virt-handler',
      {
        pod: launcher()
          .spec({ nodeSelector: { 'kubevirt.io/schedulable': 'true', disk: 'ssd' } })
          .build(),
        node: target().labelled('kubevirt.io/schedulable', 'false').build(),
      },
      'KubeVirt takes no VMs on n2: it lacks the label kubevirt.io/schedulable=true',
      [
        { object: POD, path: 'spec.nodeSelector[kubevirt.io/schedulable]', value: 'true' },
        { object: NODE, path: 'metadata.labels[kubevirt.io/schedulable]', value: 'false' },
      ],
    ],
  ])('%s: %s', (reason, _name, scene, message, evidence) => {
    expect(judge(scene)).toEqual({ reason, result: { fits: false, message }, evidence });
  });
});

describe('the order of the filters', () => {
  it("is the scheduler's, with the node that is left before all", () => {
    expect(NODE_FILTERS.map(({ name }) => name)).toEqual([
      'SourceNode',
      'NodeUnschedulable',
      'UntoleratedTaint',
      'NotSchedulableForVms',
      'CpuMismatch',
      'NodeSelectorMismatch',
      'NodeAffinityMismatch',
      'TooManyPods',
      'InsufficientResources',
      'VolumeNodeAffinity',
      'TopologySpread',
      'PodAffinity',
      'PodAntiAffinity',
      'ExistingPodsAntiAffinity',
      'Fits',
    ]);
  });

  it('says of each rule what it asks and where it comes from', () => {
    for (const rule of NODE_FILTERS) {
      expect(rule.asks.length).toBeGreaterThan(10);
      expect(rule.source).toMatch(/^(kubernetes|kubevirt v1\.9\.0) pkg\//);
    }
    expect(NODE_FILTERS.map(({ source }) => source.split('/').at(-1))).toEqual([
      'migration.go:938',
      'nodeunschedulable',
      'tainttoleration',
      'nodeaffinity',
      'nodeaffinity',
      'nodeaffinity',
      'nodeaffinity',
      'noderesources',
      'noderesources',
      'volumebinding',
      'podtopologyspread',
      'interpodaffinity',
      'interpodaffinity',
      'interpodaffinity',
      'schedule_one.go',
    ]);
  });
});

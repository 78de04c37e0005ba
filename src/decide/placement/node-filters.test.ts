import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Node, PersistentVolume, Pod } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import { type CandidateQuestion, candidateOf } from './candidate.ts';
import { NODE_FILTERS } from './node-filters.ts';
import { surroundingsOf } from './seat.ts';
import { PlacementWorld, type WorldFacts } from './world.ts';

const vmi = aVmi().on('n1').build();
const launcher = () => aPod('l').launcherOf(vmi).on('n1').asking({ cpu: '2', memory: '1Gi' });
const target = () =>
  aNode('n2')
    .labelled('kubevirt.io/schedulable', 'true')
    .offering({ cpu: '4', memory: '8Gi', pods: '3', 'devices.kubevirt.io/kvm': '1' });
const home = aNode('n1').labelled('kubevirt.io/schedulable', 'true').build();

interface Scene {
  readonly pod?: Pod;
  readonly node?: Node;
  readonly others?: readonly Pod[];
  readonly facts?: Partial<WorldFacts>;
  readonly ask?: Partial<CandidateQuestion>;
  readonly withoutVms?: boolean;
}

function judge({
  pod = launcher().build(),
  node = target().build(),
  others = [],
  facts,
  ask,
  withoutVms = false,
}: Scene) {
  const pods = [pod, ...others];
  const world = new PlacementWorld({
    nodes: [home, node],
    podsOn: (name) => pods.filter(({ spec }) => spec?.nodeName === name),
    ...facts,
  });
  const { candidate } = candidateOf({
    pod,
    vmi,
    purpose: 'migration-target',
    behavior: 'intended',
    world,
    ...ask,
  });
  if (!candidate) throw new Error('no candidate');
  return decide(NODE_FILTERS, { ...surroundingsOf(candidate, world, withoutVms), node });
}

const volume = (name: string, node: string): PersistentVolume => ({
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] },
        ],
      },
    },
  },
});
const affinity = (terms: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  },
});
const anti = (value: string) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: value } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
});
const near = (value: string) => ({
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: value } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
});
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };

const POD = 'Pod shop/l';
const NODE = 'Node n2';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

describe('what keeps a launcher off a node', () => {
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
      { facts: { cordoned: new Set(['n2']) } },
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
    ...[
      'cpu-model.node.kubevirt.io/Haswell',
      'cpu-model-migration.node.kubevirt.io/Haswell',
      'cpu-feature.node.kubevirt.io/avx',
      'cpu-vendor.node.kubevirt.io/AMD',
    ].map<[string, string, Scene, string, Evidence[]]>((label) => [
      'CpuMismatch',
      label,
      {
        pod: launcher()
          .spec({ nodeSelector: { [label]: 'true', disk: 'ssd' } })
          .build(),
      },
      `the CPU of n2 does not suit the guest: the node lacks the label ${label}=true`,
      [
        { object: POD, path: `spec.nodeSelector[${label}]`, value: 'true' },
        { object: NODE, path: `metadata.labels[${label}]`, value: undefined },
      ],
    ]),
    [
      'NodeSelectorMismatch',
      'labels of the selector',
      {
        pod: launcher()
          .spec({ nodeSelector: { disk: 'ssd', rack: '7' } })
          .build(),
        node: target().labelled('rack', '6').build(),
      },
      'n2 lacks the label disk=ssd, rack=7',
      [
        { object: POD, path: 'spec.nodeSelector[disk]', value: 'ssd' },
        { object: NODE, path: 'metadata.labels[disk]', value: undefined },
        { object: POD, path: 'spec.nodeSelector[rack]', value: '7' },
        { object: NODE, path: 'metadata.labels[rack]', value: '6' },
      ],
    ],
    [
      'NodeAffinityMismatch',
      'required node affinity',
      {
        pod: launcher()
          .spec(
            affinity([
              { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
              { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n9'] }] },
              { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
            ]),
          )
          .build(),
      },
      'n2 does not meet the required node affinity',
      [
        {
          object: POD,
          path: `spec.affinity.nodeAffinity.${REQUIRED}`,
          value: [
            { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n9'] }] },
            { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
          ],
        },
        { object: NODE, path: 'metadata.labels[zone]', value: undefined },
      ],
    ],
    [
      'TooManyPods',
      'no place for another pod',
      { others: ['a', 'b', 'c'].map((name) => aPod(name).on('n2').build()) },
      'n2 holds as many pods as it may (3)',
      [{ object: NODE, path: 'status.allocatable[pods]', value: '3' }],
    ],
    [
      'InsufficientResources',
      'too little of several resources',
      { others: [aPod('a').on('n2').asking({ cpu: '2500m', memory: '7.5Gi' }).build()] },
      'n2 has too little cpu (2 asked for, 1500m of 4 left), memory (1Gi asked for, 512Mi of 8Gi left)',
      [
        { object: NODE, path: 'status.allocatable[cpu]', value: '4' },
        { object: NODE, path: 'status.allocatable[memory]', value: '8Gi' },
      ],
    ],
    [
      'InsufficientResources',
      'a device that is taken',
      {
        pod: launcher().asking({ 'devices.kubevirt.io/kvm': '1' }).build(),
        others: [aPod('a').on('n2').asking({ 'devices.kubevirt.io/kvm': '1' }).build()],
      },
      'n2 has too little devices.kubevirt.io/kvm (1 asked for, 0 of 1 left)',
      [{ object: NODE, path: 'status.allocatable[devices.kubevirt.io/kvm]', value: '1' }],
    ],
    [
      'InsufficientResources',
      'a device that the node never had',
      { pod: launcher().asking({ 'nvidia.com/gpu': '1' }).build() },
      'n2 has too little nvidia.com/gpu (1 asked for, 0 of 0 left)',
      [{ object: NODE, path: 'status.allocatable[nvidia.com/gpu]', value: undefined }],
    ],
    [
      'InsufficientResources',
      'a node that is overcommitted already',
      { others: [aPod('a').on('n2').asking({ cpu: '9' }).build()] },
      'n2 has too little cpu (2 asked for, 0 of 4 left)',
      [{ object: NODE, path: 'status.allocatable[cpu]', value: '4' }],
    ],
    [
      'VolumeNodeAffinity',
      'volumes of another node',
      {
        facts: {
          volumesOf: () => [
            volume('pv-1', 'n1'),
            volume('pv-2', 'n2'),
            volume('pv-3', 'n1'),
            { metadata: { name: 'pv-4' } },
          ],
        },
      },
      'n2 cannot reach the volume pv-1, pv-3',
      ['pv-1', 'pv-3'].map((name) => ({
        object: `PersistentVolume ${name}`,
        path: 'spec.nodeAffinity.required.nodeSelectorTerms',
        value: volume(name, 'n1').spec?.nodeAffinity?.required?.nodeSelectorTerms,
      })),
    ],
    [
      'TopologySpread',
      'a node outside of the topology',
      {
        pod: launcher()
          .spec({ topologySpreadConstraints: [spread] })
          .build(),
      },
      'n2 lacks the label zone that the pods are spread over',
      [
        { object: POD, path: 'spec.topologySpreadConstraints', value: [spread] },
        { object: NODE, path: 'metadata.labels[zone]', value: undefined },
      ],
    ],
    [
      'TopologySpread',
      'a zone that would be too full',
      {
        pod: launcher()
          .spec({ topologySpreadConstraints: [{ ...spread, minDomains: 2 }] })
          .build(),
        node: target().labelled('zone', 'a').build(),
        others: [aPod('a').on('n2').build()],
      },
      'n2 would skew the spread over zone by 2, more than 1',
      [
        { object: POD, path: 'spec.topologySpreadConstraints', value: [{ ...spread, minDomains: 2 }] },
        { object: NODE, path: 'metadata.labels[zone]', value: 'a' },
      ],
    ],
    [
      'PodAffinity',
      'company that is elsewhere',
      {
        pod: launcher()
          .spec({ affinity: near('web') })
          .build(),
      },
      'n2 is not near the pods that the required pod affinity asks for',
      [
        {
          object: POD,
          path: `spec.affinity.podAffinity.${REQUIRED}`,
          value: near('web').podAffinity[REQUIRED],
        },
        { object: NODE, path: 'metadata.labels[kubernetes.io/hostname]', value: 'n2' },
      ],
    ],
    [
      'PodAntiAffinity',
      'a pod that it avoids',
      {
        pod: launcher()
          .spec({ affinity: anti('web') })
          .build(),
        others: [aPod('w').labelled('app', 'web').on('n2').build()],
      },
      'n2 shares kubernetes.io/hostname=n2 with Pod shop/w, which the pod must avoid',
      [
        {
          object: POD,
          path: `spec.affinity.podAntiAffinity.${REQUIRED}`,
          value: [
            ...anti('web').podAntiAffinity[REQUIRED],
            {
              labelSelector: { matchLabels: { 'kubevirt.io/created-by': 'uid-db' } },
              topologyKey: 'kubernetes.io/hostname',
            },
          ],
        },
        { object: 'Pod shop/w', path: 'spec.nodeName', value: 'n2' },
        { object: NODE, path: 'metadata.labels[kubernetes.io/hostname]', value: 'n2' },
      ],
    ],
    [
      'ExistingPodsAntiAffinity',
      'a pod that avoids it',
      {
        pod: launcher().labelled('app', 'db').build(),
        others: [
          aPod('w')
            .on('n2')
            .spec({ affinity: anti('db') })
            .build(),
        ],
      },
      'n2 shares kubernetes.io/hostname=n2 with Pod shop/w, which must avoid the pod',
      [
        { object: 'Pod shop/w', path: 'spec.nodeName', value: 'n2' },
        { object: NODE, path: 'metadata.labels[kubernetes.io/hostname]', value: 'n2' },
      ],
    ],
  ])('%s: %s', (reason, _name, scene, message, evidence) => {
    expect(judge(scene)).toEqual({ reason, result: { fits: false, message }, evidence });
  });
});

describe('what does not keep it off', () => {
  const tolerating = (key: string, effect?: string) =>
    launcher()
      .spec({ tolerations: [{ key, operator: 'Exists', effect }] })
      .build();
  it.each<[string, Scene]>([
    ['nothing in the way', {}],
    ['its own node, after a restart', { node: home, ask: { purpose: 'restart' } }],
    [
      'a cordon that it tolerates',
      {
        pod: tolerating('node.kubernetes.io/unschedulable'),
        node: target().cordoned().tainted('node.kubernetes.io/unschedulable').build(),
      },
    ],
    ['another node that will be cordoned', { facts: { cordoned: new Set(['n1']) } }],
    ['a taint that is tolerated', { pod: tolerating('gpu'), node: target().tainted('gpu').build() }],
    ['a taint that only asks', { node: target().tainted('soft', 'PreferNoSchedule').build() }],
    [
      'a node that is not Ready but has no taint',
      {
        node: {
          ...target().build(),
          status: { ...target().build().status, conditions: [{ type: 'Ready', status: 'False' }] },
        },
      },
    ],
    [
      'selectors that are met',
      {
        pod: launcher()
          .spec({ nodeSelector: { 'kubevirt.io/schedulable': 'true' } })
          .build(),
      },
    ],
    [
      'node affinity that is met',
      {
        pod: launcher()
          .spec(affinity([{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }]))
          .build(),
      },
    ],
    ['exactly what is left', { pod: launcher().asking({ cpu: '2', memory: '7Gi' }).build() }],
    ['the last place for a pod', { others: ['a', 'b'].map((name) => aPod(name).on('n2').build()) }],
    [
      'finished pods',
      {
        others: ['a', 'b', 'c'].map((name) =>
          aPod(name).on('n2').asking({ cpu: '4' }).phase('Succeeded').build(),
        ),
      },
    ],
    [
      'a basic resource that the node does not tell',
      {
        node: target().offering({ cpu: '4' }).build(),
        pod: launcher().asking({ 'ephemeral-storage': '1' }).build(),
      },
    ],
    ['a request of nothing', { pod: launcher().asking({ 'nvidia.com/gpu': '0' }).build() }],
    [
      'a node that tells nothing of what it has',
      {
        node: { ...target().build(), status: {} },
        pod: launcher().asking({ 'nvidia.com/gpu': '1' }).build(),
      },
    ],
    ['a volume that the node reaches', { facts: { volumesOf: () => [volume('pv-2', 'n2')] } }],
    [
      'its own pod on the way out, after a restart',
      {
        pod: launcher().on('n2').build(),
        others: [aPod('a').on('n2').asking({ cpu: '2' }).build()],
        ask: { purpose: 'restart' },
      },
    ],
  ])('%s', (_name, scene) => {
    expect(judge(scene)).toEqual({
      reason: 'Fits',
      result: { fits: true, message: `${scene.node?.metadata.name ?? 'n2'} fits` },
      evidence: [],
    });
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

describe('if the other VMs left', () => {
  const web = aVmi('web').build();
  const full = aPod('virt-launcher-web').launcherOf(web).on('n2').asking({ cpu: '4' });
  it.each<[string, Scene, string]>([
    ['their room is free', { others: [full.build()] }, 'Fits'],
    [
      'room that other pods hold is not',
      { others: [aPod('s').on('n2').asking({ cpu: '4' }).build()] },
      'InsufficientResources',
    ],
    [
      'they are no longer in the way',
      {
        pod: launcher()
          .spec({ affinity: anti('web') })
          .build(),
        others: [aPod('w').launcherOf(web).labelled('app', 'web').on('n2').build()],
      },
      'Fits',
    ],
    [
      'they no longer keep others off',
      {
        pod: launcher().labelled('app', 'db').build(),
        others: [
          aPod('w')
            .launcherOf(web)
            .on('n2')
            .spec({ affinity: anti('db') })
            .build(),
        ],
      },
      'Fits',
    ],
    [
      'the source pod of the migration is still there',
      {
        pod: launcher()
          .labelled('app', 'db')
          .spec({
            affinity: {
              podAntiAffinity: {
                [REQUIRED]: [{ labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'zone' }],
              },
            },
          })
          .on('n3')
          .build(),
        node: target().labelled('zone', 'a').build(),
        facts: { nodes: [aNode('n3').labelled('zone', 'a').build(), target().labelled('zone', 'a').build()] },
      },
      'PodAntiAffinity',
    ],
    [
      'company is still there',
      {
        pod: launcher()
          .spec({ affinity: near('web') })
          .build(),
        others: [aPod('w').launcherOf(web).labelled('app', 'web').on('n2').build()],
      },
      'Fits',
    ],
    [
      'the spread is even',
      {
        pod: launcher()
          .spec({ topologySpreadConstraints: [{ ...spread, minDomains: 2 }] })
          .build(),
        node: target().labelled('zone', 'a').build(),
        others: [full.asking({}).build()],
      },
      'Fits',
    ],
  ])('%s', (_name, scene, reason) => {
    expect(judge({ ...scene, withoutVms: true }).reason).toBe(reason);
  });
});

import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Evidence } from '../rules.ts';
import {
  affinity,
  anti,
  judge,
  launcher,
  NODE,
  near,
  POD,
  REQUIRED,
  type Scene,
  spread,
  target,
  volume,
} from './test-node-filters.ts';

describe('what keeps a launcher off a node: what it wants, and who is there', () => {
  it.each<[string, string, Scene, string, Evidence[]]>([
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

import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import {
  affinity,
  anti,
  home,
  judge,
  launcher,
  near,
  REQUIRED,
  type Scene,
  spread,
  target,
  volume,
} from './test-node-filters.ts';

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
    ['another node that will be cordoned', { cordoned: ['n1'] }],
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

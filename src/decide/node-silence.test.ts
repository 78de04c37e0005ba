import { describe, expect, it } from 'vitest';
import { aNode, aPod } from '../kubevirt/builders.ts';
import type { Pod } from '../kubevirt/objects.ts';
import { deletedAfterSeconds, notReady, reachable, unreachable, withTaintsOf } from './node-silence.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const KEY = 'node.kubernetes.io/unreachable';
const TAINTS = [
  { key: KEY, effect: 'NoSchedule' },
  { key: KEY, effect: 'NoExecute' },
];

type Tolerations = NonNullable<NonNullable<Pod['spec']>['tolerations']>;

describe('a pod on an unreachable node is deleted', () => {
  const mine = (tolerationSeconds?: number) => ({
    key: KEY,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  });
  const cases: [string, Tolerations | undefined, number | undefined][] = [
    ['after five minutes, where it says nothing', undefined, 300],
    ['after five minutes, where it says something else', [{ key: 'x', operator: 'Exists' }], 300],
    ['when it says', [mine(20)], 20],
    ['at the earliest that it says', [mine(20), mine(7)], 7],
    ['at the earliest that it says, where it also says for ever', [mine(20), mine()], 20],
    ['never, where it says no time', [mine()], undefined],
    ['never, where it tolerates all', [{ operator: 'Exists' }], undefined],
    ['at once', [mine(-1)], 0],
  ];
  it.each(cases)('%s', (_, tolerations, seconds) => {
    expect(deletedAfterSeconds(aPod().spec({ tolerations }).build())).toBe(seconds);
  });
});

describe('a node', () => {
  const node = () => {
    const plain = aNode('n1').tainted('other').build();
    return {
      ...plain,
      status: {
        conditions: [
          { type: 'DiskPressure', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    };
  };

  it('becomes unreachable', () => {
    const lost = unreachable(node(), NOW);
    expect(lost?.spec?.taints).toEqual([{ key: 'other', effect: 'NoSchedule', value: undefined }, ...TAINTS]);
    expect(lost?.status?.conditions).toEqual([
      { type: 'DiskPressure', status: 'False' },
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
        lastTransitionTime: '2026-03-01T12:00:00Z',
      },
    ]);
    expect(lost && unreachable(lost, NOW)).toBeUndefined();
  });

  it('comes back', () => {
    const lost = unreachable(node(), NOW);
    const back = lost && reachable(lost, NOW);
    expect(back?.spec?.taints).toEqual([{ key: 'other', effect: 'NoSchedule', value: undefined }]);
    expect(back?.status?.conditions?.[1]).toEqual({
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastTransitionTime: '2026-03-01T12:00:00Z',
    });
    expect(reachable(node(), NOW)).toBeUndefined();
  });

  it('takes over taints and nothing else', () => {
    const lost = unreachable(node(), NOW) ?? node();
    expect(withTaintsOf(aNode('n1').cordoned().build(), lost)).toEqual({
      ...aNode('n1').build(),
      spec: { unschedulable: true, taints: lost.spec?.taints },
    });
    expect(withTaintsOf(lost, aNode('n1').build()).spec?.taints).toEqual([]);
  });
});

it('makes a ready pod unready, once', () => {
  const pod = aPod().condition('PodScheduled', 'True').ready().build();
  const lost = notReady(pod, NOW);
  expect(lost?.status).toEqual({
    phase: 'Running',
    conditions: [
      { type: 'PodScheduled', status: 'True', reason: undefined },
      { type: 'Ready', status: 'False', reason: undefined, lastTransitionTime: '2026-03-01T12:00:00Z' },
    ],
  });
  expect(lost && notReady(lost, NOW)).toBeUndefined();
  expect(notReady(aPod().build(), NOW)).toBeUndefined();
});

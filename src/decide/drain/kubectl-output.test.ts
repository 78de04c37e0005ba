import { expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import { DRAIN_CLIENTS } from './clients.ts';
import {
  tellAggregate,
  tellCordon,
  tellDrained,
  tellEvicting,
  tellFailure,
  tellGone,
  tellNodeFailed,
  tellNoNode,
  tellPendingPods,
  tellSelection,
  tellWaitedInVain,
} from './kubectl-output.ts';

const POD = aPod('a').build();
const { kubectl } = DRAIN_CLIENTS;

it.each([
  [tellNoNode('n1'), 'Error from server (NotFound): nodes "n1" not found'],
  [tellCordon('n1', false, 'none'), 'node/n1 cordoned'],
  [tellCordon('n1', false, 'client'), 'node/n1 cordoned (dry run)'],
  [tellCordon('n1', false, 'server'), 'node/n1 cordoned (server dry run)'],
  [tellCordon('n1', true, 'server'), 'node/n1 already cordoned'],
  [tellDrained('n1', 'none'), 'node/n1 drained'],
  [tellDrained('n1', 'server'), 'node/n1 drained (server dry run)'],
  [tellEvicting(POD, 'none'), 'evicting pod shop/a'],
  [tellEvicting(POD, 'client'), 'evicting pod shop/a (dry run)'],
  [tellGone(POD, kubectl), 'pod/a evicted'],
  [tellGone(POD, { ...kubectl, flags: { ...kubectl.flags, disableEviction: true } }), 'pod/a deleted'],
  [
    tellWaitedInVain({ ...kubectl, timeoutSeconds: 60 }, POD),
    'error when waiting for pod "a" in namespace "shop" to terminate: global timeout reached: 1m0s',
  ],
  [
    tellWaitedInVain(kubectl, { metadata: { name: 'a' } }),
    'error when waiting for pod "a" in namespace "" to terminate: global timeout reached: 0s',
  ],
  [tellAggregate(['one']), 'one'],
  [tellAggregate(['one', 'two', 'one']), '[one, two]'],
  [
    tellNodeFailed('n1', ['one']),
    'error: unable to drain node "n1" due to error: one, continuing command...',
  ],
])('prints %s', (said, line) => {
  expect(said).toBe(line);
});

it('names the pods that are left after a failure', () => {
  expect(tellPendingPods('n1', ['one', 'two'], [POD, aPod('b').build()])).toEqual([
    'There are pending pods in node "n1" when an error occurred: [one, two]',
    'pod/a',
    'pod/b',
  ]);
  expect(tellPendingPods('n1', ['one'], [])).toEqual([]);
});

it('ends with the nodes that failed, and each error once', () => {
  expect(tellFailure(['n1', 'n2'], [['one'], ['two', 'one']])).toEqual([
    'There are pending nodes to be drained:',
    ' n1',
    ' n2',
    'one',
    'two',
  ]);
  expect(tellFailure([], [])).toEqual([]);
});

it('tells what the filters say', () => {
  const of = (severity: 'none' | 'warning' | 'error', message: string) => ({
    pod: POD,
    selected: { severity, message },
  });
  expect(tellSelection([of('warning', 'ignoring them'), of('none', '')])).toEqual({
    errors: [],
    warnings: ['Warning: ignoring them: shop/a'],
  });
  expect(tellSelection([of('error', 'such pods')])).toEqual({
    errors: ['cannot delete such pods: shop/a'],
    warnings: [],
  });
});

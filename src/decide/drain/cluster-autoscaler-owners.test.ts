import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { blocked, daemon, judge, open, owner, replica, skipped } from './test-cluster-autoscaler.ts';

const budget = (
  disruptionsAllowed: number | undefined,
  namespace = 'shop',
  app = 'web',
): PodDisruptionBudget => ({
  kind: 'PodDisruptionBudget',
  metadata: { name: 'pdb', namespace },
  spec: { selector: { matchLabels: { app } } },
  status: { disruptionsAllowed },
});

describe('the cluster-autoscaler and controllers', () => {
  it.each(['ReplicationController', 'Job', 'ReplicaSet', 'StatefulSet'])(
    'knows that a %s replaces its pods',
    (kind) => {
      expect(judge(aPod().ownedBy(kind, 'x').build()).reason).toBe('Selected');
    },
  );

  it.each`
    phase          | restartPolicy  | reason
    ${'Succeeded'} | ${'Never'}     | ${'TerminalPod'}
    ${'Succeeded'} | ${'OnFailure'} | ${'TerminalPod'}
    ${'Succeeded'} | ${'Always'}    | ${'NotReplicated'}
    ${'Succeeded'} | ${undefined}   | ${'NotReplicated'}
    ${'Failed'}    | ${'Always'}    | ${'TerminalPod'}
    ${'Running'}   | ${'Never'}     | ${'NotReplicated'}
  `('$phase with restart policy $restartPolicy: $reason', ({ phase, restartPolicy, reason }) => {
    expect(judge(aPod().phase(phase).spec({ restartPolicy }).build()).reason).toBe(reason);
  });

  it.each`
    deleted                       | grace        | reason
    ${'2026-03-01T11:59:00Z'}     | ${30}        | ${'NotReplicated'}
    ${'2026-03-01T11:58:59.999Z'} | ${30}        | ${'LongTerminating'}
    ${'2026-03-01T11:58:59Z'}     | ${undefined} | ${'LongTerminating'}
    ${'2026-03-01T11:59:00Z'}     | ${undefined} | ${'NotReplicated'}
    ${'2026-03-01T11:58:00Z'}     | ${180}       | ${'NotReplicated'}
    ${undefined}                  | ${0}         | ${'NotReplicated'}
  `('deleted $deleted with grace $grace: $reason', ({ deleted, grace, reason }) => {
    const pod = aPod('l')
      .meta({ deletionTimestamp: deleted })
      .spec({ terminationGracePeriodSeconds: grace })
      .build();
    const decided = judge(pod);
    expect(decided.reason).toBe(reason);
    if (reason === 'LongTerminating') {
      expect(decided.result).toEqual(skipped);
      expect(decided.evidence).toEqual([
        { object: 'Pod shop/l', path: 'metadata.deletionTimestamp', value: deleted },
      ]);
    }
  });

  it('is blocked by a DaemonSet that is gone, unless custom controllers are taken', () => {
    const facts = { knowsDaemonSets: true };
    expect(judge(daemon().build(), {}, facts)).toEqual({
      reason: 'ControllerNotFound',
      result: blocked('daemonset for shop/d is not present'),
      evidence: [owner('shop/d', 'DaemonSet ds')],
    });
    expect(judge(daemon().build(), open, facts).reason).toBe('DaemonSetPod');
  });
});

describe('budgets, for the cluster-autoscaler', () => {
  it.each<[string, PodDisruptionBudget[] | undefined, string]>([
    ['none known', undefined, 'Selected'],
    ['one that allows a disruption', [budget(1)], 'Selected'],
    ['one that allows none', [budget(0)], 'NotEnoughPdb'],
    ['one without status allows none', [budget(undefined)], 'NotEnoughPdb'],
    ['one of another namespace', [budget(0, 'web')], 'Selected'],
    ['one of other pods', [budget(0, 'shop', 'db')], 'Selected'],
    ['one of several', [budget(1), budget(0)], 'NotEnoughPdb'],
    ['one without selector', [{ metadata: { name: 'p', namespace: 'shop' }, spec: {} }], 'Selected'],
  ])('%s', (_name, budgets, reason) => {
    expect(judge(replica().build(), {}, { budgets }).reason).toBe(reason);
  });

  it('say which one blocks', () => {
    expect(judge(replica().build(), {}, { budgets: [budget(0)] })).toEqual({
      reason: 'NotEnoughPdb',
      result: blocked('not enough pod disruption budget to move shop/r'),
      evidence: [{ object: 'PodDisruptionBudget shop/pdb', path: 'status.disruptionsAllowed', value: 0 }],
    });
  });

  it('make a pod of kube-system movable', () => {
    const budgets = [budget(1, 'kube-system')];
    expect(judge(replica('kube-system').build(), {}, { budgets }).reason).toBe('Selected');
  });
});

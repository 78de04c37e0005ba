import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { BudgetAnswer } from '../disruption-budget.ts';
import { A, ask, asks, B, C, pool, refusal, unready } from './test-budget.ts';

describe('the status of the budget', () => {
  const told = { expectedPods: 9, currentHealthy: 9, desiredHealthy: 2, disruptionsAllowed: 7 };
  it('counts before the pods', () => {
    const { result, evidence } = ask([pool().spec({ minAvailable: 2 }).status(told).build()], [A]);
    expect(result).toMatchObject({ kind: 'Evictable', disruptionsAllowed: 7 });
    expect(evidence[1]).toEqual(asks('status.disruptionsAllowed', 7));
    const spent = { ...told, currentHealthy: 2, disruptionsAllowed: 0 };
    const { reason } = ask([pool().spec({ minAvailable: 2 }).status(spent).build()], [A, B, C]);
    expect(reason).toBe('WaitsForHealthyPod');
  });

  it('does not count against the arithmetic of launcher pods', () => {
    const { result } = ask([pool().spec({ maxUnavailable: 1 }).status(told).build()], [A]);
    expect(result).toMatchObject({ kind: 'RefusedForEver', refusal: refusal(2, 9) });
  });
});

describe('a pod that is not ready', () => {
  const budget = (unhealthyPodEvictionPolicy?: string) =>
    pool().spec({ minAvailable: 2, unhealthyPodEvictionPolicy });
  const free: BudgetAnswer = {
    kind: 'Evictable',
    message: 'disruption budget "pool" lets go of pod virt-launcher-a, which is not ready',
  };

  it('may go while the others are enough', () => {
    expect(ask([budget().build()], [unready('a'), B, C])).toEqual({
      result: free,
      reason: 'UnhealthyPodEvictable',
      evidence: [
        asks('spec.minAvailable', 2),
        asks('status.disruptionsAllowed'),
        asks('spec.unhealthyPodEvictionPolicy'),
        {
          object: 'Pod shop/virt-launcher-a',
          path: 'status.conditions[type=Ready]',
          value: 'False: ContainersNotReady',
        },
      ],
    });
  });

  it.each([
    ['the others are too few', budget(), [unready('a'), B], 'NoneToSpare'],
    [
      'the others are too few, by policy',
      budget('IfHealthyBudget'),
      [unready('a'), B, unready('c')],
      'WaitsForHealthyPod',
    ],
    ['nothing is wanted', pool().spec({ minAvailable: 0 }), [unready('a')], 'WaitsForHealthyPod'],
    [
      'nothing can be counted',
      pool().spec({ maxUnavailable: 1 }).status({ currentHealthy: 3, desiredHealthy: 2 }),
      [unready('a'), B],
      'ExpectedPodsUnknown',
    ],
  ])('may not go while %s', (_name, chosen, pods, reason) => {
    expect(ask([chosen.build()], pods).reason).toBe(reason);
  });

  it.each([
    ['the others are too few', budget('AlwaysAllow'), [unready('a'), B]],
    [
      'nothing can be counted',
      pool().spec({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      [unready('a'), B],
    ],
  ])('may always go where the policy says so, though %s', (_name, chosen, pods) => {
    expect(ask([chosen.build()], pods).result).toEqual(free);
  });

  it('is no matter for a ready pod', () => {
    expect(ask([budget('AlwaysAllow').build()], [A, B]).reason).toBe('NoneToSpare');
  });
});

describe('pods of other controllers', () => {
  const replica = aPod('web-1')
    .labelled('pool', 'web')
    .meta({ ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true }] })
    .ready()
    .build();

  it('depend on a scale that is not known here', () => {
    expect(ask([pool().spec({ maxUnavailable: 1 }).build()], [replica])).toEqual({
      result: {
        kind: 'Unknown',
        message:
          'disruption budget "pool" has no usable status, and its numbers depend on the scale of ReplicaSet web',
        missing: 'the scale of ReplicaSet web',
      },
      reason: 'ScaleUnknown',
      evidence: [asks('spec.maxUnavailable', 1), asks('status.disruptionsAllowed')],
    });
  });

  it('go by the status where there is one', () => {
    const status = { expectedPods: 3, currentHealthy: 3, desiredHealthy: 2, disruptionsAllowed: 1 };
    const { reason } = ask([pool().spec({ maxUnavailable: 1 }).status(status).build()], [replica]);
    expect(reason).toBe('BudgetAllows');
  });
});

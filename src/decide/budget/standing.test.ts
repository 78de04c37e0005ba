import { describe, expect, it } from 'vitest';
import { aBudget, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { budgetsOf, standingOf } from './standing.ts';

const launcher = (vmi: string) =>
  aPod(`virt-launcher-${vmi}`).launcherOf(aVmi(vmi).build()).labelled('pool', 'web').ready();
const [A, B] = [launcher('a').build(), launcher('b').build()];
const pool = (name = 'pool') => aBudget(name).selecting('pool', 'web');
const stand = (budget: PodDisruptionBudget) => standingOf({ pod: A, budgets: [budget], pods: [A, B] });

const FROM_PODS = { expectedPods: 2, currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1 };
const STATUS = { expectedPods: 4, currentHealthy: 4, desiredHealthy: 1, disruptionsAllowed: 3 };

describe('budgetsOf', () => {
  it('gives those that select the pod, by name, and works once', () => {
    const input = {
      pod: A,
      budgets: [pool('z').build(), aBudget('none').build(), pool('a').build()],
      pods: [],
    };
    expect(budgetsOf(input).map((budget) => budget.metadata.name)).toEqual(['a', 'z']);
    expect(budgetsOf(input)).toBe(budgetsOf(input));
  });
});

describe('standingOf', () => {
  it.each([[[]], [[pool('a').build(), pool('z').build()]]])('wants exactly one budget', (budgets) => {
    expect(() => standingOf({ pod: A, budgets, pods: [A] })).toThrow(
      'not exactly one disruption budget selects the pod',
    );
  });

  it('works once for one input', () => {
    const input = { pod: A, budgets: [pool().build()], pods: [A] };
    expect(standingOf(input)).toBe(standingOf(input));
  });

  it('takes the status for granted where it holds together', () => {
    const budget = pool()
      .spec({ minAvailable: 1 })
      .meta({ generation: 2 })
      .status({ ...STATUS, observedGeneration: 2 });
    expect(stand(budget.build())).toEqual({ pod: A, budget: budget.build(), count: STATUS, most: 2 });
    expect(stand(pool().spec({ minAvailable: 1 }).status(STATUS).build()).count).toEqual(STATUS);
    expect(
      stand(pool().spec({ minAvailable: 1 }).meta({ generation: 2 }).status(STATUS).build()).count,
    ).toEqual(STATUS);
    expect(
      stand(
        pool()
          .spec({ minAvailable: 1 })
          .status({ ...STATUS, observedGeneration: 1 })
          .build(),
      ).count,
    ).toEqual(STATUS);
    const spent = { expectedPods: 2, currentHealthy: 1, desiredHealthy: 3, disruptionsAllowed: 0 };
    expect(stand(pool().spec({ minAvailable: 3 }).status(spent).build()).count).toEqual(spent);
  });

  it.each([
    ['of an older generation', { ...STATUS, observedGeneration: 1 }],
    ['without the allowance', { ...STATUS, disruptionsAllowed: undefined }],
    ['without the healthy pods', { ...STATUS, currentHealthy: undefined }],
    ['without the desired pods', { ...STATUS, desiredHealthy: undefined }],
    ['without the expected pods', { ...STATUS, expectedPods: undefined }],
    ['just after an eviction', { ...STATUS, disruptionsAllowed: 2 }],
    ['for another minAvailable', { ...STATUS, desiredHealthy: 2, disruptionsAllowed: 2 }],
    ['that allows something though it expects nothing', { ...STATUS, expectedPods: 0 }],
  ])('counts the pods itself with a status %s', (_name, status) => {
    const budget = pool().spec({ minAvailable: 1 }).meta({ generation: 2 }).status(status).build();
    expect(stand(budget).count).toEqual(FROM_PODS);
  });

  it('counts the pods itself without a status', () => {
    expect(stand(pool().spec({ minAvailable: 1 }).build()).count).toEqual(FROM_PODS);
  });

  it('believes no status of a budget that cannot be counted', () => {
    const budget = pool().spec({ maxUnavailable: 1 });
    const trouble = { kind: 'failed' };
    expect(stand(budget.status(STATUS).build())).toMatchObject({
      trouble,
      count: { ...STATUS, disruptionsAllowed: 0 },
    });
    const zeros = { expectedPods: 0, currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0 };
    expect(stand(pool().spec({ maxUnavailable: 1 }).build())).toMatchObject({ trouble, count: zeros });
  });

  it('has nothing but the status where scales are not known', () => {
    const replica = aPod('web-1')
      .labelled('pool', 'web')
      .meta({ ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true }] })
      .build();
    const of = (budget: PodDisruptionBudget) =>
      standingOf({ pod: replica, budgets: [budget], pods: [replica] });
    const told = of(pool().spec({ maxUnavailable: 1 }).status(STATUS).build());
    expect(told).toMatchObject({ count: STATUS });
    expect(told.trouble).toBeUndefined();
    expect(of(pool().spec({ maxUnavailable: 1 }).build()).trouble?.kind).toBe('unknown');
  });
});

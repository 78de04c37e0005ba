import { describe, expect, it } from 'vitest';
import { aBudget, aVmi } from '../kubevirt/builders.ts';
import { withOwnBudget } from './budget/own-budget.ts';
import { A, ask, asks, B, C, launcher, pool, refusal, unready } from './budget/test-budget.ts';
import { budgetTable } from './disruption-budget.ts';
import { traceOf } from './rules.ts';
import { versionRules } from './versions.ts';

describe('pods that no budget is asked about', () => {
  const never = pool().spec({ maxUnavailable: 0 }).build();
  it.each([
    ['a succeeded pod', launcher('a').phase('Succeeded').build()],
    ['a failed pod', launcher('a').phase('Failed').build()],
    ['a pending pod', launcher('a').phase('Pending').build()],
    ['a pod being deleted', launcher('a').deleting().build()],
  ])('%s', (_name, pod) => {
    expect(ask([never], [pod])).toEqual({
      result: {
        kind: 'Evictable',
        message:
          'no disruption budget is asked about pod virt-launcher-a: it is not running, or on its way out',
      },
      reason: 'BudgetsNotAsked',
      evidence: [
        { object: 'Pod shop/virt-launcher-a', path: 'status.phase', value: pod.status?.phase },
        {
          object: 'Pod shop/virt-launcher-a',
          path: 'metadata.deletionTimestamp',
          value: pod.metadata.deletionTimestamp,
        },
      ],
    });
  });
});

describe('how many budgets select the pod', () => {
  it.each([
    ['there is none', []],
    ['one of other pods', [aBudget().selecting('pool', 'db').build()]],
    ['one without a selector', [aBudget().build()]],
    ['one of another namespace', [aBudget('pool', 'tenant').selecting('pool', 'web').build()]],
  ])('none: %s', (_name, budgets) => {
    expect(ask(budgets, [A])).toEqual({
      result: { kind: 'Evictable', message: 'no disruption budget selects pod virt-launcher-a' },
      reason: 'NoBudget',
      evidence: [],
    });
  });

  it('several are an error, however generous they are', () => {
    const [first, second] = [pool('one').spec({ minAvailable: 0 }), pool('two').spec({ minAvailable: 0 })];
    const selector = { matchLabels: { pool: 'web' } };
    expect(ask([second.build(), first.build()], [A])).toEqual({
      result: {
        kind: 'SeveralBudgets',
        message:
          '2 disruption budgets (one, two) select pod virt-launcher-a, and the API server evicts no such pod',
        budgets: ['one', 'two'],
        refusal: {
          code: 500,
          message:
            'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        },
      },
      reason: 'SeveralBudgets',
      evidence: [
        { object: 'PodDisruptionBudget shop/one', path: 'spec.selector', value: selector },
        { object: 'PodDisruptionBudget shop/two', path: 'spec.selector', value: selector },
      ],
    });
  });

  it('an empty selector selects every pod of the namespace', () => {
    const budget = aBudget('all').spec({ selector: {}, minAvailable: 1 }).build();
    expect(ask([budget], [A]).reason).toBe('NoneToSpare');
  });
});

describe('C18: a budget over the launchers of three VMIs', () => {
  it.each([
    ['A: maxUnavailable 1', { maxUnavailable: 1 }, 'spec.maxUnavailable'],
    ['maxUnavailable 30%', { maxUnavailable: '30%' }, 'spec.maxUnavailable'],
    ['B: minAvailable 75%', { minAvailable: '75%' }, 'spec.minAvailable'],
  ])('%s never allows anything', (_name, spec, path) => {
    const [[key, value] = ['', '']] = Object.entries(spec);
    expect(ask([pool().spec(spec).build()], [A, B, C])).toEqual({
      result: {
        kind: 'RefusedForEver',
        message: `disruption budget "pool" sets ${key} ${value}, which never allows an eviction here: launcher pods are owned by a VirtualMachineInstance, and that has no scale`,
        budget: 'pool',
        refusal: refusal(0, 0),
      },
      reason: 'ExpectedPodsUnknown',
      evidence: [asks(path, value), asks('status.disruptionsAllowed')],
    });
  });

  it('C: minAvailable 2 lets them go one at a time', () => {
    const budgets = [pool().spec({ minAvailable: 2 }).build()];
    expect(ask(budgets, [A, B, C])).toEqual({
      result: {
        kind: 'Evictable',
        message: 'disruption budget "pool" allows 1 eviction now',
        budget: 'pool',
        disruptionsAllowed: 1,
      },
      reason: 'BudgetAllows',
      evidence: [asks('spec.minAvailable', 2), asks('status.disruptionsAllowed')],
    });
    const leaving = launcher('a').ready().deleting().build();
    expect(ask(budgets, [B, leaving, C])).toEqual({
      result: {
        kind: 'RefusedNow',
        message:
          'disruption budget "pool" wants 2 healthy pods and has 2: the next eviction waits until one more of the 3 that it selects is healthy',
        budget: 'pool',
        refusal: refusal(2, 2),
      },
      reason: 'WaitsForHealthyPod',
      evidence: [asks('spec.minAvailable', 2), asks('status.disruptionsAllowed')],
    });
  });

  it('minAvailable 1 lets two go', () => {
    const { result } = ask([pool().spec({ minAvailable: 1 }).build()], [A, B, C]);
    expect(result).toEqual({
      kind: 'Evictable',
      message: 'disruption budget "pool" allows 2 evictions now',
      budget: 'pool',
      disruptionsAllowed: 2,
    });
  });

  it.each([
    [3, [A, B, C], '3 healthy of the 3 pods'],
    [4, [A, B, C], '4 healthy of the 3 pods'],
    [1, [A], '1 healthy of the 1 pod'],
    [3, [A, B, launcher('c').ready().deleting().build()], '3 healthy of the 3 pods'],
    [
      2,
      [A, launcher('a', 'virt-launcher-a-2').condition('Ready', 'False').build()],
      '2 healthy of the 1 pod',
    ],
    [2, [A, B, launcher('c').phase('Succeeded').build()], '2 healthy of the 2 pods'],
  ])('minAvailable %i can never spare one of %#', (minAvailable, pods, words) => {
    const { result, reason } = ask([pool().spec({ minAvailable }).build()], pods);
    expect(reason).toBe('NoneToSpare');
    expect(result).toMatchObject({
      kind: 'RefusedForEver',
      message: `disruption budget "pool" wants ${words} that it selects, so there is never one to spare`,
    });
  });

  it('waits for a single healthy pod', () => {
    const { result } = ask([pool().spec({ minAvailable: 1 }).build()], [A, unready('b')]);
    expect(result.message).toBe(
      'disruption budget "pool" wants 1 healthy pod and has 1: the next eviction waits until one more of the 2 that it selects is healthy',
    );
  });

  it('without either number never allows anything', () => {
    expect(ask([pool().build()], [A, B])).toEqual({
      result: {
        kind: 'RefusedForEver',
        message: 'disruption budget "pool" expects no pods and so never allows an eviction',
        budget: 'pool',
        refusal: refusal(0, 2),
      },
      reason: 'NothingExpected',
      evidence: [asks('spec.minAvailable'), asks('status.disruptionsAllowed')],
    });
  });
});

describe('C04: the budget that KubeVirt up to 1.5 makes for each VMI', () => {
  const vmi = aVmi('a').strategy('LiveMigrate').migratable().build();
  const settings = { evictionStrategy: 'None', rules: versionRules({ major: 1, minor: 5 }) };
  const target = launcher('a', 'virt-launcher-a-2').ready().build();

  it.each([
    ['at rest', false, [A], 1],
    ['while it migrates', true, [A, target], 2],
  ])('guards the launcher %s', (_name, isMigrating, pods, wanted) => {
    const budgets = [...withOwnBudget([], { vmi, settings, isMigrating })];
    const { result, reason } = ask(budgets, pods);
    expect(reason).toBe('OwnBudget');
    expect(result).toMatchObject({
      kind: 'RefusedNow',
      message:
        'disruption budget "kubevirt-disruption-budget-a" is KubeVirt\'s own and guards the pod until the VMI has moved away',
      budget: 'kubevirt-disruption-budget-a',
      refusal: {
        cause: {
          message: `The disruption budget kubevirt-disruption-budget-a needs ${wanted} healthy pods and has ${wanted} currently`,
        },
      },
    });
  });

  it("is one too many beside a user's", () => {
    const budgets = [
      ...withOwnBudget([pool().spec({ minAvailable: 0 }).build()], { vmi, settings, isMigrating: false }),
    ];
    expect(ask(budgets, [A]).reason).toBe('SeveralBudgets');
  });
});

it('a trace names every rule tried', () => {
  const input = { pod: A, budgets: [pool().spec({ minAvailable: 1 }).build()], pods: [A, unready('b')] };
  const trace = traceOf(budgetTable, input);
  expect(trace.map((step) => step.rule)).toEqual([
    'BudgetsNotAsked',
    'NoBudget',
    'SeveralBudgets',
    'UnhealthyPodEvictable',
    'ExpectedPodsUnknown',
    'ScaleUnknown',
    'BudgetAllows',
    'OwnBudget',
    'NothingExpected',
    'NoneToSpare',
    'WaitsForHealthyPod',
  ]);
  expect(trace.filter((step) => step.held).map((step) => step.rule)).toEqual(['WaitsForHealthyPod']);
});

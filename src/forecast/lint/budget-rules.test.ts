import { describe, expect, it } from 'vitest';
import { aBudget, aKubeVirt, aPod, aVmi } from '../../kubevirt/builders.ts';
import { budgetNeverAllows, leftoverBudgets, severalBudgets } from './budget-rules.ts';
import { aFleet, findingsOf, launched, objectsFound } from './builders.ts';

const DB = 'VirtualMachineInstance shop/db';
const POOL = 'PodDisruptionBudget shop/pool';
const db = (name = 'db', strategy = 'None') => launched(aVmi(name).on('n1').strategy(strategy).build());
const moving = launched(aVmi('move').on('n1').strategy('LiveMigrate').migratable().build());
const over = (name = 'pool') => aBudget(name).selecting('kubevirt.io', 'virt-launcher');
const patch = (ops: unknown) => `\`kubectl patch pdb -n shop pool --type json -p '${JSON.stringify(ops)}'\``;

describe('BudgetNeverAllows', () => {
  it.each([
    ['a whole number with one to spare', [...db('a'), ...db('b'), over().spec({ minAvailable: 1 }).build()]],
    ['VMs that are migrated', [...moving, over().spec({ maxUnavailable: 1 }).build()]],
    [
      'pods that are no launchers',
      [
        ...db(),
        aPod('web').labelled('app', 'web').build(),
        aBudget().selecting('app', 'web').spec({ minAvailable: 1 }).build(),
      ],
    ],
    [
      'another namespace',
      [
        ...db(),
        aBudget('pool', 'other')
          .selecting('kubevirt.io', 'virt-launcher')
          .spec({ maxUnavailable: 1 })
          .build(),
      ],
    ],
    [
      'a budget that waits for a pod',
      [
        ...db('a'),
        ...db('b').map((object) => ({ ...object, status: { ...object.status, phase: 'Pending' } })),
        over().spec({ minAvailable: 1 }).build(),
      ],
    ],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(budgetNeverAllows, aFleet(...objects))).toEqual([]);
  });

  it('finds maxUnavailable', () => {
    const helper = aPod('sidecar').labelled('pool', 'a').build();
    const pods = [...db('a'), ...db('b'), ...moving].map((object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, pool: 'a' } },
    }));
    const budget = aBudget().selecting('pool', 'a').spec({ maxUnavailable: 1 }).build();
    const fleet = aFleet(...pods, helper, budget);
    expect(findingsOf(budgetNeverAllows, fleet)).toMatchObject([
      {
        code: 'DRV022',
        severity: 'warning',
        objects: [POOL],
        cause:
          '1 budget holds 2 VMIs that a drain is to shut down; shop/pool: disruption budget "pool" sets maxUnavailable 1, ' +
          'which never allows an eviction here: launcher pods are owned by a VirtualMachineInstance, and that has no scale.',
        cure: `Ask for a whole number of launchers that leaves one to spare: ${patch([
          { op: 'remove', path: '/spec/maxUnavailable' },
          { op: 'add', path: '/spec/minAvailable', value: 2 },
        ])}`,
        evidence: [
          { object: POOL, path: 'spec.maxUnavailable', value: 1 },
          { object: POOL, path: 'status.disruptionsAllowed', value: undefined },
        ],
      },
    ]);
  });

  it('tells a percentage from a number that is too high', () => {
    const percent = aBudget('percent')
      .selecting('kubevirt.io/created-by', 'uid-a')
      .spec({ minAvailable: '75%' });
    const all = aBudget('all').selecting('kubevirt.io/created-by', 'uid-b').spec({ minAvailable: 1 });
    const found = findingsOf(budgetNeverAllows, aFleet(...db('a'), ...db('b'), all.build(), percent.build()));
    expect(found.map(({ objects }) => objects)).toEqual([
      ['PodDisruptionBudget shop/all'],
      ['PodDisruptionBudget shop/percent'],
    ]);
    expect(found[0]?.cause).toBe(
      '1 budget holds 1 VMI that a drain is to shut down; shop/all: disruption budget "all" wants 1 healthy of the 1 pod that it selects, so there is never one to spare.',
    );
    expect(found[0]?.cure).toContain(
      '{"op":"remove","path":"/spec/minAvailable"},{"op":"add","path":"/spec/minAvailable","value":0}',
    );
  });
});

describe('SeveralBudgets', () => {
  const two = [over('one').spec({ minAvailable: 0 }).build(), over('two').spec({ minAvailable: 0 }).build()];

  it.each([
    ['one budget', [...db(), over().build()]],
    [
      'two that select different pods',
      [
        ...db('a'),
        ...db('b'),
        aBudget('a').selecting('kubevirt.io/created-by', 'uid-a').build(),
        aBudget('b').selecting('kubevirt.io/created-by', 'uid-b').build(),
      ],
    ],
    ['a VM that is migrated', [...moving, ...two]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(severalBudgets, aFleet(...objects))).toEqual([]);
  });

  it('names the budgets', () => {
    expect(findingsOf(severalBudgets, aFleet(...two, ...db('web'), ...db()))).toMatchObject([
      {
        code: 'DRV023',
        severity: 'error',
        objects: [DB, 'VirtualMachineInstance shop/web'],
        cause:
          'The launchers of 2 VMIs are under several budgets, that of shop/db under one and two: every eviction fails with an internal error.',
        cure: 'Leave one budget over each pod, by narrowing the selectors or deleting the others: `kubectl describe pdb -n shop one`',
        evidence: ['one', 'two'].map((name) => ({
          object: `PodDisruptionBudget shop/${name}`,
          path: 'spec.selector',
          value: { matchLabels: { 'kubevirt.io': 'virt-launcher' } },
        })),
      },
    ]);
  });

  it('counts a VM that is migrated up to 1.4, where marked VMIs are left to the budgets', () => {
    const kubevirt = aKubeVirt().status({ observedKubeVirtVersion: 'v1.4.0' }).build();
    const [finding] = findingsOf(severalBudgets, aFleet(kubevirt, ...moving, ...two));
    expect(finding?.cause).toMatch(
      /^The launcher of 1 VMI is under several budgets, that of shop\/move under one and two/,
    );
  });
});

describe('LeftoverBudgets', () => {
  const owner = { kind: 'VirtualMachineInstance', name: 'db', uid: 'uid-db', controller: true };
  const own = aBudget('kubevirt-disruption-budget-x')
    .meta({ ownerReferences: [owner] })
    .build();
  const version = (observedKubeVirtVersion: string) =>
    aKubeVirt().status({ observedKubeVirtVersion }).build();

  it.each([
    ['a budget of your own', [version('v1.6.0'), over().build()]],
    ['a version that makes them', [version('v1.5.2'), own]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(leftoverBudgets, aFleet(...objects))).toEqual([]);
  });

  it('finds them from 1.6 on', () => {
    expect(findingsOf(leftoverBudgets, aFleet(version('v1.6.0'), own))).toMatchObject([
      {
        code: 'DRV024',
        objects: ['PodDisruptionBudget shop/kubevirt-disruption-budget-x'],
        cause:
          '1 budget is owned by a VMI, as KubeVirt up to 1.5 made them; this one should have deleted it.',
        cure: "Look for errors of the disruption budget controller in virt-controller's log, then delete what is left: `kubectl delete pdb -n shop kubevirt-disruption-budget-x`",
        evidence: [{ path: 'metadata.ownerReferences', value: [owner] }],
      },
    ]);
  });
});

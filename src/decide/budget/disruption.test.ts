import { describe, expect, it } from 'vitest';
import { aBudget, aPod } from '../../kubevirt/builders.ts';
import type { Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { charged, isUpToDate, lookAtBudget } from './disruption.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const STAMP = '2026-03-01T12:00:00Z';

const budget = (minAvailable: number | string) =>
  aBudget('p8').meta({ generation: 2 }).selecting('pdb', 'p8').spec({ minAvailable });
const pod = (name: string) => aPod(name).labelled('pdb', 'p8');
const ready = (name: string) => pod(name).ready().build();

function look(of: PodDisruptionBudget, pods: readonly Pod[] = [], now = NOW) {
  return lookAtBudget({ budget: of, pods, now });
}

const condition = (status: string, reason: string, message = '') => ({
  type: 'DisruptionAllowed',
  status,
  reason,
  message,
  lastTransitionTime: STAMP,
});

describe('what the controller counts', () => {
  it.each([
    ['the only pod not ready', 1, [pod('a').condition('Ready', 'False').build()], [0, 1, 1, 0]],
    ['the only pod ready', 1, [ready('a')], [1, 1, 1, 0]],
    ['one to spare', 1, [ready('a'), ready('b')], [2, 1, 2, 1]],
    ['one on its way out', 1, [ready('a'), pod('b').ready().deleting().build()], [1, 1, 2, 0]],
    ['nothing to keep', 0, [ready('a')], [1, 0, 1, 1]],
  ])('%s', (_, minAvailable, pods, [currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed]) => {
    expect(look(budget(minAvailable).build(), pods)).toEqual({
      status: {
        currentHealthy,
        desiredHealthy,
        expectedPods,
        disruptionsAllowed,
        observedGeneration: 2,
        conditions: [
          disruptionsAllowed ? condition('True', 'SufficientPods') : condition('False', 'InsufficientPods'),
        ],
      },
      events: [],
      againAt: undefined,
    });
  });

  it('says that there are no pods', () => {
    const seen = look(budget(1).build());
    expect(seen?.status).toMatchObject({ expectedPods: 0, desiredHealthy: 1, disruptionsAllowed: 0 });
    expect(seen?.events).toEqual([
      {
        kind: 'PodDisruptionBudget',
        namespace: 'shop',
        name: 'p8',
        type: 'Normal',
        reason: 'NoPods',
        message: 'No matching pods found',
      },
    ]);
  });

  it('allows nothing, and keeps the other numbers, where it cannot count', () => {
    const of = budget('50%').status({ currentHealthy: 3, disruptionsAllowed: 2 }).build();
    const owned = pod('a').ownedBy('VirtualMachineInstance', 'db').ready().build();
    const seen = look(of, [owned]);
    const why = 'virtualmachineinstances.kubevirt.io does not implement the scale subresource';
    expect(seen?.status).toEqual({
      currentHealthy: 3,
      disruptionsAllowed: 0,
      conditions: [condition('False', 'SyncFailed', why)],
    });
    expect(seen?.events).toMatchObject([
      {
        type: 'Warning',
        reason: 'CalculateExpectedPodCountFailed',
        message: `Failed to calculate the number of expected pods: ${why}`,
      },
    ]);
  });

  it('does not know the scale of other controllers', () => {
    expect(look(budget('50%').build(), [pod('a').ownedBy('ReplicaSet', 'web').build()])).toBeUndefined();
  });
});

describe('pods whose eviction was let through', () => {
  const evicted = budget(1).status({ disruptedPods: { a: STAMP, gone: STAMP, b: STAMP } });
  const pods = [ready('a'), pod('b').ready().deleting().build(), ready('c')];

  it('count as gone for two minutes, unless they are on their way out already', () => {
    expect(look(evicted.build(), pods, NOW + 120_000)).toMatchObject({
      status: { currentHealthy: 1, disruptionsAllowed: 0, disruptedPods: { a: STAMP } },
      events: [],
      againAt: NOW + 120_000,
    });
  });

  it('are given up after that', () => {
    const seen = look(evicted.build(), pods, NOW + 120_001);
    expect(seen?.status).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
    expect(seen?.status.disruptedPods).toBeUndefined();
    expect(seen?.againAt).toBeUndefined();
    expect(seen?.events).toEqual([
      {
        kind: 'Pod',
        namespace: 'shop',
        name: 'a',
        type: 'Warning',
        reason: 'NotDeleted',
        message: "Pod was expected by PDB shop/shop to be deleted but it wasn't",
      },
    ]);
  });

  it('are asked about again when the first of them is due', () => {
    const later = budget(1).status({ disruptedPods: { a: '2026-03-01T12:00:30Z', c: STAMP } });
    expect(look(later.build(), pods)?.againAt).toBe(NOW + 120_000);
  });
});

describe('an eviction that is charged', () => {
  it('leaves one fewer, and says when', () => {
    const before = budget(1).status({
      disruptionsAllowed: 2,
      currentHealthy: 3,
      disruptedPods: { z: STAMP },
    });
    expect(charged(before.build(), ready('a'), NOW).status).toEqual({
      disruptionsAllowed: 1,
      currentHealthy: 3,
      disruptedPods: { z: STAMP, a: STAMP },
      conditions: [condition('True', 'SufficientPods')],
    });
  });

  it('tells that it was the last one', () => {
    const after = charged(budget(1).status({ disruptionsAllowed: 1 }).build(), ready('a'), NOW);
    expect(after.status?.conditions).toEqual([condition('False', 'InsufficientPods')]);
  });

  it.each([[budget(1).build()], [budget(1).status({ disruptionsAllowed: 0 }).build()]])(
    'is not charged where nothing is allowed',
    (before) => {
      expect(charged(before, ready('a'), NOW)).toBe(before);
    },
  );
});

describe('a status that is up to date', () => {
  const seen = look(budget(1).build(), [ready('a')]);
  const status = seen?.status ?? {};

  it.each([
    ['the same', status, true],
    ['with an empty map', { ...status, disruptedPods: {} }, true],
    [
      'of another time',
      { ...status, conditions: [{ ...condition('False', 'InsufficientPods'), lastTransitionTime: 'x' }] },
      true,
    ],
    ['of an older generation', { ...status, observedGeneration: 1 }, false],
    ['without condition', { ...status, conditions: [] }, false],
    ['with another number', { ...status, currentHealthy: 0 }, false],
    ['with another map', { ...status, disruptedPods: { a: STAMP } }, false],
  ])('%s', (_, held, isCurrent) => {
    expect(isUpToDate(budget(1).status(held).build(), status)).toBe(isCurrent);
  });

  it('is never one that is not there', () => {
    expect(isUpToDate(budget(1).build(), {})).toBe(false);
  });

  it('keeps the time of its condition while that stays as it is', () => {
    const later = look(budget(1).status(status).build(), [ready('a')], NOW + 5000);
    expect(later?.status.conditions).toEqual(status.conditions);
    const other = look(budget(1).status(status).build(), [ready('a'), ready('b')], NOW + 5000);
    expect(other?.status.conditions?.[0]?.lastTransitionTime).toBe('2026-03-01T12:00:05Z');
  });
});

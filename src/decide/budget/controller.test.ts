import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aBudget, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { countBudget, isPodReady, mostHealthy, selectsPod } from './controller.ts';

const launcher = (vmi: string, pod = `virt-launcher-${vmi}-1`) =>
  aPod(pod).launcherOf(aVmi(vmi).build()).labelled('pool', 'web');
const owned = (kind: string, name = 'x') =>
  aPod(`pod-of-${kind}`)
    .labelled('pool', 'web')
    .meta({ ownerReferences: [{ kind, name, controller: true }] });
const pool = () => aBudget().selecting('pool', 'web');
const [A, B, C] = [
  launcher('a').ready().build(),
  launcher('b').ready().build(),
  launcher('c').ready().build(),
];

describe('isPodReady', () => {
  it.each([
    ['Ready True', aPod().ready().build(), true],
    ['Ready False', aPod().condition('Ready', 'False').build(), false],
    ['Ready Unknown', aPod().condition('Ready', 'Unknown').build(), false],
    ['Ready True, though pending', aPod().phase('Pending').ready().build(), true],
    ['no Ready condition, running', aPod().condition('PodScheduled', 'True').build(), true],
    ['no Ready condition, pending', aPod().phase('Pending').build(), false],
    ['no status', { metadata: { name: 'p' } }, false],
  ])('%s: %s', (_name, pod: Pod, expected) => {
    expect(isPodReady(pod)).toBe(expected);
  });
});

describe('selectsPod', () => {
  it.each([
    ['by label', pool().build(), true],
    ['everything, with an empty selector', aBudget().spec({ selector: {} }).build(), true],
    ['nothing, without a selector', aBudget().build(), false],
    ['nothing, without a spec', { metadata: { name: 'p', namespace: 'shop' } }, false],
    ['nothing of another label', aBudget().selecting('pool', 'db').build(), false],
    ['nothing of another namespace', aBudget('pool', 'tenant').selecting('pool', 'web').build(), false],
  ])('%s', (_name, budget, expected) => {
    expect(selectsPod(budget, A)).toBe(expected);
  });
});

describe('countBudget with an integer minAvailable', () => {
  const count = (minAvailable: number, ...pods: Pod[]) =>
    countBudget(pool().spec({ minAvailable }).build(), pods);
  const counted = (
    expectedPods: number,
    currentHealthy: number,
    desiredHealthy: number,
    disruptionsAllowed: number,
  ) => ({ kind: 'counted', count: { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed } });

  it.each([
    ['C18 C: three of two', count(2, A, B, C), counted(3, 3, 2, 1)],
    ['exactly enough', count(2, A, B), counted(2, 2, 2, 0)],
    ['too few', count(2, A), counted(1, 1, 2, 0)],
    ['none wanted', count(0, A, B), counted(2, 2, 0, 2)],
    ['no pods', count(0), counted(0, 0, 0, 0)],
    ['pods not selected', count(0, A, aPod('other').ready().build()), counted(1, 1, 0, 1)],
    ['one not ready', count(1, A, launcher('b').condition('Ready', 'False').build()), counted(2, 1, 1, 0)],
    ['one being deleted', count(1, A, launcher('b').ready().deleting().build()), counted(2, 1, 1, 0)],
    ['one ended', count(1, A, launcher('b').phase('Succeeded').build()), counted(2, 1, 1, 0)],
    ['source and target of one VMI', count(1, A, launcher('a', 'a-2').ready().build()), counted(2, 2, 1, 1)],
    [
      'pods on several nodes',
      count(1, launcher('a').on('n1').ready().build(), launcher('b').on('n2').ready().build()),
      counted(2, 2, 1, 1),
    ],
  ])('%s', (_name, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  it('never allows more than there are healthy pods, nor less than none', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.array(fc.boolean(), { maxLength: 6 }),
        (min, readiness) => {
          const pods = readiness.map((ready, i) =>
            launcher(`v${i}`)
              .condition('Ready', ready ? 'True' : 'False')
              .build(),
          );
          const healthy = readiness.filter(Boolean).length;
          const allowed = Math.max(0, pods.length > 0 ? healthy - min : 0);
          expect(count(min, ...pods)).toEqual(counted(pods.length, healthy, min, allowed));
        },
      ),
    );
  });
});

describe('countBudget by scale', () => {
  const failed = (resource: string) => ({
    kind: 'failed',
    error: `${resource} does not implement the scale subresource`,
  });
  const launchers = failed('virtualmachineinstances.kubevirt.io');

  it.each([
    ['C18 A: maxUnavailable', pool().spec({ maxUnavailable: 1 }).build()],
    ['maxUnavailable in percent', pool().spec({ maxUnavailable: '25%' }).build()],
    ['C18 B: minAvailable in percent', pool().spec({ minAvailable: '75%' }).build()],
    ['maxUnavailable beside minAvailable', pool().spec({ maxUnavailable: 1, minAvailable: 1 }).build()],
  ])('%s fails over launcher pods', (_name, budget) => {
    expect(countBudget(budget, [A, B, C])).toEqual(launchers);
  });

  it.each([
    ['Pod', 'pods'],
    ['DaemonSet', 'daemonsets.apps'],
    ['Job', 'jobs.batch'],
  ])('a %s has no scale either', (kind, resource) => {
    expect(countBudget(pool().spec({ maxUnavailable: 1 }).build(), [owned(kind).build()])).toEqual(
      failed(resource),
    );
  });

  it('depends on scales that are not known here', () => {
    const budget = pool().spec({ maxUnavailable: 1 }).build();
    const replica = owned('ReplicaSet', 'web-5f').build();
    expect(countBudget(budget, [replica])).toEqual({
      kind: 'unknown',
      missing: 'the scale of ReplicaSet web-5f',
    });
    expect(countBudget(budget, [replica, A])).toEqual(launchers);
    const unnamed = owned('x')
      .meta({ ownerReferences: [{ name: 'y', controller: true }] })
      .build();
    expect(countBudget(budget, [unnamed])).toMatchObject({ kind: 'unknown' });
  });

  it('leaves pods without controller out and so allows nothing', () => {
    const loose = aPod('loose').labelled('pool', 'web').ready().build();
    const nothing = { expectedPods: 0, currentHealthy: 1, desiredHealthy: 0, disruptionsAllowed: 0 };
    const counted = { kind: 'counted', count: nothing };
    expect(countBudget(pool().spec({ maxUnavailable: 1 }).build(), [loose])).toEqual(counted);
    expect(countBudget(pool().spec({ minAvailable: '50%' }).build(), [loose])).toEqual(counted);
  });

  it('without either number allows nothing', () => {
    const nothing = { expectedPods: 0, currentHealthy: 2, desiredHealthy: 0, disruptionsAllowed: 0 };
    expect(countBudget(pool().build(), [A, B])).toEqual({ kind: 'counted', count: nothing });
  });
});

describe('mostHealthy', () => {
  const most = (...pods: Pod[]) => mostHealthy(pool().build(), pods);
  it.each([
    ['one for each VMI', most(A, B, C), 3],
    ['one for a VMI that migrates', most(A, launcher('a', 'a-2').build(), B), 2],
    ['one that is being deleted', most(A, launcher('b').deleting().build()), 2],
    ['one that is not ready', most(A, launcher('b').condition('Ready', 'False').build()), 2],
    [
      'none that has ended',
      most(A, launcher('b').phase('Succeeded').build(), launcher('c').phase('Failed').build()),
      1,
    ],
    ['none that is not selected', most(A, aPod('other').build()), 1],
    ['one for each pod of something else', most(owned('Pod').build(), owned('Job').build()), 2],
    [
      'pods of one owner that is no VMI',
      most(owned('Job').build(), owned('Job').meta({ name: 'second' }).build()),
      2,
    ],
  ])('%s', (_name, actual, expected) => {
    expect(actual).toBe(expected);
  });
});

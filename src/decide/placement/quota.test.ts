import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod, ResourceQuota } from '../../kubevirt/objects.ts';
import { chargeOf, judgeQuotas } from './quota.ts';
import { judge, named, pod, quota } from './test-quota.ts';

describe('what a pod counts for', () => {
  it('is itself, its requests and its limits', () => {
    const device = aPod()
      .asking(
        { cpu: '1', memory: '2', 'ephemeral-storage': '3', 'hugepages-2Mi': '4', 'nvidia.com/gpu': '5' },
        { cpu: '6', memory: '7', 'ephemeral-storage': '8', 'hugepages-2Mi': '4', 'nvidia.com/gpu': '5' },
      )
      .build();
    expect(Object.fromEntries(chargeOf(device))).toEqual({
      pods: 1,
      'count/pods': 1,
      cpu: 1000,
      memory: 2,
      'ephemeral-storage': 3,
      'hugepages-2Mi': 4,
      'requests.cpu': 1000,
      'requests.memory': 2,
      'requests.ephemeral-storage': 3,
      'requests.hugepages-2Mi': 4,
      'requests.nvidia.com/gpu': 5,
      'limits.cpu': 6000,
      'limits.memory': 7,
      'limits.ephemeral-storage': 8,
    });
  });
});

describe('the arithmetic of a quota', () => {
  it.each`
    resource                      | used        | hard     | fits
    ${'requests.cpu'}             | ${'1'}      | ${'3'}   | ${true}
    ${'requests.cpu'}             | ${'1001m'}  | ${'3'}   | ${false}
    ${'cpu'}                      | ${'1'}      | ${'3'}   | ${true}
    ${'cpu'}                      | ${'2'}      | ${'3'}   | ${false}
    ${'requests.memory'}          | ${'7Gi'}    | ${'8Gi'} | ${true}
    ${'requests.memory'}          | ${'7169Mi'} | ${'8Gi'} | ${false}
    ${'memory'}                   | ${'1'}      | ${'1Gi'} | ${false}
    ${'limits.memory'}            | ${'6Gi'}    | ${'8Gi'} | ${true}
    ${'limits.memory'}            | ${'7Gi'}    | ${'8Gi'} | ${false}
    ${'pods'}                     | ${'9'}      | ${'10'}  | ${true}
    ${'pods'}                     | ${'10'}     | ${'10'}  | ${false}
    ${'count/pods'}               | ${'10'}     | ${'10'}  | ${false}
    ${'services'}                 | ${'10'}     | ${'10'}  | ${true}
    ${'limits.ephemeral-storage'} | ${'10'}     | ${'10'}  | ${true}
  `('$resource: $used used of $hard: $fits', ({ resource, used, hard, fits }) => {
    const verdict = judge([quota({ [resource]: hard }, { [resource]: used })]);
    expect(verdict.refusal === undefined).toBe(fits);
    expect(verdict.missing).toEqual([]);
  });

  it('refuses in the words of the API server', () => {
    const full = quota(
      { 'requests.memory': '8Gi', 'requests.cpu': '4', pods: '10', 'limits.memory': '99Gi' },
      { 'requests.memory': '7.5Gi', 'requests.cpu': '3500m', pods: '1', 'limits.memory': '0' },
    );
    expect(judge([full]).refusal).toEqual({
      quota: 'q',
      reason: 'ExceededQuota',
      message:
        'exceeded quota: q, requested: requests.cpu=2,requests.memory=1Gi, used: requests.cpu=3500m,requests.memory=7.5Gi, limited: requests.cpu=4,requests.memory=8Gi',
      evidence: [
        { object: 'ResourceQuota shop/q', path: 'status.hard[requests.cpu]', value: '4' },
        { object: 'ResourceQuota shop/q', path: 'status.used[requests.cpu]', value: '3500m' },
        { object: 'ResourceQuota shop/q', path: 'status.hard[requests.memory]', value: '8Gi' },
        { object: 'ResourceQuota shop/q', path: 'status.used[requests.memory]', value: '7.5Gi' },
      ],
    });
  });

  it('takes the limit of the spec where the status tells none', () => {
    const refusal = judge([quota({ pods: '1' }, undefined, { status: { used: { pods: '1' } } })]).refusal;
    expect(refusal?.message).toBe('exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1');
    expect(refusal?.evidence[0]).toEqual({
      object: 'ResourceQuota shop/q',
      path: 'spec.hard[pods]',
      value: '1',
    });
  });

  it('takes the limit that is enforced, not the one that was just written', () => {
    const raised = quota({}, undefined, {
      spec: { hard: { pods: '9' } },
      status: { hard: { pods: '1' }, used: { pods: '1' } },
    });
    expect(judge([raised]).refusal?.message).toBe(
      'exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    );
  });

  it('gives back what a pod that is gone held', () => {
    const full = quota({ pods: '3', cpu: '4' }, { pods: '3', cpu: '4' });
    expect(judge([full], { released: pod }).refusal).toBeUndefined();
    const over = quota({ pods: '3', cpu: '4' }, { pods: '4', cpu: '4' });
    expect(judge([over], { released: pod }).refusal?.message).toBe(
      'exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3',
    );
  });

  it('names the first quota that refuses, by name', () => {
    const full = quota({ pods: '1' }, { pods: '1' });
    const roomy = quota({ pods: '2' }, { pods: '1' });
    expect(judge([named('c', full), named('b', full), named('a', roomy)]).refusal?.quota).toBe('b');
    expect(judge([named('a', roomy)]).refusal).toBeUndefined();
    expect(judge([])).toEqual({ refusal: undefined, missing: [] });
  });
});

describe('what is not known of a quota', () => {
  it.each<[string, ResourceQuota, string[]]>([
    [
      'no status',
      quota({ pods: '1' }, undefined, { status: undefined }),
      ['status.used of ResourceQuota shop/q'],
    ],
    ['nothing counted yet', quota({ pods: '1' }, undefined), ['status.used of ResourceQuota shop/q']],
    [
      'some not counted yet',
      quota({ pods: '1', cpu: '9' }, { cpu: '1' }),
      ['status.used[pods] of ResourceQuota shop/q'],
    ],
    ['nothing that the pod counts for', quota({ services: '1' }, undefined), []],
    ['no limits at all', { metadata: { name: 'q' } }, []],
  ])('%s', (_name, unknown, missing) => {
    expect(judge([unknown])).toEqual({ refusal: undefined, missing });
  });
});

describe('pods that come before', () => {
  const other = aPod('other').asking({ cpu: '2' }).build();
  const hard = { 'requests.cpu': '6', pods: '3' };
  const judgeBeside = (used: Record<string, string>, coming: Pod[], more: Partial<ResourceQuota> = {}) =>
    judge([quota(hard, used, more)], { coming }).refusal;

  it('use up what is left', () => {
    const used = { 'requests.cpu': '2', pods: '1' };
    expect(judgeBeside(used, [other])).toBeUndefined();
    expect(judgeBeside(used, [other, other])).toMatchObject({
      message:
        'exceeded quota: q, requested: pods=1,requests.cpu=2, used: pods=3,requests.cpu=6, limited: pods=3,requests.cpu=6',
    });
  });

  it('use up nothing of a quota that is not about them', () => {
    const spec = { hard, scopes: ['BestEffort'] };
    const idle = aPod('idle').build();
    const beside = (coming: Pod[]) =>
      judgeQuotas({ pod: idle, quotas: [quota({ pods: '1' }, { pods: '0' }, { spec })], coming }).refusal;
    expect(beside([other])).toBeUndefined();
    expect(beside([idle])).toMatchObject({ reason: 'ExceededQuota' });
  });
});

describe('pods that are gone by then', () => {
  const other = aPod('other').asking({ cpu: '2' }).build();
  const hard = { 'requests.cpu': '6', pods: '3' };
  const used = { 'requests.cpu': '6', pods: '3' };
  const judgeAfter = (leaving: Pod[], more: object = {}) => judge([quota(hard, used)], { leaving, ...more });

  it('give free what they use', () => {
    expect(judgeAfter([]).refusal).toBeDefined();
    expect(judgeAfter([other]).refusal).toBeUndefined();
    expect(judgeAfter([other, other], { coming: [other] }).refusal).toBeUndefined();
    expect(judgeAfter([other], { coming: [other] }).refusal).toBeDefined();
    expect(judgeAfter([other], { released: other, coming: [other] }).refusal).toBeUndefined();
  });

  it('give nothing free of a quota that is not about them', () => {
    const spec = { hard, scopes: ['BestEffort'] };
    const idle = aPod('idle').build();
    const judgeIdle = (leaving: Pod[]) =>
      judgeQuotas({ pod: idle, quotas: [quota({ pods: '1' }, { pods: '1' }, { spec })], leaving }).refusal;
    expect(judgeIdle([other])).toMatchObject({ reason: 'ExceededQuota' });
    expect(judgeIdle([idle])).toBeUndefined();
  });
});

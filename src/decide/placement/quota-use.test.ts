import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { ResourceQuota } from '../../kubevirt/objects.ts';
import { quotaStatus, useOf, withPod } from './quota-use.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const quota = (hard: Record<string, string>, used?: Record<string, string>): ResourceQuota => ({
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'shop' },
  spec: { hard },
  status: used && { hard, used },
});

const HARD = { pods: '10', 'count/pods': '20', 'requests.cpu': '4', memory: '8Gi', services: '5' };
const pod = () => aPod('a').asking({ cpu: '1500m', memory: '1Gi' });

describe('what a pod uses', () => {
  const all = { pods: 1, 'count/pods': 1, 'requests.cpu': 1500, memory: 1024 ** 3 };
  const deleting = (at: string, grace?: number) =>
    pod().meta({ deletionTimestamp: at, deletionGracePeriodSeconds: grace });

  it.each([
    ['a running pod', pod(), all],
    ['an ended pod', pod().phase('Succeeded'), { 'count/pods': 1 }],
    ['a pod on its way out', deleting('2026-03-01T12:00:00Z', 30), all],
    ['a pod that should be gone', deleting('2026-03-01T11:59:59Z', 30), { 'count/pods': 1 }],
    ['a pod of which that is not known', deleting('2026-03-01T11:59:59Z'), all],
  ])('%s', (_, of, use) => {
    expect(Object.fromEntries(useOf(quota(HARD), of.build(), NOW))).toEqual(use);
  });

  it('is nothing where the quota is about others', () => {
    const scoped = { ...quota(HARD), spec: { hard: HARD, scopes: ['Terminating'] } };
    expect(useOf(scoped, pod().build(), NOW).size).toBe(0);
    expect(useOf({ metadata: { name: 'q' } }, pod().build(), NOW).size).toBe(0);
  });
});

it('tells in the status what pods use, and keeps what is not about pods', () => {
  const hard = { ...HARD, 'requests.storage': '1Ti', 'limits.cpu': '9', 'requests.example.com/gpu': '1' };
  const used = new Map([
    ['pods', 2],
    ['requests.cpu', 2500],
    ['limits.cpu', 3000],
    ['memory', 1024],
    ['services', 99],
    ['requests.storage', 99],
  ]);
  expect(quotaStatus(quota(hard, { services: '3', pods: '7' }), used)).toEqual({
    hard,
    used: {
      pods: '2',
      'count/pods': '0',
      'requests.cpu': '2500m',
      'limits.cpu': '3',
      memory: '1024',
      services: '3',
      'requests.storage': '0',
      'requests.example.com/gpu': '0',
    },
  });
  expect(quotaStatus({ metadata: { name: 'q' } }, used)).toEqual({ hard: {}, used: {} });
});

it('counts a pod that it lets in', () => {
  const before = quota(HARD, { pods: '1', 'requests.cpu': '500m', memory: '1Gi', services: '3' });
  expect(withPod(before, pod().build(), NOW).status?.used).toEqual({
    pods: '2',
    'count/pods': '1',
    'requests.cpu': '2',
    memory: String(2 * 1024 ** 3),
    services: '3',
  });
  const other = { ...before, spec: { hard: { services: '5' } } };
  expect(withPod(other, pod().build(), NOW)).toBe(other);
});

import { describe, expect, it } from 'vitest';
import {
  aHealthCheck,
  aMachine,
  annotated,
  deleting,
  failed,
  NOW,
} from '../../kubevirt/cluster-api/builders.ts';
import type { Machine } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { isTarget } from './machine-health.ts';
import { countHealth, remediationLimit, remediationTable } from './machine-health-check.ts';

describe('the targets of a health check', () => {
  const other = (change: Partial<Machine['metadata']>): Machine => ({
    ...aMachine(),
    metadata: { ...aMachine().metadata, ...change },
  });
  it.each<[string, Machine, boolean]>([
    ['a machine of its group', aMachine(), true],
    ['another group', other({ labels: { group: 'gpu' } }), false],
    ['another namespace', other({ namespace: 'web' }), false],
    ['another cluster', aMachine('w1', { spec: { clusterName: 'other' } }), false],
    ['a paused machine', annotated(aMachine(), 'cluster.x-k8s.io/paused'), false],
    [
      'a machine that asks to be left alone',
      annotated(aMachine(), 'cluster.x-k8s.io/skip-remediation'),
      false,
    ],
    ['another annotation', annotated(aMachine(), 'x'), true],
  ])('%s: %s', (_name, machine, is) => {
    expect(isTarget(aHealthCheck(), machine)).toBe(is);
  });

  it('a check without selector has none', () => {
    expect(isTarget(aHealthCheck(1, { selector: undefined }), aMachine())).toBe(false);
  });

  it('are counted by their health', () => {
    const machines = [
      aMachine('a'),
      failed(aMachine('b')),
      deleting(aMachine('c')),
      aMachine('d'),
      annotated(aMachine('e'), 'cluster.x-k8s.io/paused'),
    ];
    expect(
      countHealth(
        aHealthCheck(),
        machines.map((machine) => ({ machine, now: NOW })),
      ),
    ).toEqual({ expected: 4, healthy: 2, unhealthy: 1 });
    expect(countHealth(aHealthCheck(), [])).toEqual({ expected: 0, healthy: 0, unhealthy: 0 });
  });

  it('are judged with their nodes', () => {
    expect(countHealth(aHealthCheck(), [{ machine: aMachine(), now: NOW, node: 'missing' }])).toEqual({
      expected: 1,
      healthy: 0,
      unhealthy: 1,
    });
  });
});

describe('the limit of a health check', () => {
  it.each`
    max          | expected | limit
    ${'50%'}     | ${1}     | ${0}
    ${'50%'}     | ${2}     | ${1}
    ${'50%'}     | ${3}     | ${1}
    ${'50%'}     | ${4}     | ${2}
    ${'33%'}     | ${3}     | ${0}
    ${'34%'}     | ${3}     | ${1}
    ${'0%'}      | ${9}     | ${0}
    ${'100%'}    | ${3}     | ${3}
    ${undefined} | ${3}     | ${3}
    ${0}         | ${3}     | ${0}
    ${2}         | ${1}     | ${2}
    ${'2'}       | ${3}     | ${undefined}
    ${'half'}    | ${3}     | ${undefined}
    ${'-5%'}     | ${3}     | ${undefined}
    ${'5%%'}     | ${3}     | ${undefined}
    ${'29%'}     | ${100}   | ${29}
  `('$max of $expected is $limit', ({ max, expected, limit }) => {
    expect(remediationLimit(aHealthCheck(max), expected)).toBe(limit);
  });
});

describe('remediation', () => {
  const judge = (max: string | number | undefined, expected: number, healthy: number, unhealthy: number) =>
    decide(remediationTable, { healthCheck: aHealthCheck(max), count: { expected, healthy, unhealthy } });
  it.each`
    max          | expected | healthy | unhealthy | reason                  | result
    ${'50%'}     | ${1}     | ${0}    | ${1}      | ${'TooManyUnhealthy'}   | ${'held-back'}
    ${'50%'}     | ${2}     | ${1}    | ${1}      | ${'RemediationAllowed'} | ${'allowed'}
    ${'50%'}     | ${2}     | ${0}    | ${2}      | ${'TooManyUnhealthy'}   | ${'held-back'}
    ${'50%'}     | ${3}     | ${2}    | ${1}      | ${'RemediationAllowed'} | ${'allowed'}
    ${'50%'}     | ${3}     | ${1}    | ${1}      | ${'TooManyUnhealthy'}   | ${'held-back'}
    ${'50%'}     | ${4}     | ${2}    | ${2}      | ${'RemediationAllowed'} | ${'allowed'}
    ${'half'}    | ${4}     | ${3}    | ${1}      | ${'TooManyUnhealthy'}   | ${'held-back'}
    ${undefined} | ${1}     | ${0}    | ${1}      | ${'RemediationAllowed'} | ${'allowed'}
    ${0}         | ${4}     | ${2}    | ${0}      | ${'NothingUnhealthy'}   | ${'nothing-to-do'}
  `(
    '$unhealthy unhealthy and $healthy healthy of $expected at $max: $result',
    ({
      max,
      expected,
      healthy,
      unhealthy,
      reason,
      result,
    }: {
      max: string;
      expected: number;
      healthy: number;
      unhealthy: number;
      reason: string;
      result: string;
    }) => {
      const evidence = [{ object: 'MachineHealthCheck shop/mhc', path: 'spec.maxUnhealthy', value: max }];
      expect(judge(max, expected, healthy, unhealthy)).toEqual({ reason, result, evidence });
    },
  );
});

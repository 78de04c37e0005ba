import { describe, expect, it } from 'vitest';
import { aNode } from '../../kubevirt/builders.ts';
import {
  aHealthCheck,
  aMachine,
  annotated,
  deleting,
  failed,
  NOW,
} from '../../kubevirt/cluster-api/builders.ts';
import type { Machine, Node } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import { type MachineHealth, machineHealthTable } from './machine-health.ts';

const status = (change: Machine['status']) => aMachine('w1', { status: change });

const ready = (value: string, since: string) => ({
  type: 'InfrastructureReady',
  status: value,
  lastTransitionTime: since,
});

const nodeWith = (value: string, since: string | undefined): Node => ({
  ...aNode('w1').build(),
  status: { conditions: [{ type: 'Ready', status: value, lastTransitionTime: since }] },
});

const strict = aHealthCheck('50%', {
  nodeStartupTimeout: '20m',
  unhealthyConditions: [
    { type: 'Ready', status: 'Unknown', timeout: '5m' },
    { type: 'Ready', status: 'False', timeout: '10m' },
  ],
});

const M = 'Machine shop/w1';

const nodeRef = (value: string | undefined): Evidence[] => [
  { object: M, path: 'status.nodeRef.name', value },
];

const condition = (value: string): Evidence[] => [
  { object: 'Node w1', path: 'status.conditions[type=Ready]', value },
];

describe('the health of a machine', () => {
  it.each<[string, string, Machine, Node | 'missing' | undefined, MachineHealth, Evidence[]]>([
    ['Healthy', 'with a node', aMachine(), undefined, 'healthy', nodeRef('w1')],
    [
      'RemediationAsked',
      'annotated',
      annotated(aMachine(), 'cluster.x-k8s.io/remediate-machine'),
      undefined,
      'unhealthy',
      [{ object: M, path: 'metadata.annotations[cluster.x-k8s.io/remediate-machine]', value: '' }],
    ],
    [
      'FailureReason',
      'failed by reason',
      failed(aMachine()),
      undefined,
      'unhealthy',
      [{ object: M, path: 'status.failureReason', value: 'UpdateError' }],
    ],
    [
      'FailureMessage',
      'failed by message',
      status({ failureMessage: 'x', nodeRef: { name: 'w1' } }),
      undefined,
      'unhealthy',
      [{ object: M, path: 'status.failureMessage', value: 'x' }],
    ],
    [
      'FailureReason',
      'failed and being deleted',
      deleting(failed(aMachine())),
      undefined,
      'unhealthy',
      [{ object: M, path: 'status.failureReason', value: 'UpdateError' }],
    ],
    ['NodeMissing', 'its node is gone', aMachine(), 'missing', 'unhealthy', nodeRef('w1')],
    [
      'InfrastructureNotReady',
      'no node, infrastructure not ready',
      status({ conditions: [ready('False', '2026-03-01T00:00:00Z')] }),
      undefined,
      'neither',
      [{ object: M, path: 'status.conditions[type=InfrastructureReady]', value: 'False' }],
    ],
    ['NodeStartupTimeout', 'no node for too long', status({}), undefined, 'unhealthy', nodeRef(undefined)],
    [
      'NodeStarting',
      'no node, infrastructure ready of late',
      status({ conditions: [ready('True', '2026-03-01T11:40:00Z')] }),
      undefined,
      'neither',
      nodeRef(undefined),
    ],
    [
      'NodeStartupTimeout',
      'no node, infrastructure ready for too long',
      status({ conditions: [ready('True', '2026-03-01T11:39:59Z')] }),
      undefined,
      'unhealthy',
      nodeRef(undefined),
    ],
    [
      'NodeStarting',
      'a missing node that was never recorded',
      status({ conditions: [ready('True', '2026-03-01T11:50:00Z')] }),
      'missing',
      'neither',
      nodeRef(undefined),
    ],
    [
      'Healthy',
      'a good node',
      aMachine(),
      nodeWith('True', '2026-03-01T00:00:00Z'),
      'healthy',
      nodeRef('w1'),
    ],
    [
      'NodeConditionWithinTimeout',
      'a bad node, of late',
      aMachine(),
      nodeWith('Unknown', '2026-03-01T11:55:00Z'),
      'neither',
      condition('Unknown'),
    ],
    [
      'UnhealthyNodeCondition',
      'a bad node, for too long',
      aMachine(),
      nodeWith('Unknown', '2026-03-01T11:54:59Z'),
      'unhealthy',
      condition('Unknown'),
    ],
    [
      'NodeConditionWithinTimeout',
      'another condition has another time',
      aMachine(),
      nodeWith('False', '2026-03-01T11:54:59Z'),
      'neither',
      condition('False'),
    ],
    [
      'Healthy',
      'a condition of unknown age',
      aMachine(),
      nodeWith('False', undefined),
      'healthy',
      nodeRef('w1'),
    ],
    ['Healthy', 'a node without conditions', aMachine(), aNode('w1').build(), 'healthy', nodeRef('w1')],
    [
      'Deleting',
      'being deleted',
      deleting(aMachine()),
      undefined,
      'neither',
      [{ object: M, path: 'metadata.deletionTimestamp', value: '2026-03-01T11:59:00Z' }],
    ],
  ])('%s: %s', (reason, _name, machine, node, result, evidence) => {
    expect(decide(machineHealthTable, { machine, healthCheck: strict, now: NOW, node })).toEqual({
      reason,
      result,
      evidence,
    });
  });

  it.each<[string, string | undefined, string, MachineHealth]>([
    ['ten minutes by default', undefined, '2026-03-01T11:50:00Z', 'neither'],
    ['more than ten minutes', undefined, '2026-03-01T11:49:59Z', 'unhealthy'],
    ['a malformed time is the default', 'soon', '2026-03-01T11:49:59Z', 'unhealthy'],
    ['no limit', '0s', '2020-03-01T11:49:59Z', 'neither'],
    ['longer', '1h', '2026-03-01T11:00:00Z', 'neither'],
  ])('a machine may start for %s', (_name, nodeStartupTimeout, creationTimestamp, health) => {
    const machine: Machine = { metadata: { name: 'w1', creationTimestamp } };
    const healthCheck = aHealthCheck(1, { nodeStartupTimeout });
    expect(decide(machineHealthTable, { machine, healthCheck, now: NOW }).result).toBe(health);
  });

  it('a machine of unknown age is starting', () => {
    expect(
      decide(machineHealthTable, { machine: { metadata: { name: 'w1' } }, healthCheck: strict, now: NOW })
        .reason,
    ).toBe('NodeStarting');
  });

  it('a condition without a time is over at once', () => {
    const healthCheck = aHealthCheck(1, { unhealthyConditions: [{ type: 'Ready', status: 'False' }] });
    const judge = (since: string) =>
      decide(machineHealthTable, {
        machine: aMachine(),
        healthCheck,
        now: NOW,
        node: nodeWith('False', since),
      }).result;
    expect(judge('2026-03-01T11:59:59Z')).toBe('unhealthy');
    expect(judge('2026-03-01T12:00:00Z')).toBe('neither');
  });
});

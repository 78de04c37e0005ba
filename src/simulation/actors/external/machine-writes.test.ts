import { describe, expect, it } from 'vitest';
import { aKubevirtMachine, aMachine, NOW } from '../../../kubevirt/cluster-api/builders.ts';
import {
  waitingForRemediation,
  withCondition,
  withFailureOf,
  withInfraStatus,
  withMarks,
  withNode,
} from './machine-writes.ts';

const GRACE = 'capk.cluster.x-k8s.io/vmi-deletion-grace-time';
const SUBMITTED = 'capk.cluster.x-k8s.io/migration-submitted';
const CORDONED = 'capk.cluster.x-k8s.io/node-cordoned';
const TEXT = '2026-03-01T12:00:00Z';

describe("CAPK's marks", () => {
  it.each([
    ['the grace time', { graceUntil: NOW, removes: [] }, false, { other: 'x', [GRACE]: TEXT }],
    [
      'the time of a migration',
      { submittedUntil: NOW, removes: [] },
      false,
      { other: 'x', [SUBMITTED]: TEXT },
    ],
    ['that it drains', { draining: true, removes: [] }, false, { other: 'x', [SUBMITTED]: 'draining' }],
    ['the cordon', { removes: [] }, true, { other: 'x', [CORDONED]: 'true' }],
    ['less', { removes: ['other'] }, false, {}],
  ])('write %s', (_, marks, cordons, annotations) => {
    expect(withMarks(aKubevirtMachine({ other: 'x' }), marks, cordons)?.metadata.annotations).toEqual(
      annotations,
    );
  });

  it('write nothing where nothing changes', () => {
    expect(withMarks(aKubevirtMachine({ other: 'x' }), { removes: ['gone'] })).toBeUndefined();
    expect(withMarks(aKubevirtMachine({ [GRACE]: TEXT }), { graceUntil: NOW, removes: [] })).toBeUndefined();
  });
});

it('keeps a failure of the infrastructure for good', () => {
  const failed = withInfraStatus(aKubevirtMachine(), true, 'gone');
  expect(failed?.status).toEqual({ ready: true, failureReason: 'UpdateError', failureMessage: 'gone' });
  expect(failed && withInfraStatus(failed, true, undefined)).toBeUndefined();
  expect(failed && withInfraStatus(failed, true, 'gone')).toBeUndefined();
  expect(failed && withInfraStatus(failed, false, undefined)?.status).toEqual({
    ready: false,
    failureReason: 'UpdateError',
    failureMessage: 'gone',
  });
  expect(withInfraStatus(aKubevirtMachine(), false, undefined)).toBeUndefined();
});

it('copies a failure to the Machine once', () => {
  expect(withFailureOf(aMachine(), aKubevirtMachine())).toBeUndefined();
  const infra = { ...aKubevirtMachine(), status: { failureReason: 'UpdateError', failureMessage: 'gone' } };
  const failed = withFailureOf(aMachine(), infra);
  expect(failed?.status).toEqual({
    phase: 'Failed',
    nodeRef: { name: 'w1' },
    failureReason: 'UpdateError',
    failureMessage:
      'Failure detected from referenced resource infrastructure.cluster.x-k8s.io/v1alpha1, Kind=KubevirtMachine with name "w1": gone',
  });
  expect(failed && withFailureOf(failed, infra)).toBeUndefined();
});

it('notes the node once, and does not call a failed Machine running', () => {
  expect(withNode(aMachine(), 'w1')).toBeUndefined();
  expect(withNode(aMachine('w1', { status: {} }), 'w1')?.status).toEqual({
    phase: 'Running',
    nodeRef: { name: 'w1' },
  });
  expect(withNode(aMachine('w1', { status: { phase: 'Failed' } }), 'w1')?.status?.phase).toBe('Failed');
});

it('keeps the time of a condition while its status stays', () => {
  const first = withCondition(aMachine('w1', { status: {} }), { type: 'A', status: 'True' }, NOW);
  expect(first?.status?.conditions).toEqual([{ type: 'A', status: 'True', lastTransitionTime: TEXT }]);
  expect(first && withCondition(first, { type: 'A', status: 'True' }, NOW + 5000)).toBeUndefined();
  const second = first && withCondition(first, { type: 'A', status: 'True', reason: 'B' }, NOW + 5000);
  expect(second?.status?.conditions).toEqual([
    { type: 'A', status: 'True', reason: 'B', lastTransitionTime: TEXT },
  ]);
  const third = second && withCondition(second, { type: 'A', status: 'False' }, NOW + 5000);
  expect(third?.status?.conditions?.[0]?.lastTransitionTime).toBe('2026-03-01T12:00:05Z');
});

it('asks the owner to remediate, once', () => {
  const waiting = waitingForRemediation(aMachine(), NOW);
  expect(waiting?.status?.conditions).toEqual([
    { type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode', lastTransitionTime: TEXT },
    { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation', lastTransitionTime: TEXT },
  ]);
  expect(waiting && waitingForRemediation(waiting, NOW)).toBeUndefined();
});

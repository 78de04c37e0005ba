import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { gateTable } from './gates.ts';

const NOW = 1_000_000_000;
const CLOSED = { open: false, forgetsExpectation: false };
const cr = (path: string, value: unknown) => ({ object: 'KubeVirt kubevirt/kubevirt', path, value });
const pending = (count: number, ageSeconds: number) => ({ pending: count, setAt: NOW - ageSeconds * 1000 });

describe('the gates of the workload updater', () => {
  it('are open when KubeVirt is deployed and at rest', () => {
    expect(decide(gateTable, { kubevirt: aKubeVirt().build(), now: NOW })).toEqual({
      result: { open: true, forgetsExpectation: false },
      reason: 'GateOpen',
      evidence: [
        cr('status.phase', 'Deployed'),
        cr('status.observedDeploymentID', 'same'),
        cr('status.targetDeploymentID', 'same'),
      ],
    });
  });

  it('forget what is expected when the CR is gone', () => {
    expect(decide(gateTable, { key: 'kubevirt/gone', kubevirt: undefined, now: NOW })).toEqual({
      result: { open: false, forgetsExpectation: true },
      reason: 'KubeVirtMissing',
      evidence: [{ object: 'KubeVirt kubevirt/gone', path: 'metadata.name', value: undefined }],
    });
    expect(decide(gateTable, { kubevirt: undefined, now: NOW }).evidence[0]?.object).toBe('KubeVirt');
  });

  it.each([
    ['one is pending', pending(1, 0), 'GateCreationsNotSeen'],
    ['one is pending for exactly five minutes', pending(1, 300), 'GateCreationsNotSeen'],
    ['one is pending for more than five minutes', pending(1, 300.001), 'GateOpen'],
    ['all were seen', pending(0, 0), 'GateOpen'],
    ['more were seen than expected', pending(-1, 0), 'GateOpen'],
  ])('of expected creations %s: %s', (_, expectation, reason) => {
    expect(decide(gateTable, { kubevirt: aKubeVirt().build(), expectation, now: NOW }).reason).toBe(reason);
  });

  it('name the controller and its memory when creations are not seen yet', () => {
    const input = { kubevirt: aKubeVirt().build(), expectation: pending(2, 1), now: NOW };
    const object = 'Controller workload-update-controller';
    expect(decide(gateTable, input)).toEqual({
      result: CLOSED,
      reason: 'GateCreationsNotSeen',
      evidence: [
        { object, path: 'expectations.pending', value: 2 },
        { object, path: 'expectations.setAt', value: NOW - 1000 },
      ],
    });
  });

  it.each(['Deploying', 'Deleting', 'Deleted', 'deployed', '', undefined])(
    'are closed in phase %s',
    (phase) => {
      expect(decide(gateTable, { kubevirt: aKubeVirt().status({ phase }).build(), now: NOW })).toEqual({
        result: CLOSED,
        reason: 'GateNotDeployed',
        evidence: [cr('status.phase', phase)],
      });
    },
  );

  it('are closed while the wanted deployment is not the one that is ready', () => {
    const kubevirt = aKubeVirt().status({ observedDeploymentID: 'old', targetDeploymentID: 'new' }).build();
    expect(decide(gateTable, { kubevirt, now: NOW })).toEqual({
      result: CLOSED,
      reason: 'GateDeploymentInProgress',
      evidence: [cr('status.observedDeploymentID', 'old'), cr('status.targetDeploymentID', 'new')],
    });
  });

  it.each([
    [undefined, 'new', 'GateDeploymentInProgress'],
    ['old', undefined, 'GateDeploymentInProgress'],
    [undefined, '', 'GateOpen'],
    [undefined, undefined, 'GateOpen'],
  ])('compare observed %s and wanted %s: %s', (observedDeploymentID, targetDeploymentID, reason) => {
    const kubevirt = aKubeVirt().status({ observedDeploymentID, targetDeploymentID }).build();
    expect(decide(gateTable, { kubevirt, now: NOW }).reason).toBe(reason);
  });

  it('are tried in the order of the controller', () => {
    const kubevirt = aKubeVirt().status({ phase: 'Deploying', targetDeploymentID: 'new' }).build();
    const input = { kubevirt, expectation: pending(1, 0), now: NOW };
    expect(traceOf(gateTable, input).map(({ rule }) => rule)).toEqual([
      'KubeVirtMissing',
      'GateCreationsNotSeen',
    ]);
    expect(decide(gateTable, { kubevirt, now: NOW }).reason).toBe('GateNotDeployed');
  });

  it('have nothing to read of a CR that is gone', () => {
    const input = { kubevirt: undefined, now: NOW };
    const read = gateTable.filter(({ name }) => name.startsWith('Gate')).flatMap((rule) => rule.reads(input));
    expect(read.map(({ value }) => value)).toEqual([undefined, undefined]);
  });
});

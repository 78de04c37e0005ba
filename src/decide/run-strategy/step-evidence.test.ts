import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { decideRunStrategy } from './step.ts';
import { deleting, failed, idle, noted, now, RECEIVER, running, starting, stopping } from './test-step.ts';

describe('the evidence', () => {
  const on = (object: string) => (path: string, value: unknown) => ({
    object: `${object} shop/db`,
    path,
    value,
  });
  const ofVm = on('VirtualMachine');
  const ofVmi = on('VirtualMachineInstance');

  function evidence(strategy: string, vm: VirtualMachine, vmi?: Vmi) {
    return decideRunStrategy({ vm, vmi, strategy, now }).evidence;
  }

  it('of an ended VMI names strategy, phase and requests', () => {
    const vm = aVm().runStrategy('RerunOnFailure').build();
    const fields = [
      ofVm('spec.runStrategy', 'RerunOnFailure'),
      ofVmi('status.phase', 'Failed'),
      ofVm('status.stateChangeRequests', []),
    ];
    expect(evidence('RerunOnFailure', vm, failed)).toEqual(fields);
    expect(evidence('Always', vm, failed)).toEqual(fields);
    expect(evidence('Once', vm, failed)).toEqual(fields);
  });

  it('of a stop request names it', () => {
    expect(evidence('Manual', stopping, running)).toContainEqual(
      ofVm('status.stateChangeRequests', [{ action: 'Stop', uid: 'uid-db' }]),
    );
  });

  it('of a deletion names its time', () => {
    expect(evidence('Halted', idle, deleting)).toEqual([
      ofVmi('metadata.deletionTimestamp', '2026-03-01T11:59:00Z'),
    ]);
  });

  it('of Halted names the strategy alone', () => {
    expect(evidence('Halted', idle, running)).toEqual([ofVm('spec.runStrategy', 'Always')]);
    expect(evidence('Bogus', idle, running)).toEqual([ofVm('spec.runStrategy', 'Always')]);
  });

  it('of migrations names their state', () => {
    const state = { completed: true };
    const vmi = aVmi().migrationState(state).build();
    const fields = [ofVm('spec.runStrategy', 'Always'), ofVmi('status.migrationState', state)];
    expect(evidence('WaitAsReceiver', idle, vmi)).toEqual(fields);
    expect(evidence('WaitAsReceiver', idle, running)).toEqual([
      fields[0],
      ofVmi('status.migrationState', undefined),
    ]);
  });

  it('of a receiver names its annotation', () => {
    expect(evidence('WaitAsReceiver', idle, aVmi().annotated(RECEIVER, 'true').build())).toEqual([
      ofVmi(`metadata.annotations[${RECEIVER}]`, 'true'),
    ]);
  });

  it('of a start names strategy, requests and the strategy noted', () => {
    const fields = [
      ofVm('spec.runStrategy', 'Always'),
      ofVm('status.stateChangeRequests', [{ action: 'Start' }]),
      ofVm('status.runStrategy', undefined),
    ];
    expect(evidence('Manual', starting)).toEqual(fields);
    expect(evidence('Halted', starting)).toEqual(fields);
    expect(evidence('RerunOnFailure', noted.build())).toContainEqual(
      ofVm('status.runStrategy', 'RerunOnFailure'),
    );
  });

  it('of a back-off names its end', () => {
    const retryAfterTimestamp = '2026-03-01T12:00:30Z';
    const vm = aVm().status({ startFailure: { retryAfterTimestamp } }).build();
    expect(evidence('Always', vm)).toEqual([
      ofVm('status.startFailure.retryAfterTimestamp', retryAfterTimestamp),
    ]);
  });

  it('of a manual recovery names the condition', () => {
    const vm = aVm().condition('ManualRecoveryRequired', 'True', 'Lost').build();
    expect(evidence('Always', vm)).toEqual([
      ofVm('status.conditions[type=ManualRecoveryRequired]', 'True: Lost'),
    ]);
  });
});

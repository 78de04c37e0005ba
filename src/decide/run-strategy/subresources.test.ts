import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { SUBRESOURCE_TABLES, type SubresourceCall } from './subresources.ts';

const call = (name: SubresourceCall['call'], vm: VirtualMachine, vmi?: Vmi) =>
  decide(SUBRESOURCE_TABLES[name], { call: name, vm, vmi });

const vm = (strategy: string) => aVm('db').runStrategy(strategy);
const vmi = (phase: string) => aVmi('db').phase(phase).build();
const refusal = (why: string) => ({
  refusal: `Operation cannot be fulfilled on virtualmachine.kubevirt.io "db": ${why}`,
});
const stop = { action: 'Stop', uid: 'uid-db' };
const start = { action: 'Start' };
const busy = refusal('unable to complete request: stop/start already underway');

describe('start', () => {
  it.each([
    ['Manual', 'Running', 'AlreadyRunning', refusal('VM is already running')],
    ['Halted', undefined, 'HaltedVmStarts', { spec: { runStrategy: 'Always' } }],
    ['Halted', 'Succeeded', 'HaltedVmStarts', { spec: { runStrategy: 'Always' } }],
    ['Always', undefined, 'StartsByItself', refusal('Always does not support manual start requests')],
    ['Once', 'Succeeded', 'StartsByItself', refusal('Once does not support manual start requests')],
    [
      'RerunOnFailure',
      'Failed',
      'FailedVmiStarts',
      refusal('RerunOnFailure does not support starting VM from failed state'),
    ],
    ['RerunOnFailure', 'Succeeded', 'EndedVmiIsReplaced', { stateChangeRequests: [stop, start] }],
    ['Manual', 'Failed', 'EndedVmiIsReplaced', { stateChangeRequests: [stop, start] }],
    ['Manual', undefined, 'StartRequested', { stateChangeRequests: [start] }],
    ['Manual', '', 'StartRequested', { stateChangeRequests: [start] }],
    ['RerunOnFailure', undefined, 'StartRequested', { stateChangeRequests: [start] }],
  ])('of %s with a VMI in %s: %s', (strategy, phase, reason, result) => {
    const there = phase === undefined ? undefined : vmi(phase);
    expect(call('start', vm(strategy).build(), there)).toMatchObject({ reason, result });
  });

  it('sets the field that the VM uses', () => {
    expect(call('start', aVm('db').running(false).build()).result).toEqual({ spec: { running: true } });
  });

  it('may follow one stop, and no more', () => {
    const stopping = vm('Manual').requesting('Stop', 'uid-db');
    expect(call('start', stopping.build()).result).toEqual({ stateChangeRequests: [stop, start] });
    expect(call('start', stopping.requesting('Start').build())).toMatchObject({
      reason: 'RequestUnderWay',
      result: busy,
    });
    expect(call('start', vm('Manual').requesting('Start').build()).result).toEqual(busy);
  });
});

describe('stop', () => {
  it.each([
    ['Always', 'Running', 'StopsByStrategy', { spec: { runStrategy: 'Halted' } }],
    ['Once', undefined, 'StopsByStrategy', { spec: { runStrategy: 'Halted' } }],
    ['Manual', undefined, 'NotRunning', refusal('VM is not running')],
    ['RerunOnFailure', 'Succeeded', 'NotRunning', refusal('VM is not running')],
    ['Halted', 'Running', 'AlreadyStopping', { spec: { runStrategy: 'Halted' } }],
    ['Manual', 'Running', 'StopRequested', { stateChangeRequests: [stop] }],
  ])('of %s with a VMI in %s: %s', (strategy, phase, reason, result) => {
    const there = phase === undefined ? undefined : vmi(phase);
    expect(call('stop', vm(strategy).build(), there)).toMatchObject({ reason, result });
  });

  it('sets the field that the VM uses', () => {
    expect(call('stop', aVm('db').running(true).build()).result).toEqual({ spec: { running: false } });
  });

  it('does not follow another request', () => {
    expect(call('stop', vm('Manual').requesting('Stop', 'x').build(), vmi('Running'))).toMatchObject({
      reason: 'RequestUnderWay',
      result: busy,
    });
  });
});

describe('restart', () => {
  it.each([
    [
      'Halted',
      'Running',
      'NoRestarts',
      refusal('RunStategy Halted does not support manual restart requests'),
    ],
    ['Once', 'Running', 'NoRestarts', refusal('RunStategy Once does not support manual restart requests')],
    ['Always', undefined, 'NotRunning', refusal('VM is not running')],
    ['Always', 'Running', 'RestartRequested', { stateChangeRequests: [stop, start] }],
    ['Manual', 'Failed', 'RestartRequested', { stateChangeRequests: [stop, start] }],
  ])('of %s with a VMI in %s: %s', (strategy, phase, reason, result) => {
    const there = phase === undefined ? undefined : vmi(phase);
    expect(call('restart', vm(strategy).build(), there)).toMatchObject({ reason, result });
  });

  it('does not follow another request, and says what it read', () => {
    const { reason, result, evidence } = call(
      'restart',
      vm('Always').requesting('Start').build(),
      vmi('Running'),
    );
    expect([reason, result]).toEqual(['RequestUnderWay', busy]);
    expect(evidence.map(({ path }) => path)).toEqual(['spec.runStrategy', 'status.stateChangeRequests']);
  });
});

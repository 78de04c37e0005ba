import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aVm } from '../../kubevirt/builders.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { type AfterEndResult, afterEndTable } from './after-end.ts';
import type { VmiEnd } from './ended.ts';
import { restingRequests } from './requests.ts';
import { resolveRunStrategy } from './resolve.ts';
import { decideRunStrategy } from './step.ts';
import { deleting, outcome, vmi } from './test-after-end.ts';

/** Lets the VM controller's own step play on after the end, until it starts the VM or has nothing left to do. */
function playOn(vm: VirtualMachine, seen: Vmi, end: VmiEnd): AfterEndResult {
  const phase = end === 'Deleted' ? 'Failed' : end;
  let current = atRest(
    { ...vm, status: { ...vm.status, runStrategy: resolveRunStrategy(vm).strategy } },
    seen,
  );
  let left: Vmi | undefined = { ...seen, status: { ...seen.status, phase } };
  if (end === 'Deleted')
    left = { ...left, metadata: { ...left.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
  for (let passes = 0; passes < 10; passes++) {
    const { strategy } = resolveRunStrategy(current);
    const action = decideRunStrategy({ vm: current, vmi: left, strategy, now: 0 }).result;
    if (action.do === 'StartVmi') return 'Restarts';
    if (action.do === 'SetAlways') current = { ...current, spec: { ...current.spec, runStrategy: 'Always' } };
    else if (action.do === 'DeleteVmi') {
      if (action.thenRequestStart)
        current = withRequests(current, [...requests(current), { action: 'Start' }]);
      left = undefined;
    } else if (left?.metadata.deletionTimestamp) left = undefined;
    else return 'StaysOff';
    current = atRest(current, left);
  }
  throw new Error('the controller never comes to rest');
}

type Requests = NonNullable<NonNullable<VirtualMachine['status']>['stateChangeRequests']>;

function requests(vm: VirtualMachine): Requests {
  return vm.status?.stateChangeRequests ?? [];
}

function withRequests(vm: VirtualMachine, stateChangeRequests: Requests): VirtualMachine {
  return { ...vm, status: { ...vm.status, stateChangeRequests } };
}

function atRest(vm: VirtualMachine, seen: Vmi | undefined): VirtualMachine {
  return withRequests(vm, [...restingRequests(vm, seen)]);
}

describe('the evidence', () => {
  const strategyField = (value: unknown) => ({
    object: 'VirtualMachine shop/db',
    path: 'spec.runStrategy',
    value,
  });
  const requestField = { object: 'VirtualMachine shop/db', path: 'status.stateChangeRequests', value: [] };

  it.each<[string, VmiEnd]>([
    ['Always', 'Failed'],
    ['Once', 'Failed'],
    ['Once', 'Deleted'],
    ['WaitAsReceiver', 'Failed'],
    ['RerunOnFailure', 'Failed'],
    ['Bogus', 'Failed'],
  ])('of %s, ended %s, is the strategy', (strategy, end) => {
    const vm = aVm().runStrategy(strategy).build();
    expect(decide(afterEndTable, { vm, vmi, end }).evidence).toEqual([strategyField(strategy)]);
  });

  it.each<[string, VmiEnd]>([
    ['RerunOnFailure', 'Succeeded'],
    ['RerunOnFailure', 'Deleted'],
    ['Manual', 'Failed'],
    ['Halted', 'Failed'],
  ])('of %s, ended %s, is the strategy and that nothing was asked for', (strategy, end) => {
    const vm = aVm().runStrategy(strategy).build();
    expect(decide(afterEndTable, { vm, vmi, end }).evidence).toEqual([strategyField(strategy), requestField]);
  });

  it('of a start that was asked for names it', () => {
    const vm = aVm().runStrategy('Manual').requesting('Start').build();
    expect(decide(afterEndTable, { vm, vmi: deleting, end: 'Deleted' }).evidence).toEqual([
      strategyField('Manual'),
      { ...requestField, value: [{ action: 'Start' }] },
    ]);
  });

  it('of running names running', () => {
    expect(decide(afterEndTable, { vm: aVm().running(true).build(), vmi, end: 'Failed' }).evidence).toEqual([
      { object: 'VirtualMachine shop/db', path: 'spec.running', value: true },
    ]);
  });
});

describe('the table and the run-strategy step', () => {
  it('agree on what follows every end', () => {
    const request = fc.constantFrom(
      { action: 'Start' },
      { action: 'Stop' },
      { action: 'Stop', uid: 'uid-db' },
      { action: 'Stop', uid: 'uid-old' },
    );
    const strategy = fc.constantFrom('Always', 'RerunOnFailure', 'Manual', 'Halted', 'Once');
    const end = fc.constantFrom<VmiEnd>('Succeeded', 'Failed', 'Deleted');
    fc.assert(
      fc.property(
        strategy,
        fc.array(request, { maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        end,
        (runStrategy, stateChangeRequests, isDeleting, isRecovering, how) => {
          const vm = aVm()
            .runStrategy(runStrategy)
            .status({ stateChangeRequests })
            .condition('ManualRecoveryRequired', isRecovering ? 'True' : 'False')
            .build();
          const seen = isDeleting ? deleting : vmi;
          expect(outcome({ vm, vmi: seen, end: how })[1]).toBe(playOn(vm, seen, how));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

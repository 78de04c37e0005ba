import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VirtualMachine } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { type AfterEndResult, afterEndTable } from './after-end.ts';
import { ownerOfVmi, type VmiEnd } from './ended.ts';
import { always, deleting, outcome, owned, vmi } from './test-after-end.ts';

describe('ownerOfVmi', () => {
  it.each([
    ['nobody', aVmi(), undefined, 'Nothing'],
    ['a VM that will adopt it by name', aVmi(), always, 'VirtualMachine'],
    ['its VM', owned(), always, 'VirtualMachine'],
    ['a VM that is not given', owned(), undefined, 'MissingVirtualMachine'],
    [
      'a VM that was replaced',
      aVmi().controlledBy('VirtualMachine', 'uid-old'),
      always,
      'MissingVirtualMachine',
    ],
    ['its VM, named without UID', aVmi().controlledBy('VirtualMachine'), always, 'VirtualMachine'],
    ['its VM, which has no UID', owned(), aVm().meta({ uid: undefined }).build(), 'VirtualMachine'],
    ['a replica set', aVmi().controlledBy('VirtualMachineInstanceReplicaSet'), undefined, 'ReplicaSet'],
    ['a pool', aVmi().controlledBy('VirtualMachinePool'), undefined, 'ReplicaSet'],
    ['something else', aVmi().controlledBy('Sandwich'), undefined, 'OtherController'],
  ])('%s', (_, builder, vm, owner) => {
    expect(ownerOfVmi({ vm, vmi: builder.build() })).toBe(owner);
  });

  it('an owner that is no controller does not count', () => {
    const lent = aVmi()
      .meta({ ownerReferences: [{ kind: 'VirtualMachine', name: 'db' }] })
      .build();
    expect(ownerOfVmi({ vm: undefined, vmi: lent })).toBe('Nothing');
  });
});

describe('what follows the end, by owner', () => {
  it.each([
    ['nobody', aVmi(), 'NothingOwnsTheVmi', 'StaysOff'],
    [
      'a replica set',
      aVmi().controlledBy('VirtualMachineInstanceReplicaSet', 'u'),
      'ReplicaSetReplacesTheVmi',
      'Replaced',
    ],
    ['something else', aVmi().controlledBy('Sandwich', 'u'), 'ControllerUnknown', 'Unknown'],
    ['a VM that is not given', owned(), 'VirtualMachineMissing', 'Unknown'],
  ])('%s', (_, builder, reason, result) => {
    const decision = decide(afterEndTable, { vm: undefined, vmi: builder.build(), end: 'Succeeded' });
    expect([decision.reason, decision.result]).toEqual([reason, result]);
    expect(decision.evidence).toEqual([
      {
        object: 'VirtualMachineInstance shop/db',
        path: 'metadata.ownerReferences[controller=true]',
        value: builder.build().metadata.ownerReferences?.[0],
      },
    ]);
  });
});

describe('what follows the end, by run strategy', () => {
  it.each<[string, VmiEnd, string, AfterEndResult]>([
    ['Always', 'Succeeded', 'RunStrategyAlways', 'Restarts'],
    ['Always', 'Failed', 'RunStrategyAlways', 'Restarts'],
    ['Always', 'Deleted', 'RunStrategyAlways', 'Restarts'],
    ['RerunOnFailure', 'Succeeded', 'CleanShutdownStaysOff', 'StaysOff'],
    ['RerunOnFailure', 'Failed', 'FailureRestarts', 'Restarts'],
    ['RerunOnFailure', 'Deleted', 'DeletionStaysOff', 'StaysOff'],
    ['Manual', 'Succeeded', 'RunStrategyManual', 'StaysOff'],
    ['Manual', 'Failed', 'RunStrategyManual', 'StaysOff'],
    ['Manual', 'Deleted', 'RunStrategyManual', 'StaysOff'],
    ['Once', 'Succeeded', 'RunStrategyOnce', 'StaysOff'],
    ['Once', 'Failed', 'RunStrategyOnce', 'StaysOff'],
    ['Once', 'Deleted', 'OnceWithoutVmiStartsAgain', 'Restarts'],
    ['Halted', 'Succeeded', 'RunStrategyHalted', 'StaysOff'],
    ['Halted', 'Deleted', 'RunStrategyHalted', 'StaysOff'],
    ['WaitAsReceiver', 'Succeeded', 'RunStrategyWaitAsReceiver', 'StaysOff'],
    ['WaitAsReceiver', 'Deleted', 'RunStrategyWaitAsReceiver', 'StaysOff'],
    ['Bogus', 'Failed', 'RunStrategyInvalid', 'StaysOff'],
  ])('%s, ended %s: %s', (strategy, end, reason, result) => {
    expect(outcome({ vm: aVm().runStrategy(strategy).build(), vmi, end })).toEqual([reason, result]);
  });

  it.each<[string, VirtualMachine, string, AfterEndResult]>([
    ['running: true', aVm().running(true).build(), 'RunStrategyAlways', 'Restarts'],
    ['running: false', aVm().running(false).build(), 'RunStrategyHalted', 'StaysOff'],
    ['both', aVm().spec({ running: true }).build(), 'RunStrategyInvalid', 'StaysOff'],
    ['neither', aVm().runStrategy().build(), 'RunStrategyHalted', 'StaysOff'],
  ])('%s', (_, vm, reason, result) => {
    expect(outcome({ vm, vmi, end: 'Failed' })).toEqual([reason, result]);
  });

  it.each<[string, VmiEnd, string, AfterEndResult]>([
    ['RerunOnFailure', 'Failed', 'DeletionStaysOff', 'StaysOff'],
    ['Once', 'Succeeded', 'OnceWithoutVmiStartsAgain', 'Restarts'],
    ['Manual', 'Failed', 'RunStrategyManual', 'StaysOff'],
  ])('%s, ended %s while its VMI object is being deleted: %s', (strategy, end, reason, result) => {
    expect(outcome({ vm: aVm().runStrategy(strategy).build(), vmi: deleting, end })).toEqual([
      reason,
      result,
    ]);
  });

  it('a VM that is being deleted stays off', () => {
    const decision = decide(afterEndTable, {
      vm: aVm().deleting('2026-03-01T11:58:00Z').build(),
      vmi,
      end: 'Failed',
    });
    expect(decision).toEqual({
      reason: 'VirtualMachineDeleting',
      result: 'StaysOff',
      evidence: [
        {
          object: 'VirtualMachine shop/db',
          path: 'metadata.deletionTimestamp',
          value: '2026-03-01T11:58:00Z',
        },
      ],
    });
  });
});

describe('requests that wait', () => {
  const restart = (strategy: string) =>
    aVm().runStrategy(strategy).requesting('Stop', 'uid-db').requesting('Start');

  it.each(['RerunOnFailure', 'Manual', 'Halted'])(
    'a restart that was asked for brings %s back',
    (strategy) => {
      expect(outcome({ vm: restart(strategy).build(), vmi, end: 'Succeeded' })).toEqual([
        'StartRequested',
        'Restarts',
      ]);
      expect(outcome({ vm: restart(strategy).build(), vmi, end: 'Deleted' })).toEqual([
        'StartRequested',
        'Restarts',
      ]);
    },
  );

  it('a restart of Once does nothing while the VMI object stays', () => {
    expect(outcome({ vm: restart('Once').build(), vmi, end: 'Succeeded' })).toEqual([
      'RunStrategyOnce',
      'StaysOff',
    ]);
  });

  it('a stop alone brings nothing back', () => {
    const vm = aVm().runStrategy('Manual').requesting('Stop', 'uid-db').build();
    expect(outcome({ vm, vmi, end: 'Succeeded' })).toEqual(['RunStrategyManual', 'StaysOff']);
  });

  it('a stop of an earlier VMI is void, and the start behind it is done', () => {
    const vm = aVm().runStrategy('Manual').requesting('Stop', 'uid-old').requesting('Start').build();
    expect(outcome({ vm, vmi, end: 'Deleted' })).toEqual(['RunStrategyManual', 'StaysOff']);
  });

  it('a start is done while the VMI runs, and waits while it is being deleted', () => {
    const vm = aVm().runStrategy('Manual').requesting('Start').build();
    expect(outcome({ vm, vmi, end: 'Succeeded' })).toEqual(['RunStrategyManual', 'StaysOff']);
    expect(outcome({ vm, vmi: deleting, end: 'Succeeded' })).toEqual(['StartRequested', 'Restarts']);
  });

  it('a request that nobody understands holds back the start behind it', () => {
    const vm = aVm().runStrategy('Manual').requesting('Dance').requesting('Start').build();
    expect(outcome({ vm, vmi: deleting, end: 'Deleted' })).toEqual(['RunStrategyManual', 'StaysOff']);
  });

  it('a start does not help Manual while a final VMI object stays', () => {
    const vm = aVm().runStrategy('Manual').requesting('Start').build();
    const final = owned().phase('Succeeded').build();
    expect(outcome({ vm, vmi: final, end: 'Succeeded' })).toEqual(['RunStrategyManual', 'StaysOff']);
  });
});

describe('the table', () => {
  it('never asks about the strategy of a VM that is not there', () => {
    const rule = afterEndTable.find(({ name }) => name === 'RunStrategyAlways');
    expect(() => rule?.when({ vm: undefined, vmi, end: 'Failed' })).toThrow(
      'a rule about VMs was asked about a VMI without one',
    );
  });
});

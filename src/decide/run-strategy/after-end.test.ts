import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { type AfterEndResult, afterEndTable } from './after-end.ts';
import { type AfterEnd, ownerOfVmi, type VmiEnd } from './ended.ts';
import { restingRequests } from './requests.ts';
import { resolveRunStrategy } from './resolve.ts';
import { decideRunStrategy } from './step.ts';

const owned = () => aVmi().controlledBy('VirtualMachine', 'uid-vm-db');
const vmi = owned().build();
const deleting = owned().deleting().build();
const always = aVm().build();

function outcome(input: AfterEnd): [string, AfterEndResult] {
  const { reason, result } = decide(afterEndTable, input);
  return [reason, result];
}

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

describe('volume migrations', () => {
  const moving = owned()
    .condition('VolumesChange', 'True')
    .status({ migratedVolumes: [{ volumeName: 'd' }] });

  it('C23: one that is cut short keeps even an Always VM off', () => {
    const decision = decide(afterEndTable, { vm: always, vmi: moving.build(), end: 'Succeeded' });
    expect(decision).toEqual({
      reason: 'VolumeMigrationCutShort',
      result: 'StaysOff',
      evidence: [
        { object: 'VirtualMachine shop/db', path: 'spec.runStrategy', value: 'Always' },
        {
          object: 'VirtualMachineInstance shop/db',
          path: 'status.conditions[type=VolumesChange]',
          value: 'True',
        },
        {
          object: 'VirtualMachineInstance shop/db',
          path: 'status.migratedVolumes',
          value: [{ volumeName: 'd' }],
        },
      ],
    });
  });

  it.each([
    ['was given up', aVm().spec({ updateVolumesStrategy: 'Replacement' }).build(), moving.build()],
    [
      'was cancelled',
      always,
      owned()
        .condition('VolumesChange', 'False')
        .status({ migratedVolumes: [{}] })
        .build(),
    ],
    [
      'moves nothing',
      always,
      owned().condition('VolumesChange', 'True').status({ migratedVolumes: [] }).build(),
    ],
    ['names nothing', always, owned().condition('VolumesChange', 'True').build()],
  ])('one that %s does not', (_, vm, seen) => {
    expect(outcome({ vm, vmi: seen, end: 'Succeeded' })).toEqual(['RunStrategyAlways', 'Restarts']);
  });

  it('does not, if it is under way as asked for', () => {
    const vm = aVm().spec({ updateVolumesStrategy: 'Migration' }).build();
    expect(outcome({ vm, vmi: moving.build(), end: 'Failed' })).toEqual([
      'VolumeMigrationCutShort',
      'StaysOff',
    ]);
  });

  it('an earlier one that was cut short keeps the VM off until it is recovered', () => {
    const vm = aVm().condition('ManualRecoveryRequired', 'True', 'Why').build();
    expect(decide(afterEndTable, { vm, vmi, end: 'Failed' })).toEqual({
      reason: 'ManualRecoveryRequired',
      result: 'StaysOff',
      evidence: [
        {
          object: 'VirtualMachine shop/db',
          path: 'status.conditions[type=ManualRecoveryRequired]',
          value: 'True: Why',
        },
      ],
    });
  });

  it('does not hide that the strategy keeps the VM off anyway', () => {
    const vm = aVm().runStrategy('Manual').build();
    expect(outcome({ vm, vmi: moving.build(), end: 'Failed' })).toEqual(['RunStrategyManual', 'StaysOff']);
  });
});

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

describe('the table', () => {
  it('has a question and a source for every rule', () => {
    for (const { asks, source } of afterEndTable) {
      expect(asks).toMatch(/\w+ \w+/);
      expect(source).toMatch(/^kubevirt v1\.9\.0 pkg\/virt-controller\/watch\/vm\/vm\.go/);
    }
  });

  it('never asks about the strategy of a VM that is not there', () => {
    const rule = afterEndTable.find(({ name }) => name === 'RunStrategyAlways');
    expect(() => rule?.when({ vm: undefined, vmi, end: 'Failed' })).toThrow(
      'a rule about VMs was asked about a VMI without one',
    );
  });
});

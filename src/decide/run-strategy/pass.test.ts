import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VirtualMachine } from '../../kubevirt/objects.ts';
import type { Behavior } from '../rules.ts';
import type { RunStrategyAction } from './action.ts';
import { callsOf, type VmCall } from './calls.ts';
import { beginPass, type CallAnswer, noteCall } from './pass.ts';
import { renderVmi } from './render-vmi.ts';

const vm = aVm().meta({ generation: 3 }).build();
const template = { spec: { domain: {} } };
const startVmi: RunStrategyAction = { do: 'StartVmi' };
const deleteVmi: RunStrategyAction = { do: 'DeleteVmi', thenRequestStart: true };

describe('callsOf', () => {
  it('records the spec, then creates the VMI', () => {
    expect(callsOf(startVmi, vm, template)).toEqual([
      { action: 'createControllerRevision', name: 'revision-start-vm-uid-vm-db-3', revision: 3 },
      { action: 'startVMI', name: 'db', object: renderVmi(vm, template) },
    ]);
  });

  it('records revision 0 for a VM without generation', () => {
    expect(callsOf(startVmi, { metadata: { name: 'db' } }, template)[0]).toMatchObject({ revision: 0 });
  });

  it('deletes, and asks for a start behind what is asked for already', () => {
    const stopping = aVm().requesting('Stop', 'uid-db').build();
    expect(callsOf(deleteVmi, stopping, template)).toEqual([
      { action: 'deleteVMI', name: 'db' },
      {
        action: 'addStartRequest',
        name: 'db',
        stateChangeRequests: [{ action: 'Stop', uid: 'uid-db' }, { action: 'Start' }],
      },
    ]);
  });

  it('only deletes when no start is wanted', () => {
    const calls = callsOf({ do: 'DeleteVmi', thenRequestStart: false }, vm, template);
    expect(calls).toEqual([{ action: 'deleteVMI', name: 'db' }]);
  });

  it.each([
    ['runStrategy', aVm().runStrategy('Halted').build(), { runStrategy: 'Always' }],
    ['running', aVm().running(false).build(), { running: true }],
    ['nothing', aVm().runStrategy().build(), { running: true }],
  ])('turns a VM to Always by the field that it uses: %s', (_, halted, spec) => {
    expect(callsOf({ do: 'SetAlways' }, halted, template)).toEqual([
      { action: 'updateVM', name: 'db', spec },
    ]);
  });

  it.each<RunStrategyAction>([
    { do: 'Nothing' },
    { do: 'LookAgain', afterSeconds: 2 },
    { do: 'TakeStrategy', strategy: 'Halted' },
    { do: 'Fail', error: { reason: 'FailedCreate', message: 'no' } },
  ])('calls nothing for $do', (action) => {
    expect(callsOf(action, vm, template)).toEqual([]);
  });
});

describe('beginPass', () => {
  it('carries the error of an action that fails', () => {
    const error = { reason: 'FailedCreate', message: 'no' } as const;
    expect(beginPass(vm, { do: 'Fail', error })).toEqual({ vm, events: [], syncError: error });
  });

  it('goes on with the strategy that the action takes', () => {
    const pass = beginPass(vm, { do: 'TakeStrategy', strategy: 'Halted' });
    expect(pass).toEqual({ vm: { ...vm, spec: { ...vm.spec, runStrategy: 'Halted' } }, events: [] });
  });

  it('drops RestartRequired before a start, and only that', () => {
    const conditioned = aVm().condition('RestartRequired').condition('Ready', 'False').build();
    const { vm: begun } = beginPass(conditioned, startVmi);
    expect(begun.status?.conditions?.map(({ type }) => type)).toEqual(['Ready']);
    expect(beginPass(conditioned, deleteVmi).vm).toBe(conditioned);
  });

  it.each<RunStrategyAction>([{ do: 'Nothing' }, startVmi, deleteVmi])(
    'changes nothing else ($do)',
    (action) => {
      expect(beginPass(vm, action)).toEqual({ vm, events: [] });
      expect(beginPass(vm, action).vm).toBe(vm);
    },
  );
});

describe('noteCall', () => {
  const event = (type: string, reason: string, message: string) => ({
    kind: 'VirtualMachine',
    namespace: 'shop',
    name: 'db',
    type,
    reason,
    message,
  });

  const revision: VmCall = { action: 'createControllerRevision', name: 'r', revision: 3 };
  const creation: VmCall = { action: 'startVMI', name: 'db', object: {} };
  const deletion: VmCall = { action: 'deleteVMI', name: 'db' };
  const request: VmCall = {
    action: 'addStartRequest',
    name: 'db',
    stateChangeRequests: [{ action: 'Start' }],
  };
  const update: VmCall = { action: 'updateVM', name: 'db', spec: { running: true } };

  function note(call: VmCall, answer: CallAnswer, of: VirtualMachine = vm, behavior: Behavior = 'exact') {
    return noteCall(beginPass(of, { do: 'Nothing' }), call, answer, aVmi().build(), behavior);
  }

  it('a recorded spec leaves no trace', () => {
    expect(note(revision, {})).toEqual({ vm, events: [] });
  });

  it('a spec that cannot be recorded ends the start, without event or expectation', () => {
    expect(note(revision, { error: 'boom' })).toEqual({
      vm,
      events: [],
      syncError: { reason: 'FailedCreate', message: 'Failure while starting VMI: boom' },
    });
  });

  it('a created VMI is told and expected', () => {
    const told = 'Started the virtual machine by creating the new virtual machine instance db';
    expect(note(creation, {})).toEqual({
      vm,
      expectations: { creations: 1, deletions: 0 },
      events: [event('Normal', 'SuccessfulCreate', told)],
    });
  });

  it('a VMI that cannot be created is told, and expected no more', () => {
    expect(note(creation, { error: 'boom' })).toEqual({
      vm,
      expectations: { creations: 0, deletions: 0 },
      events: [event('Warning', 'FailedCreate', 'Error creating virtual machine instance: boom')],
      syncError: { reason: 'FailedCreate', message: 'Failure while starting VMI: boom' },
    });
  });

  it('a deleted VMI is told by UID and expected, and RestartRequired is dropped', () => {
    const conditioned = aVm().condition('RestartRequired').build();
    const told = 'Stopped the virtual machine by deleting the virtual machine instance uid-db';
    expect(note(deletion, {}, conditioned)).toEqual({
      vm: { ...conditioned, status: { conditions: [] } },
      expectations: { creations: 0, deletions: 1 },
      events: [event('Normal', 'SuccessfulDelete', told)],
    });
  });

  it('a VMI that cannot be deleted is told, and RestartRequired stays', () => {
    const conditioned = aVm().condition('RestartRequired').build();
    expect(note(deletion, { error: 'boom' }, conditioned)).toEqual({
      vm: conditioned,
      expectations: { creations: 0, deletions: 0 },
      events: [event('Warning', 'FailedDelete', 'Error deleting virtual machine instance db: boom')],
      syncError: { reason: 'FailedDelete', message: 'Failure attempting to delete VMI: boom' },
    });
  });

  it('a deletion of a VMI without UID names none', () => {
    const pass = noteCall(beginPass(vm, deleteVmi), deletion, {}, undefined, 'exact');
    expect(pass.events[0]?.message).toBe(
      'Stopped the virtual machine by deleting the virtual machine instance ',
    );
    const nameless = { metadata: { name: 'db' } };
    expect(noteCall(beginPass(vm, deleteVmi), deletion, {}, nameless, 'exact').events).toEqual(pass.events);
  });

  it('a start request brings back the status that the server holds', () => {
    const deleted = note(deletion, {}, aVm().condition('RestartRequired').build());
    const server = aVm().condition('RestartRequired').requesting('Start').build();
    const pass = noteCall(deleted, request, { vm: server }, aVmi().build(), 'exact');
    expect(pass).toEqual({ ...deleted, vm: { ...deleted.vm, status: server.status } });
    expect(noteCall(deleted, request, {}, aVmi().build(), 'exact')).toBe(deleted);
  });

  it('a start request that fails counts as a failed deletion', () => {
    expect(note(request, { error: 'boom' })).toEqual({
      vm,
      events: [],
      syncError: { reason: 'FailedDelete', message: 'failed to patch VM with start action: boom' },
    });
  });

  it('U11: turning a Halted VM to Always reports a failure although it went well; as intended it does not', () => {
    expect(note(update, {}, vm, 'exact').syncError).toEqual({
      reason: 'FailedCreate',
      message: 'Failure while starting VMI: <nil>',
    });
    expect(note(update, {}, vm, 'intended')).toEqual({ vm, events: [] });
  });

  it.each<Behavior>(['exact', 'intended'])('an update that fails is reported in behaviour %s', (behavior) => {
    expect(note(update, { error: 'boom' }, vm, behavior)).toEqual({
      vm,
      events: [],
      syncError: { reason: 'FailedCreate', message: 'Failure while starting VMI: boom' },
    });
  });
});

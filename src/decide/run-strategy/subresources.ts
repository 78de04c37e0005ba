/** What virt-api makes of `virtctl start|stop|restart`: vm-lifecycle §1 of the spec; kubevirt v1.9.0 pkg/virt-api/rest/subresource.go. */
import { RUN_STRATEGY, STATE_CHANGE } from '../../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { isFinal } from '../../kubevirt/predicates.ts';
import { vmField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { isStartRequested, requestsOf, type StateChangeRequest } from './requests.ts';
import { resolveRunStrategy, runStrategyFields } from './resolve.ts';

export interface SubresourceCall {
  readonly call: 'start' | 'stop' | 'restart';
  readonly vm: VirtualMachine;
  readonly vmi: Vmi | undefined;
}

/** A refusal with 409, another spec, or the whole list of requests that the VM's status gets. */
export type SubresourceEffect =
  | { readonly refusal: string }
  | { readonly spec: { readonly runStrategy: string } | { readonly running: boolean } }
  | { readonly stateChangeRequests: readonly StateChangeRequest[] };

const SOURCE = 'kubevirt v1.9.0 pkg/virt-api/rest/subresource.go';

const startTable: Table<SubresourceCall, SubresourceEffect> = [
  {
    name: 'AlreadyRunning',
    asks: 'the VMI is there and has not ended',
    source: SOURCE,
    when: ({ vmi }) => vmi !== undefined && !isFinal(vmi) && Boolean(vmi.status?.phase),
    reads: readStrategy,
    then: (input) => refused(input, 'VM is already running'),
  },
  {
    name: 'HaltedVmStarts',
    asks: 'the VM is halted',
    source: SOURCE,
    when: (input) => strategyOf(input) === RUN_STRATEGY.halted,
    reads: readStrategy,
    then: ({ vm }) => ({ spec: setting(vm, RUN_STRATEGY.always) }),
  },
  {
    name: 'StartsByItself',
    asks: 'the run strategy starts the VM by itself',
    source: SOURCE,
    when: (input) => isOneOf(input, [RUN_STRATEGY.always, RUN_STRATEGY.once]),
    reads: readStrategy,
    then: (input) => refused(input, `${strategyOf(input)} does not support manual start requests`),
  },
  {
    name: 'FailedVmiStarts',
    asks: 'the run strategy starts failed VMIs anew by itself',
    source: SOURCE,
    when: (input) =>
      strategyOf(input) === RUN_STRATEGY.rerunOnFailure && input.vmi?.status?.phase === 'Failed',
    reads: readStrategy,
    then: (input) => refused(input, 'RerunOnFailure does not support starting VM from failed state'),
  },
  {
    name: 'RequestUnderWay',
    asks: 'another request waits',
    source: SOURCE,
    when: isBusy,
    reads: readRequests,
    then: refusedAsBusy,
  },
  {
    name: 'EndedVmiIsReplaced',
    asks: 'the VMI has ended and is still there',
    source: SOURCE,
    when: ({ vmi }) => vmi !== undefined && isFinal(vmi),
    reads: readStrategy,
    then: ({ vmi }) => ({ stateChangeRequests: [stopOf(vmi), START] }),
  },
  {
    name: 'StartRequested',
    asks: 'otherwise a start is asked for',
    source: SOURCE,
    when: () => true,
    reads: readRequests,
    then: ({ vm }) => ({ stateChangeRequests: [...requestsOf(vm), START] }),
  },
];

const stopTable: Table<SubresourceCall, SubresourceEffect> = [
  {
    name: 'StopsByStrategy',
    asks: 'the run strategy keeps the VM running',
    source: SOURCE,
    when: (input) => isOneOf(input, [RUN_STRATEGY.always, RUN_STRATEGY.once]),
    reads: readStrategy,
    then: ({ vm }) => ({ spec: setting(vm, RUN_STRATEGY.halted) }),
  },
  {
    name: 'NotRunning',
    asks: 'there is no VMI, or it has ended',
    source: SOURCE,
    when: ({ vmi }) => vmi === undefined || isFinal(vmi),
    reads: readStrategy,
    then: (input) => refused(input, 'VM is not running'),
  },
  {
    name: 'AlreadyStopping',
    asks: 'the VM is halted already',
    source: SOURCE,
    when: (input) => strategyOf(input) === RUN_STRATEGY.halted,
    reads: readStrategy,
    then: ({ vm }) => ({ spec: setting(vm, RUN_STRATEGY.halted) }),
  },
  {
    name: 'RequestUnderWay',
    asks: 'another request waits',
    source: SOURCE,
    when: ({ vm }) => requestsOf(vm).length > 0,
    reads: readRequests,
    then: refusedAsBusy,
  },
  {
    name: 'StopRequested',
    asks: 'otherwise a stop is asked for',
    source: SOURCE,
    when: () => true,
    reads: readRequests,
    then: ({ vmi }) => ({ stateChangeRequests: [stopOf(vmi)] }),
  },
];

const restartTable: Table<SubresourceCall, SubresourceEffect> = [
  {
    name: 'NoRestarts',
    asks: 'the run strategy knows no restarts',
    source: SOURCE,
    when: (input) => isOneOf(input, [RUN_STRATEGY.halted, RUN_STRATEGY.once]),
    reads: readStrategy,
    then: (input) =>
      refused(input, `RunStategy ${strategyOf(input)} does not support manual restart requests`),
  },
  {
    name: 'NotRunning',
    asks: 'there is no VMI',
    source: SOURCE,
    when: ({ vmi }) => vmi === undefined,
    reads: readStrategy,
    then: (input) => refused(input, 'VM is not running'),
  },
  {
    name: 'RequestUnderWay',
    asks: 'another request waits',
    source: SOURCE,
    when: ({ vm }) => requestsOf(vm).length > 0,
    reads: readRequests,
    then: refusedAsBusy,
  },
  {
    name: 'RestartRequested',
    asks: 'otherwise a stop and a start are asked for',
    source: SOURCE,
    when: () => true,
    reads: readRequests,
    then: ({ vmi }) => ({ stateChangeRequests: [stopOf(vmi), START] }),
  },
];

/** By the call. */
export const SUBRESOURCE_TABLES: Readonly<
  Record<SubresourceCall['call'], Table<SubresourceCall, SubresourceEffect>>
> = { start: startTable, stop: stopTable, restart: restartTable };

const START: StateChangeRequest = { action: STATE_CHANGE.start };

function stopOf(vmi: Vmi | undefined): StateChangeRequest {
  return { action: STATE_CHANGE.stop, uid: vmi?.metadata.uid };
}

/** A start may follow one stop that waits; nothing else may follow anything. */
function isBusy({ vm }: SubresourceCall): boolean {
  const requests = requestsOf(vm);
  return requests.length > 1 || isStartRequested(vm);
}

function strategyOf({ vm }: SubresourceCall): string {
  return resolveRunStrategy(vm).strategy;
}

function isOneOf(input: SubresourceCall, strategies: readonly string[]): boolean {
  return strategies.includes(strategyOf(input));
}

/** By the field that the VM uses. */
function setting(vm: VirtualMachine, runStrategy: 'Always' | 'Halted') {
  if (vm.spec?.running === undefined) return { runStrategy };
  return { running: runStrategy === RUN_STRATEGY.always };
}

function refused({ vm }: SubresourceCall, why: string): SubresourceEffect {
  const name = JSON.stringify(vm.metadata.name);
  return { refusal: `Operation cannot be fulfilled on virtualmachine.kubevirt.io ${name}: ${why}` };
}

function refusedAsBusy(input: SubresourceCall): SubresourceEffect {
  return refused(input, 'unable to complete request: stop/start already underway');
}

function readStrategy({ vm }: SubresourceCall): readonly Evidence[] {
  return runStrategyFields(vm);
}

function readRequests({ vm }: SubresourceCall): readonly Evidence[] {
  return [
    ...runStrategyFields(vm),
    vmField(vm, 'status.stateChangeRequests', vm.status?.stateChangeRequests),
  ];
}

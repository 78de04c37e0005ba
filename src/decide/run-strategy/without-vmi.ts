import { CONDITION, RUN_STRATEGY } from '../../kubevirt/names.ts';
import { isConditionTrue } from '../../kubevirt/predicates.ts';
import { conditionField, vmField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { startBackoffSecondsLeft } from '../start-backoff.ts';
import { NOTHING, type RunStrategyAction, type RunStrategyInput } from './action.ts';
import { isStartRequested, requestsOf } from './requests.ts';
import { runStrategyFields } from './resolve.ts';
import { unknownStrategyRule } from './with-vmi.ts';

const { always, halted, manual, once, rerunOnFailure, waitAsReceiver } = RUN_STRATEGY;
const STARTS_BY_ITSELF: ReadonlySet<string> = new Set([always, once, waitAsReceiver]);
const BACKS_OFF: ReadonlySet<string> = new Set([always, rerunOnFailure]);

const STEP = 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:970-1178';

type WithoutVmi = Omit<RunStrategyInput, 'vmi'>;

/** A VM that has not been noted under RerunOnFailure yet starts once without being asked. */
function isStartWanted({ vm, strategy }: WithoutVmi): boolean {
  if (STARTS_BY_ITSELF.has(strategy)) return true;
  if (isStartRequested(vm)) return true;
  return strategy === rerunOnFailure && vm.status?.runStrategy !== rerunOnFailure;
}

function startFields({ vm }: WithoutVmi): Evidence[] {
  return [
    ...runStrategyFields(vm),
    vmField(vm, 'status.stateChangeRequests', requestsOf(vm)),
    vmField(vm, 'status.runStrategy', vm.status?.runStrategy),
  ];
}

/** Per strategy, what is done while there is no VMI object (vm-lifecycle §1 of the spec). */
export const withoutVmiTable: Table<WithoutVmi, RunStrategyAction> = [
  unknownStrategyRule,
  {
    name: 'StaysOff',
    asks: `nothing asks for a start (${manual} and ${halted}: no request; ${rerunOnFailure}: no request, and started before)`,
    source: STEP,
    when: (input) => !isStartWanted(input),
    reads: startFields,
    then: () => NOTHING,
  },
  {
    name: 'HaltedStartRequested',
    asks: 'strategy Halted, and a start is requested',
    source: STEP,
    when: ({ strategy }) => strategy === halted,
    reads: startFields,
    then: () => ({ do: 'SetAlways' }),
  },
  {
    name: 'StartBackoff',
    asks: 'strategy Always or RerunOnFailure, and the delay after failed starts has not passed',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:1477-1603',
    when: ({ vm, strategy, now }) => BACKS_OFF.has(strategy) && startBackoffSecondsLeft(vm, now) > 0,
    reads: ({ vm }) => [
      vmField(vm, 'status.startFailure.retryAfterTimestamp', vm.status?.startFailure?.retryAfterTimestamp),
    ],
    then: ({ vm, now }) => ({ do: 'LookAgain', afterSeconds: startBackoffSecondsLeft(vm, now) }),
  },
  {
    name: 'ManualRecoveryRequired',
    asks: 'the VM needs manual recovery after a volume migration that was cut short',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:1257',
    when: ({ vm }) => isConditionTrue(vm.status?.conditions, CONDITION.manualRecoveryRequired),
    reads: ({ vm }) => [conditionField(vm, CONDITION.manualRecoveryRequired, 'VirtualMachine')],
    then: () => NOTHING,
  },
  {
    name: 'StartWanted',
    asks: 'the strategy starts the VM by itself, or a start is requested',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:1257',
    when: () => true,
    reads: startFields,
    then: () => ({ do: 'StartVmi' }),
  },
];

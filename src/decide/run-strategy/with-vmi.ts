import { ANNOTATION, RUN_STRATEGY } from '../../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf, isFinal } from '../../kubevirt/predicates.ts';
import { vmField, vmiField } from '../evidence.ts';
import type { Evidence, Rule, Table } from '../rules.ts';
import { failToCreate, NOTHING, type RunStrategyAction } from './action.ts';
import { isStopRequested, requestsOf } from './requests.ts';
import { runStrategyFields } from './resolve.ts';

/** The step for a VM whose VMI object exists. */
export interface WithVmi {
  readonly vm: VirtualMachine;
  readonly vmi: Vmi;
  readonly strategy: string;
}

const { always, halted, manual, once, rerunOnFailure, waitAsReceiver } = RUN_STRATEGY;
const DELETING_STRATEGIES: ReadonlySet<string> = new Set([always, rerunOnFailure, manual, halted]);

const STEP = 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:970-1178';

const deleteVmi: RunStrategyAction = { do: 'DeleteVmi', thenRequestStart: false };

function endsHere({ vm, vmi }: WithVmi): boolean {
  return isFinal(vmi) || isStopRequested(vm, vmi);
}

function endFields({ vm, vmi }: WithVmi): Evidence[] {
  return [
    ...runStrategyFields(vm),
    vmiField(vmi, 'status.phase', vmi.status?.phase),
    vmField(vm, 'status.stateChangeRequests', requestsOf(vm)),
  ];
}

/** Between clusters or namespaces: exactly one side is reached over a sync address. */
function isDecentralized(vmi: Vmi): boolean {
  const { sourceState, targetState } = vmi.status?.migrationState ?? {};
  if (sourceState === undefined || targetState === undefined) return false;
  return (sourceState.syncAddress === undefined) !== (targetState.syncAddress === undefined);
}

function isMigrationCompleted(vmi: Vmi): boolean {
  return vmi.status?.migrationState?.completed === true;
}

function migrationFields({ vm, vmi }: WithVmi): Evidence[] {
  return [...runStrategyFields(vm), vmiField(vmi, 'status.migrationState', vmi.status?.migrationState)];
}

const decentralizedRules: Table<WithVmi, RunStrategyAction> = [
  {
    name: 'MovedAway',
    asks: 'strategy Always, and the VMI has moved to another cluster or namespace',
    source: STEP,
    when: (input) =>
      input.strategy === always &&
      endsHere(input) &&
      isDecentralized(input.vmi) &&
      isMigrationCompleted(input.vmi),
    reads: migrationFields,
    then: () => ({ do: 'TakeStrategy', strategy: halted }),
  },
  {
    name: 'MovingAway',
    asks: 'strategy Always, and the end of a move to another cluster or namespace is not reported yet',
    source: STEP,
    when: (input) => input.strategy === always && endsHere(input) && isDecentralized(input.vmi),
    reads: migrationFields,
    then: () => ({ do: 'LookAgain', afterSeconds: 2 }),
  },
];

const deletingRules: Table<WithVmi, RunStrategyAction> = [
  {
    name: 'AlreadyDeleting',
    asks: 'the VMI is being deleted already',
    source: STEP,
    when: ({ strategy, vmi }) =>
      DELETING_STRATEGIES.has(strategy) && vmi.metadata.deletionTimestamp !== undefined,
    reads: ({ vmi }) => [vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp)],
    then: () => NOTHING,
  },
  {
    name: 'Halted',
    asks: 'strategy Halted: no VMI may exist',
    source: STEP,
    when: ({ strategy }) => strategy === halted,
    reads: ({ vm }) => runStrategyFields(vm),
    then: () => deleteVmi,
  },
  {
    name: 'FailureRestarts',
    asks: 'strategy RerunOnFailure, and the VMI ended Failed',
    source: STEP,
    when: ({ strategy, vmi }) => strategy === rerunOnFailure && vmi.status?.phase === 'Failed',
    reads: endFields,
    then: () => ({ do: 'DeleteVmi', thenRequestStart: true }),
  },
  {
    name: 'EndedOrStopRequested',
    asks: 'strategy Always or RerunOnFailure, and the VMI has ended or a stop is requested',
    source: STEP,
    when: (input) => (input.strategy === always || input.strategy === rerunOnFailure) && endsHere(input),
    reads: endFields,
    then: () => deleteVmi,
  },
  {
    name: 'ManualStopRequested',
    asks: 'strategy Manual, and a stop is requested',
    source: STEP,
    when: ({ strategy, vm, vmi }) => strategy === manual && isStopRequested(vm, vmi),
    reads: endFields,
    then: () => deleteVmi,
  },
];

const receiverRules: Table<WithVmi, RunStrategyAction> = [
  {
    name: 'Receiver',
    asks: 'strategy WaitAsReceiver, and the VMI was made to receive a migration',
    source: STEP,
    when: ({ strategy, vmi }) =>
      strategy === waitAsReceiver && annotationOf(vmi, ANNOTATION.createMigrationTarget) === 'true',
    reads: ({ vmi }) => [
      vmiField(
        vmi,
        `metadata.annotations[${ANNOTATION.createMigrationTarget}]`,
        annotationOf(vmi, ANNOTATION.createMigrationTarget),
      ),
    ],
    then: () => NOTHING,
  },
  {
    name: 'Received',
    asks: 'strategy WaitAsReceiver, and the migration has completed',
    source: STEP,
    when: ({ strategy, vmi }) => strategy === waitAsReceiver && isMigrationCompleted(vmi),
    reads: migrationFields,
    then: ({ vm }) => {
      const strategy = annotationOf(vm, ANNOTATION.restoreRunStrategy);
      return strategy === undefined ? NOTHING : { do: 'TakeStrategy', strategy };
    },
  },
  {
    name: 'NotAReceiver',
    asks: 'strategy WaitAsReceiver, and the VMI was not made to receive',
    source: STEP,
    when: ({ strategy }) => strategy === waitAsReceiver,
    reads: migrationFields,
    then: () => failToCreate('Found non receiver VMI while VM is receiver'),
  },
];

/** What every strategy but the known ones gets, with or without a VMI. */
export const unknownStrategyRule: Rule<
  { readonly vm: VirtualMachine; readonly strategy: string },
  RunStrategyAction
> = {
  name: 'UnknownRunStrategy',
  asks: 'the strategy is none that KubeVirt knows',
  source: STEP,
  when: ({ strategy }) => !Object.values<string>(RUN_STRATEGY).includes(strategy),
  reads: ({ vm }) => runStrategyFields(vm),
  then: ({ strategy }) => failToCreate(`unknown runstrategy: ${strategy}`),
};

/** Per strategy, what is done about a VMI object that exists (vm-lifecycle §1 of the spec). */
export const withVmiTable: Table<WithVmi, RunStrategyAction> = [
  unknownStrategyRule,
  ...decentralizedRules,
  ...deletingRules,
  ...receiverRules,
  {
    name: 'VmiStays',
    asks: `the VMI may stay as it is (strategy ${once}: always)`,
    source: STEP,
    when: () => true,
    reads: endFields,
    then: () => NOTHING,
  },
];

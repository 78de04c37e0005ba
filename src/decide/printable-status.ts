import { CONDITION, RUN_STRATEGY } from '../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../kubevirt/objects.ts';
import { findCondition, isConditionTrue, isFinal, isMigrating, isRunning } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import { conditionField, vmField, vmiField } from './evidence.ts';
import type { Evidence, Rule, Table } from './rules.ts';
import type { VmExpectations } from './run-strategy/pass.ts';
import { isSetToStart } from './run-strategy/requests.ts';
import { resolveRunStrategy, runStrategyFields } from './run-strategy/resolve.ts';
import { restartsOnItsOwn } from './start-backoff.ts';

/** What the VM controller looks at when it words a VM's status. */
export interface VmSight {
  readonly vm: VirtualMachine;
  readonly vmi: Vmi | undefined;
  readonly now: Instant;
  /** Creations and deletions of VMIs that were asked for and are not seen yet; absent is none. */
  readonly expectations?: VmExpectations | undefined;
  /** How the DataVolumes of the VM stand; absent is ready, or none. */
  readonly dataVolumes?: 'Provisioning' | 'Error' | undefined;
  /** A PVC of the VM is not bound. */
  readonly hasUnboundClaim?: boolean | undefined;
}

const STARTING_PHASES: ReadonlySet<string> = new Set(['', 'Pending', 'Scheduling', 'Scheduled']);

function isStartExpected({ expectations }: VmSight): boolean {
  return (expectations?.creations ?? 0) > 0;
}

function isEnding({ vmi, expectations }: VmSight): boolean {
  if (!vmi || isFinal(vmi)) return false;
  return vmi.metadata.deletionTimestamp !== undefined || (expectations?.deletions ?? 0) > 0;
}

function isPaused(vmi: Vmi): boolean {
  return isConditionTrue(vmi.status?.conditions, CONDITION.paused);
}

function hasFalseCondition({ vmi }: VmSight, type: string, reason: string): boolean {
  const condition = findCondition(vmi?.status?.conditions, type);
  return condition?.status === 'False' && condition.reason === reason;
}

function isCrashLooping(sight: VmSight): boolean {
  const { vm, vmi } = sight;
  if ((vmi && !isFinal(vmi)) || isStartExpected(sight)) return false;
  return (vm.status?.startFailure?.consecutiveFailCount ?? 0) > 0 && restartsOnItsOwn(strategyOf(vm));
}

function strategyOf(vm: VirtualMachine): string {
  return resolveRunStrategy(vm).strategy;
}

function phaseFields({ vmi }: VmSight): Evidence[] {
  return vmi ? [vmiField(vmi, 'status.phase', vmi.status?.phase)] : [];
}

function statusRule(
  name: string,
  asks: string,
  when: (sight: VmSight) => boolean,
  reads: (sight: VmSight) => readonly Evidence[] = phaseFields,
): Rule<VmSight, string> {
  const source = 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:2516-2557';
  return { name, asks, source, when, reads, then: () => name };
}

/** A status that shows a condition of the VMI that is False for one reason. */
function conditionRule(name: string, type: string, reason: string): Rule<VmSight, string> {
  return statusRule(
    name,
    `the VMI's condition ${type} is False for the reason ${reason}`,
    (sight) => hasFalseCondition(sight, type, reason),
    ({ vmi }) => (vmi ? [conditionField(vmi, type, 'VirtualMachineInstance')] : []),
  );
}

/** `status.printableStatus` of a VM; the first that holds (vm-lifecycle §6 of the spec). Rule and result bear the same name. */
export const printableStatusTable: Table<VmSight, string> = [
  statusRule(
    'Terminating',
    'the VM is being deleted',
    ({ vm }) => vm.metadata.deletionTimestamp !== undefined,
    ({ vm }) => [vmField(vm, 'metadata.deletionTimestamp', vm.metadata.deletionTimestamp)],
  ),
  statusRule('Stopping', 'the VMI is being deleted, or about to be', isEnding),
  statusRule(
    'Migrating',
    'the VMI is being migrated',
    ({ vmi, now }) => vmi !== undefined && isMigrating(vmi, now),
  ),
  statusRule(
    'Paused',
    'the VMI runs, paused',
    ({ vmi }) => vmi !== undefined && isRunning(vmi) && isPaused(vmi),
  ),
  statusRule('Running', 'the VMI runs', ({ vmi }) => vmi !== undefined && isRunning(vmi)),
  conditionRule('ErrorPvcNotFound', CONDITION.synchronized, 'FailedPvcNotFound'),
  statusRule('DataVolumeError', 'a DataVolume failed', ({ dataVolumes }) => dataVolumes === 'Error'),
  conditionRule('ErrorUnschedulable', CONDITION.podScheduled, 'Unschedulable'),
  statusRule(
    'Provisioning',
    'a DataVolume is being filled',
    ({ dataVolumes }) => dataVolumes === 'Provisioning',
  ),
  statusRule(
    'WaitingForVolumeBinding',
    'the VM is meant to run, and a PVC is not bound',
    ({ vm, vmi, hasUnboundClaim }) => hasUnboundClaim === true && isSetToStart(vm, vmi, strategyOf(vm)),
    ({ vm }) => runStrategyFields(vm),
  ),
  conditionRule('ErrImagePull', CONDITION.synchronized, 'ErrImagePull'),
  conditionRule('ImagePullBackOff', CONDITION.synchronized, 'ImagePullBackOff'),
  statusRule('Starting', 'the VMI is on its way to run, or about to be created', (sight) =>
    sight.vmi ? STARTING_PHASES.has(sight.vmi.status?.phase ?? '') : isStartExpected(sight),
  ),
  statusRule('CrashLoopBackOff', 'starts have failed, and another one waits', isCrashLooping, ({ vm }) => [
    vmField(vm, 'status.startFailure', vm.status?.startFailure),
  ]),
  statusRule(
    'Stopped',
    'the VMI has ended, or there is none',
    ({ vmi }) => vmi === undefined || isFinal(vmi),
  ),
  statusRule(
    'WaitingForReceiver',
    'the VMI waits to receive a migration',
    ({ vm, vmi }) =>
      vmi?.status?.phase === 'WaitingForSync' && strategyOf(vm) === RUN_STRATEGY.waitAsReceiver,
    ({ vm }) => runStrategyFields(vm),
  ),
  statusRule('Unknown', 'nothing else fits', () => true),
];

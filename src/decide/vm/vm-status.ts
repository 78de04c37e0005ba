/** The status of a VM as its controller keeps it. vm-lifecycle §1, §5, §6 of the spec; kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (updateStatus) */
import { withChanges } from '../../kubevirt/json.ts';
import { CONDITION } from '../../kubevirt/names.ts';
import type { Condition, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { isConditionTrue, isFinal } from '../../kubevirt/predicates.ts';
import { printableStatusTable, type VmSight } from '../printable-status.ts';
import { resultOf } from '../rules.ts';
import { isVolumeMigrationUnfinished } from '../run-strategy/ended.ts';
import { restingRequests } from '../run-strategy/requests.ts';
import { resolveRunStrategy } from '../run-strategy/resolve.ts';
import { startFailureAfter } from '../start-backoff.ts';
import { withCondition, withoutCondition } from '../vmi/conditions.ts';
import { type VmFailure, vmConditions } from './vm-conditions.ts';

type VmStatus = NonNullable<VirtualMachine['status']>;

/** What the controller knows when it words the status of a VM. */
export interface VmNews extends Omit<VmSight, 'vm'> {
  readonly failure?: VmFailure | undefined;
  /** The VM was started or stopped, and with it what waited for a restart has come about. */
  readonly restarted?: boolean | undefined;
  /** An edit that the running VMI cannot take over, in words. */
  readonly restartRequired?: string | undefined;
  /** In [0, 1), for the delay after a failed start. */
  readonly chance: number;
}

/** Whether a start has failed that was not counted yet, so that chance decides on the delay. */
export function isStartFailureNew(vm: VirtualMachine, { vmi, now }: Pick<VmNews, 'vmi' | 'now'>): boolean {
  const counted = vm.status?.startFailure?.consecutiveFailCount ?? 0;
  return (startFailureAfter(vm, vmi, now, 0)?.consecutiveFailCount ?? 0) > counted;
}

/** The VM with its status brought up to date; the same reference where nothing changes. */
export function withVmStatus(vm: VirtualMachine, news: VmNews): VirtualMachine {
  const { vmi, now, chance } = news;
  const held: VmStatus = vm.status ?? {};
  const requests = restingRequests(vm, vmi);
  const known = withChanges(held, {
    created: vmi ? true : undefined,
    ready: isConditionTrue(vmi?.status?.conditions, CONDITION.ready) ? true : undefined,
    runStrategy: runStrategyOf(vm, vmi),
    stateChangeRequests: requests.length > 0 ? [...requests] : undefined,
    startFailure: startFailureAfter(vm, vmi, now, chance),
    ...conditionsChange(vm, held, news),
  });
  const { expectations, dataVolumes, hasUnboundClaim } = news;
  const seen = { vm: { ...vm, status: known }, vmi, now, expectations, dataVolumes, hasUnboundClaim };
  const result = resultOf(printableStatusTable, seen);
  const status = withChanges(known, { printableStatus: result });
  return status === held ? vm : { ...vm, status };
}

/** Noted once there is a VMI, so that a VM under RerunOnFailure starts once by itself. */
function runStrategyOf(vm: VirtualMachine, vmi: Vmi | undefined): string | undefined {
  const { strategy, error } = resolveRunStrategy(vm);
  return vmi && error === undefined ? strategy : vm.status?.runStrategy;
}

function conditionsChange(vm: VirtualMachine, held: VmStatus, news: VmNews): Partial<VmStatus> {
  const before: readonly Condition[] = held.conditions ?? [];
  const { restartRequired: message, restarted, vmi, failure, now } = news;
  const type = CONDITION.restartRequired;
  const required = message === undefined ? before : withCondition(before, { type, status: 'True', message });
  const asked = restarted ? withoutCondition(required, type) : required;
  const lost = isCutShort(vm, vmi) ? withCondition(asked, RECOVERY_REQUIRED, now) : asked;
  const after = vmConditions(lost, vmi, failure, now);
  return after === before ? {} : { conditions: [...after] };
}

const RECOVERY_REQUIRED: Condition = { type: CONDITION.manualRecoveryRequired, status: 'True' };

/** The guest has ended with some of its disks moved and others not: until someone has looked at them the VM must not start. */
function isCutShort(vm: VirtualMachine, vmi: Vmi | undefined): boolean {
  return vmi !== undefined && isFinal(vmi) && isVolumeMigrationUnfinished({ vm, vmi });
}

/**
 * What a running VMI has still to take over of its changed spec: the conditions that the workload updater acts on. workload-update §9
 * of the spec; kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:1146-1250.
 */
import { CONDITION } from '../../kubevirt/names.ts';
import type { Condition, Vmi } from '../../kubevirt/objects.ts';
import { findCondition, isMigrating } from '../../kubevirt/predicates.ts';
import { isSameQuantity } from '../../kubevirt/quantity.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';
import { vcpusOf } from '../launcher/launcher-resources.ts';
import { withCondition, withoutCondition } from './conditions.ts';
import { type NetworkChange, networkChange } from './network-change.ts';

type Conditions = readonly Condition[];

/** Whether the guest has another number of CPUs than its spec. A VMI that was started without room for more never does. */
export function needsCpuHotplug({ spec, status }: Vmi): boolean {
  const cpu = spec?.domain?.cpu;
  if (!cpu?.maxSockets || status?.currentCPUTopology === undefined) return false;
  return vcpusOf(cpu) !== vcpusOf(status.currentCPUTopology);
}

/** Whether the guest was last asked for another amount of memory than its spec names. */
export function needsMemoryHotplug({ spec, status }: Vmi): boolean {
  const { guest, maxGuest } = spec?.domain?.memory ?? {};
  if (guest === undefined || maxGuest === undefined || status?.memory === undefined) return false;
  return !isSameQuantity(guest, status.memory.guestRequested);
}

/** How long a network change that needs no haste waits for others to come with it. */
const NETWORK_CHANGE_WAITS_SECONDS = 15;

/** The conditions of a running VMI with what is due; the same list where nothing changes. */
export function withLiveChanges(conditions: Conditions, vmi: Vmi, now: Instant): Conditions {
  const due = [
    ...(needsCpuHotplug(vmi) ? [{ type: CONDITION.hotVcpuChange, status: 'True' }] : []),
    ...(needsMemoryHotplug(vmi) ? [{ type: CONDITION.hotMemoryChange, status: 'True' }] : []),
    ...((vmi.status?.migratedVolumes ?? []).length > 0
      ? [{ type: CONDITION.volumesChange, status: 'True', message: 'migrate volumes' }]
      : []),
  ];
  const added = due.filter(({ type }) => !findCondition(conditions, type));
  const changed = added.length > 0 ? [...conditions, ...added] : conditions;
  return isMigrating(vmi, now) ? changed : withNetworkChange(changed, networkChange(vmi), now);
}

/** Once a migration is required for the network, it stays so until nothing of the change is left. */
function withNetworkChange(conditions: Conditions, change: NetworkChange, now: Instant): Conditions {
  const type = CONDITION.migrationRequired;
  if (change === 'None') return withoutCondition(conditions, type);
  const held = findCondition(conditions, type);
  if (held?.status === 'True') return conditions;
  const isDue = change === 'Urgent' || (held !== undefined && hasWaited(held, now));
  const status = isDue ? 'True' : 'False';
  const reason = isDue ? 'AutoMigrationDueToLiveUpdate' : 'AutoMigrationPending';
  return withCondition(conditions, { type, status, reason }, now);
}

function hasWaited({ lastTransitionTime }: Condition, now: Instant): boolean {
  const since = parseInstant(lastTransitionTime);
  return since !== undefined && now - since > NETWORK_CHANGE_WAITS_SECONDS * 1000;
}

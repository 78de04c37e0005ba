/** What CAPK sees of a worker's VMI. */
import { CONDITION } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { findCondition, isMarked } from '../../kubevirt/predicates.ts';

/** Only a condition that says so; a running VMI without any is taken as Ready. */
export function isNotReady(vmi: Vmi): boolean {
  return findCondition(vmi.status?.conditions, CONDITION.ready)?.status === 'False';
}

/** Only interfaces that are listed and have none; a VMI that lists no interfaces is taken to have an address. */
export function hasNoAddress(vmi: Vmi): boolean {
  const { interfaces } = vmi.status ?? {};
  return interfaces !== undefined && interfaces.length > 0 && !interfaces.some(({ ipAddress }) => ipAddress);
}

/** A mark that is there stays; without one the eviction leaves that of the VMI's own node. */
export function isMarkedElsewhere(vmi: Vmi): boolean {
  return isMarked(vmi) && vmi.status?.evacuationNodeName !== vmi.status?.nodeName;
}

/** The VMI's account is of a migration that failed. */
export function hasFailedMigration(vmi: Vmi): boolean {
  return Boolean(vmi.status?.migrationState?.failed);
}

/** The conditions of a VM. vm-lifecycle §6 of the spec; kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (syncConditions) */
import { CONDITION } from '../../kubevirt/names.ts';
import type { Condition, Vmi } from '../../kubevirt/objects.ts';
import { findCondition } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { withCondition, withOrWithout } from '../vmi/conditions.ts';

type Conditions = readonly Condition[];

/** What a VM says for itself; everything else it says is what its VMI says. */
const OWN: ReadonlySet<string> = new Set([
  CONDITION.ready,
  CONDITION.failure,
  CONDITION.restartRequired,
  CONDITION.manualRecoveryRequired,
]);

/** What went wrong in a pass over a VM. */
export interface VmFailure {
  readonly reason: string;
  readonly message: string;
}

/**
 * The conditions of a VM beside its VMI: Ready, Failure, and those of the VMI.
 *
 * Promise: the same list where nothing changes. What the last VMI said stays while there is none.
 */
export function vmConditions(
  held: Conditions,
  vmi: Vmi | undefined,
  failure: VmFailure | undefined,
  now: Instant,
): Conditions {
  const mirrored = vmi ? withMirrored(held, vmi) : held;
  const ready = withCondition(mirrored, readyOf(vmi), now);
  const failed = failure && { type: CONDITION.failure, status: 'True', ...failure };
  return withOrWithout(ready, CONDITION.failure, failed, now);
}

function readyOf(vmi: Vmi | undefined): Condition {
  const type = CONDITION.ready;
  if (!vmi) return { type, status: 'False', reason: 'VMINotExists', message: 'VMI does not exist' };
  const ofVmi = findCondition(vmi.status?.conditions, type);
  if (ofVmi) return ofVmi;
  const message = 'VMI is missing the Ready condition';
  return { type, status: 'False', reason: 'VMIConditionMissing', message };
}

function withMirrored(held: Conditions, { status }: Vmi): Conditions {
  const shown = (status?.conditions ?? []).filter(({ type }) => !OWN.has(type));
  const kept = held.filter(({ type }) => OWN.has(type) || findCondition(shown, type));
  const start: Conditions = kept.length === held.length ? held : kept;
  return shown.reduce((list: Conditions, condition) => withCondition(list, condition), start);
}

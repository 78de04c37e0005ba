import { CONDITION } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { findCondition, keyOf } from '../../kubevirt/predicates.ts';
import { extended } from '../../kubevirt/shapes.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { runningSince } from '../../simulation/actors/node/guest-lane.ts';
import type { BehaviorOf, GuestBehavior, TaughtMigratability } from '../../simulation/guests/behavior.ts';

const MIGRATABLE: TaughtMigratability = {};

/** The reason of a VMI whose disks keep it where it is. */
const DISKS = 'DisksNotLiveMigratable';

/** Its volumes are what keeps it where it is, and they are about to move with it: virt-handler looks at them anew. */
function isBeingFreed({ status }: Vmi): boolean {
  const { reason } = findCondition(status?.conditions, CONDITION.liveMigratable) ?? {};
  return reason === DISKS && (status?.migratedVolumes?.length ?? 0) > 0;
}

/**
 * Guests as a snapshot of a cluster shows them: whether each can migrate is taken from its condition, since a snapshot lacks
 * much of what virt-handler judged it by. A VM that was not running is judged when it starts.
 */
export function behaviorBySnapshot(vmis: Iterable<Vmi>, base: BehaviorOf): BehaviorOf {
  const told = new Map<string, TaughtMigratability>();
  for (const vmi of vmis) {
    const condition = findCondition(vmi.status?.conditions, CONDITION.liveMigratable);
    if (!condition) continue;
    const { status, reason = 'Unknown', message } = condition;
    told.set(keyOf(vmi), status === 'True' ? MIGRATABLE : { reason, message });
  }
  /** Guests are asked about again and again, and most behave alike. */
  const made = new WeakMap<
    TaughtMigratability,
    { readonly base: GuestBehavior; readonly whole: GuestBehavior }
  >();
  return (vmi): GuestBehavior => {
    const behavior = base(vmi);
    const migratability = behavior.migratability || isBeingFreed(vmi) ? undefined : told.get(keyOf(vmi));
    if (!migratability) return behavior;
    const held = made.get(migratability);
    if (held?.base === behavior) return held.whole;
    const whole = extended(behavior, { migratability });
    made.set(migratability, { base: behavior, whole });
    return whole;
  };
}

/** Guests of which those that ran before an instant end of their own accord so long after it: how long they had run then, nobody has chosen. */
export function endsCountedFrom(startAt: Instant, base: BehaviorOf): BehaviorOf {
  return (vmi) => {
    const behavior = base(vmi);
    const { ownEnd } = behavior;
    const upAt = ownEnd && runningSince(vmi);
    if (!ownEnd || upAt === undefined || upAt >= startAt) return behavior;
    return { ...behavior, ownEnd: { ...ownEnd, seconds: ownEnd.seconds + (startAt - upAt) / 1000 } };
  };
}

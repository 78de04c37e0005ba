/** Nodes and guests that are so many times as fast. KubeVirt's own time-outs, intervals and grace periods stay as they are. */

import type { Clock } from '../../controllers/ports.ts';
import { type NodeTimes, RECORDED_TIMES } from '../../simulation/actors/node/options.ts';
import type { RollOutTimes } from '../../simulation/actors/operator/virt-operator.ts';
import type { BehaviorOf, GuestBehavior, MigrationBehavior } from '../../simulation/guests/behavior.ts';

/** The steps of nodes. Heartbeats come as ever, since others count on them. */
export function hastenedNodes(speed: number): NodeTimes {
  const faster = Object.entries(RECORDED_TIMES).map(([name, seconds]) => [name, seconds / speed]);
  const { heartbeatSeconds } = RECORDED_TIMES;
  return { ...(Object.fromEntries(faster) as unknown as NodeTimes), heartbeatSeconds };
}

export function hastenedRollOut(times: RollOutTimes, speed: number): RollOutTimes {
  const { beginSeconds, handlerSeconds, controllerSeconds, apiSeconds } = times;
  return {
    beginSeconds: beginSeconds / speed,
    handlerSeconds: handlerSeconds / speed,
    controllerSeconds: controllerSeconds / speed,
    apiSeconds: apiSeconds / speed,
  };
}

/** Time that goes so many times as fast, for those who compare it with nobody else's times. */
export function hastenedClock(clock: Clock, speed: number): Clock {
  const startAt = clock.now();
  return {
    now: () => startAt + (clock.now() - startAt) * speed,
    after: (seconds, callback) => clock.after(seconds / speed, callback),
  };
}

export function hastenedGuests(behaviorOf: BehaviorOf, speed: number): BehaviorOf {
  return (vmi) => hastenedGuest(behaviorOf(vmi), speed);
}

function hastenedGuest(behavior: GuestBehavior, speed: number): GuestBehavior {
  const { bootSeconds, shutdown, migration, ownEnd } = behavior;
  return {
    ...behavior,
    bootSeconds: bootSeconds / speed,
    shutdown: { ...shutdown, seconds: shutdown.seconds / speed },
    migration: hastenedMigration(migration, speed),
    ...(ownEnd && { ownEnd: { ...ownEnd, seconds: ownEnd.seconds / speed } }),
  };
}

/** A smaller memory and a hot set that is rewritten more often: everything about the copy takes that much less time. */
function hastenedMigration(migration: MigrationBehavior, speed: number): MigrationBehavior {
  if (migration.kind !== 'copies') return { ...migration, seconds: migration.seconds / speed };
  const { memoryMB, hotSetMB, hotSetSeconds } = migration;
  return {
    ...migration,
    ...(memoryMB !== undefined && { memoryMB: memoryMB / speed }),
    hotSetMB: hotSetMB / speed,
    hotSetSeconds: hotSetSeconds / speed,
  };
}

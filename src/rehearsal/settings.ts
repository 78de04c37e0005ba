/** The world in which a scenario is played: what its settings say, and what holds where they say nothing. */
import type { Behavior } from '../decide/rules.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { TimelineEntry } from '../scenario/timeline-schema.ts';
import { type BehaviorOf, RECORDED_BEHAVIOR } from '../simulation/guests/behavior.ts';
import { behaviorsOf } from '../simulation/guests/behavior-file.ts';
import { behaviorByAnnotations } from '../simulation/guests/lab-annotations.ts';
import { QUIET_SECONDS } from './rehearsal.ts';

export const HOUR_SECONDS = 3600;
/** CAPK looks every ten minutes, and drains the node of a guest cluster for ten more, which no VM notices. */
const CLUSTER_API_QUIET_SECONDS = 1300;

/** How KubeVirt and Drover behave. */
export function behaviorIn({ settings }: Pick<Scenario, 'settings'>): Behavior {
  return settings.behavior ?? 'exact';
}

/** Who acts on the marks of VMIs with the strategy External. */
export function externalIn({
  settings,
}: Pick<Scenario, 'settings'>): NonNullable<Scenario['settings']['external']> {
  return settings.external ?? 'none';
}

/** KubeVirt's own; kept only where somebody needs them. */
const HEARTBEAT_SECONDS = 60;

/** Where a node fails they are missed; and whoever looks at nodes sees another configuration with the next one. */
function needsHeartbeats({ failNode, config }: TimelineEntry): boolean {
  return failNode !== undefined || config !== undefined;
}

/** Nodes and guests as a scenario wants them. */
export function nodeOptions({ settings, guests, timeline }: Scenario, given?: BehaviorOf) {
  const { podStart, boot, migration, nicMbps, rackUplinkMbps } = settings;
  const base = {
    ...RECORDED_BEHAVIOR,
    ...(boot !== undefined && { bootSeconds: boot }),
    ...(migration !== undefined && { migration: { kind: 'takes' as const, seconds: migration } }),
  };
  const behaviorOf = guests.length > 0 ? behaviorsOf(guests, base) : undefined;
  return {
    behaviorOf:
      given ??
      behaviorOf ??
      ((vmi: Parameters<typeof behaviorByAnnotations>[0]) => behaviorByAnnotations(vmi, base)),
    times: {
      ...(podStart !== undefined && { podStartSeconds: podStart }),
      ...(timeline.some(needsHeartbeats) && { heartbeatSeconds: HEARTBEAT_SECONDS }),
    },
    network: { nicMbps, rackUplinkMbps },
  };
}

/** How long nothing has happened to any VM when it is over; as long as who acts on the cluster needs to look again. */
export function quietSecondsOf(scenario: Pick<Scenario, 'settings'>): number {
  return externalIn(scenario) === 'none' ? QUIET_SECONDS : CLUSTER_API_QUIET_SECONDS;
}

/** When a run ends at the latest. */
export function limitSeconds({ settings, timeline }: Pick<Scenario, 'settings' | 'timeline'>): number {
  return settings.until ?? lastDeedSeconds(timeline) + HOUR_SECONDS;
}

/** When the last thing is done that a timeline has. */
export function lastDeedSeconds(timeline: readonly TimelineEntry[]): number {
  return Math.max(0, ...timeline.map(({ at }) => at));
}

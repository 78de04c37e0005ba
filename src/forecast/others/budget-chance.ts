import { addToGroup, groupBy } from '../../kubevirt/group-by.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import { someOf } from '../../kubevirt/words.ts';
import type { Context } from '../context.ts';
import { orElse } from '../ending.ts';
import type { Otherwise } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';

/**
 * What a disruption budget answers may be chance: it has one healthy pod more while one of its VMs moves, and of several VMs that it
 * does not let go together any may be the first. The verdicts stay what they are, and tell the other way too.
 */
export function withBudgetChance(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  const seconds = secondsByFirst(foreseen);
  const isSecond = new Set([...seconds.values()].flat());
  const moving = foreseen.some(({ ending }) => ending.noneToSpare !== undefined)
    ? movingIn(foreseen)
    : NOBODY;
  return foreseen.map((one) => {
    const key = keyOf(one.vmi);
    const movers = one.ending.noneToSpare === undefined ? [] : moversOf(context, one, moving);
    if (movers.length > 0) return told(one, 'ShutDown', meanwhile(movers));
    const second = seconds.get(key);
    if (second)
      return told(one, 'Refused', `should ${someOf(second)} be evicted before it, it is refused instead`);
    return isSecond.has(key)
      ? told(
          one,
          'ShutDown',
          'should it be evicted first, it is shut down, and the refusal is for the others',
        )
      : one;
  });
}

/** Those that move, by namespace. */
type Moving = ReadonlyMap<string | undefined, readonly Foreseen[]>;

const NOBODY: Moving = new Map();

function movingIn(foreseen: readonly Foreseen[]): Moving {
  return groupBy(foreseen.filter(moves), ({ vmi }) => vmi.metadata.namespace);
}

function told(one: Foreseen, otherwise: Otherwise, when: string): Foreseen {
  return { ...one, ending: orElse(one.ending, otherwise, when) };
}

function meanwhile(movers: readonly string[]): string {
  return `but while ${someOf(movers)} ${movers.length === 1 ? 'moves' : 'move'} there is, and an eviction that is asked just then shuts it down`;
}

/** VMs of the same budget that have a second launcher for a while. */
function moversOf({ fleet }: Context, { vmi, ending }: Foreseen, moving: Moving): string[] {
  const { namespace } = vmi.metadata;
  const budget = fleet
    .budgetsIn(namespace ?? '')
    .find(({ metadata }) => metadata.name === ending.noneToSpare);
  const selector = budget?.spec?.selector;
  if (!selector) return [];
  const isSelected = (pod: Pod | undefined) =>
    pod !== undefined && matchesSelector(selector, pod.metadata.labels);
  return (moving.get(namespace) ?? [])
    .filter((other) => isSelected(fleet.launcherPodOf(other.vmi)))
    .map((other) => keyOf(other.vmi));
}

const MOVING: ReadonlySet<string> = new Set([
  'WaitsForRoom',
  'RoomTaken',
  'PlacesHeld',
  'CapkMigrates',
  'CapkMayMigrate',
]);

function moves({ ending: { outcome, reason } }: Foreseen): boolean {
  return outcome === 'LiveMigrates' || (outcome !== 'Restarts' && MOVING.has(reason));
}

/** By the VM that is let go: those of the same part of the action that are then refused. */
function secondsByFirst(foreseen: readonly Foreseen[]): ReadonlyMap<string, readonly string[]> {
  const here = new Set(foreseen.map(({ vmi }) => keyOf(vmi)));
  const seconds = new Map<string, string[]>();
  for (const { vmi, ending } of foreseen)
    for (const first of ending.spentBy ?? []) if (here.has(first)) addToGroup(seconds, first, keyOf(vmi));
  return seconds;
}

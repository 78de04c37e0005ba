import { foreseeAnyway } from '../chains/anyway.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';
import { Trail } from '../trail.ts';

/** The action does nothing to them now. */
const LEFT_ALONE: ReadonlySet<Outcome> = new Set(['Untouched', 'Deferred']);

/**
 * VMs that go whatever the action does, for they were marked before it or are to migrate already, and what becomes of them: they leave
 * room, and ask for some. Those that `foreseen` tells something of are not among them.
 */
export function bystandersOf(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  const acted = new Set(
    foreseen.filter(({ ending }) => !LEFT_ALONE.has(ending.outcome)).map(({ vmi }) => vmi),
  );
  const others = [...context.fleet.all('VirtualMachineInstance')].filter((vmi) => !acted.has(vmi));
  return others.flatMap((vmi) => {
    const trail = new Trail(false);
    const ending = foreseeAnyway(context, vmi, trail);
    return ending ? [{ vmi, ending, trail }] : [];
  });
}

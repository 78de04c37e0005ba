import type { Vmi } from '../kubevirt/objects.ts';
import { isMarked } from '../kubevirt/predicates.ts';
import { foreseeEvacuation } from './chains/evacuation.ts';
import { foreseeMarkedBefore } from './chains/external.ts';
import type { Context } from './context.ts';
import type { Ending } from './ending.ts';
import type { Outcome } from './forecast.ts';
import type { Foreseen } from './foreseen.ts';
import { Trail } from './trail.ts';

/** The action does nothing to them now. */
const LEFT_ALONE: ReadonlySet<Outcome> = new Set(['Untouched', 'Deferred']);

/**
 * VMs that go whatever the action does, for they were marked before it, and what becomes of them: they leave room, and ask for some.
 * Those that `foreseen` tells something of are not among them.
 */
export function bystandersOf(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  const acted = new Set(
    foreseen.filter(({ ending }) => !LEFT_ALONE.has(ending.outcome)).map(({ vmi }) => vmi),
  );
  const marked = [...context.fleet.all('VirtualMachineInstance')].filter(
    (vmi) => isMarked(vmi) && !acted.has(vmi),
  );
  return marked.flatMap((vmi) => {
    const trail = new Trail(false);
    const ending = goesAnyway(context, vmi, trail);
    return ending ? [{ vmi, ending, trail }] : [];
  });
}

function goesAnyway(context: Context, vmi: Vmi, trail: Trail): Ending | undefined {
  const handedOver = foreseeMarkedBefore(context, vmi, trail);
  if (handedOver) return handedOver;
  const { evacuationNodeName, nodeName } = vmi.status ?? {};
  return evacuationNodeName === nodeName ? foreseeEvacuation(context, vmi, trail) : undefined;
}

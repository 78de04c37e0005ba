import { judgePlacement } from '../../decide/placement/placement.ts';
import { groupBy } from '../../kubevirt/group-by.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import type { Context } from '../context.ts';
import { orElse } from '../ending.ts';
import type { Outcome } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';

/**
 * VMs that are shut down give their place in a quota up until they start again. Migrations that are tried again and again may take it
 * meanwhile: the verdict stays what it is, and tells that too. Migrations that come to an end give it back.
 */
export function withQuotaContest(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  const seekers = seekersIn(foreseen);
  if (seekers.size === 0) return [...foreseen];
  return foreseen.map((one) => {
    const others = seekers.get(one.vmi.metadata.namespace) ?? [];
    return others.length > 0 && RESTARTING.has(one.ending.outcome) && isRefused(context, one, others)
      ? told(one, others)
      : one;
  });
}

const RESTARTING: ReadonlySet<Outcome> = new Set(['Restarts', 'MayStayOff']);

/** Those whose migrations are tried for ever, by namespace. */
export function seekersIn(
  foreseen: readonly Foreseen[],
): ReadonlyMap<string | undefined, readonly Foreseen[]> {
  const seekers = foreseen.filter(({ ending }) => ending.outcome === 'NeverCompletes');
  return groupBy(seekers, ({ vmi }) => vmi.metadata.namespace);
}

/** Whether the quotas have no place for its new launcher once the targets of the others are there. */
function isRefused(context: Context, { vmi }: Foreseen, others: readonly Foreseen[]): boolean {
  const { fleet, world, settings, behavior } = context;
  const quotas = fleet.quotasIn(vmi.metadata.namespace ?? '');
  if (quotas.length === 0) return false;
  const launcher = (one: Foreseen['vmi']): Pod | undefined => fleet.launcherPodOf(one);
  const coming = others.flatMap((other) => launcher(other.vmi) ?? []);
  const question = { pod: launcher(vmi), vmi, purpose: 'restart', world, quotas, coming } as const;
  return judgePlacement({ ...question, settings, behavior, limit: 1 }).quota !== undefined;
}

function told({ vmi, trail, ending }: Foreseen, others: readonly Foreseen[]): Foreseen {
  const names = others.map((other) => keyOf(other.vmi));
  trail.note('quota after others', 'QuotaContested', `${someOf(names)} may take its place meanwhile`, [
    { object: 'this action', path: 'migrations that are tried for ever', value: names },
  ]);
  const when = `should the migration of ${someOf(names)} take its place in the quota before it is back, it waits until there is one`;
  return { vmi, trail, ending: orElse(ending, 'Waits', when) };
}

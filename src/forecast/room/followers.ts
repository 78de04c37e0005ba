import { affinityTerms, selects } from '../../decide/placement/affinity-terms.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import type { Context } from '../context.ts';
import { orElse } from '../ending.ts';
import type { Foreseen } from '../foreseen.ts';
import { mannerOf } from './manner.ts';

/**
 * VMs that must be beside others, and that no node takes as things stand: they may follow those that come to another node. The verdict
 * stays what it is, and tells that too. `beside`: VMs that go whatever the action does.
 */
export function withFollowers(
  context: Context,
  foreseen: readonly Foreseen[],
  beside: readonly Foreseen[],
): Foreseen[] {
  const all = [...foreseen, ...beside];
  return foreseen.map((one) => {
    const leaders = lacksNode(one) ? leadersOf(context, one, all) : [];
    if (leaders.length === 0) return one;
    const when = `should ${someOf(leaders)} come to a node that takes it, it follows`;
    return { ...one, ending: orElse(one.ending, 'Moves', when) };
  });
}

function lacksNode({ ending }: Foreseen): boolean {
  return ending.outcome === 'NeverCompletes' && ending.reason === 'NoNodeFits';
}

/** Those that go elsewhere, and beside whom it must be. */
function leadersOf({ fleet, world }: Context, one: Foreseen, all: readonly Foreseen[]): string[] {
  const pod = fleet.launcherPodOf(one.vmi);
  const terms = pod ? affinityTerms(pod) : [];
  if (!pod || terms.length === 0) return [];
  const leaders = all.filter(({ vmi, ending }) => {
    const other = vmi === one.vmi ? undefined : fleet.launcherPodOf(vmi);
    const goes = mannerOf(ending) === 'moves' || mannerOf(ending) === 'restarts';
    return other !== undefined && goes && terms.some((term) => selects(term, pod, other, world));
  });
  return leaders.map(({ vmi }) => keyOf(vmi));
}

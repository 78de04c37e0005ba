import { judgePlacement, type Placement } from '../../decide/placement/placement.ts';
import type { NamedView } from '../../decide/placement/world.ts';
import { groupBy } from '../../kubevirt/group-by.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { isHotplugPod, keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import { unlessOutOfReach } from '../chains/migration.ts';
import type { Context } from '../context.ts';
import { clauseOf, type Ending, orElse } from '../ending.ts';
import type { Foreseen } from '../foreseen.ts';
import { contestedWait, noteLeavers, waiting, withoutPromise } from './contest-words.ts';
import { launchersOf } from './departed.ts';
import { isGoneForSure, isWithoutLauncher, mannerOf } from './manner.ts';
import { seekersIn } from './quota-contest.ts';

/**
 * VMs whose quota has no place for the target of their migration, while others of their namespace go: they move after those that go for
 * good. Those that start again are away for a moment only, and may be back first. To a quota a VM that moves is the same before
 * and after. `world`: the nodes without those that leave them.
 */
export function withQuotaOfOthers(
  context: Context,
  foreseen: readonly Foreseen[],
  world: NamedView,
): Foreseen[] {
  const going = new Map(
    [...groupBy(foreseen, namespaceOf)].map(([namespace, here]) => [namespace, goingIn(here)]),
  );
  return foreseen.map((one) => {
    const others = lacksQuota(one.ending) ? going.get(namespaceOf(one)) : undefined;
    return others ? afterOthersGo(context, others, one, world) : one;
  });
}

/** Migrations that are tried for ever may take every place that a quota gets, one after another. */
export function withSeekersOfQuotas(before: readonly Foreseen[], told: readonly Foreseen[]): Foreseen[] {
  const seekers = seekersIn(told);
  return told.map((one, index) => {
    const isSought = (seekers.get(one.vmi.metadata.namespace)?.length ?? 0) > 0;
    const lackedQuota = before[index] && lacksQuota(before[index].ending);
    return isSought && lackedQuota ? withoutPromise(one) : one;
  });
}

function lacksQuota({ outcome, reason }: Ending): boolean {
  return outcome === 'NeverCompletes' && reason === 'QuotaExceeded';
}

function namespaceOf({ vmi }: Foreseen): string | undefined {
  return vmi.metadata.namespace;
}

/** Those of one namespace that go. */
interface Going {
  readonly away: readonly Foreseen[];
  readonly awayForSure: readonly Foreseen[];
  /** They start again. */
  readonly moments: readonly Foreseen[];
}

function goingIn(here: readonly Foreseen[]): Going {
  const away = here.filter(({ ending }) => isWithoutLauncher(ending));
  return {
    away,
    awayForSure: away.filter(({ ending }) => isGoneForSure(ending)),
    moments: here.filter(({ ending }) => isAwayForAMoment(ending)),
  };
}

function afterOthersGo(
  context: Context,
  { away, awayForSure, moments }: Going,
  one: Foreseen,
  world: NamedView,
): Foreseen {
  const attachments = attachmentPods(context, one.vmi.metadata.namespace ?? '');
  const place = (leavers: readonly Foreseen[], pods: readonly Pod[] = attachments) =>
    placeFor(context, one, world, [...launchersOf(context, leavers), ...pods]);
  if (isFree(place(away))) return afterThose(context, one, away, attachments, isFree(place(awayForSure, [])));
  const going = [...away, ...moments];
  const inTheEnd = place(going);
  if (isFree(inTheEnd)) return duringThose(one, moments);
  return inTheEnd.quota === undefined ? onlyGivenUp(one, going) : one;
}

function isFree({ fitsNow, quota }: Placement): boolean {
  return fitsNow.length > 0 && quota === undefined;
}

/** Its target is made, and no node takes it. */
function onlyGivenUp(one: Foreseen, going: readonly Foreseen[]): Foreseen {
  const { afterwards } = one.ending;
  if (!afterwards) return one;
  const names = someOf(going.map(({ vmi }) => keyOf(vmi)).sort());
  const when = `should ${names} leave the quota a place, no node takes its target; when that is given up, it ${clauseOf(afterwards)}`;
  return { ...one, ending: orElse(one.ending, 'ShutDown', when) };
}

/** CAPK, where its migration fails, deletes the VMI after all. */
function isAwayForAMoment(ending: Ending): boolean {
  if (ending.reason === 'Starting') return false;
  if (ending.outcome === 'StaysOff') return !isWithoutLauncher(ending);
  if (ending.outcome === 'Restarts') return true;
  const isDeleted = mannerOf(ending) === 'restarts' || ending.reason === 'CapkMayMigrate';
  return ending.outcome === 'HandedOver' && isDeleted;
}

function placeFor(context: Context, { vmi }: Foreseen, world: NamedView, leaving: readonly Pod[]): Placement {
  const { fleet, settings, behavior } = context;
  const pod = fleet.launcherPodOf(vmi);
  const coming = pod ? fleet.hotplugPodsOf(pod) : [];
  const quotas = fleet.quotasIn(vmi.metadata.namespace ?? '');
  const question = { pod, vmi, purpose: 'migration-target', world, quotas, coming, leaving } as const;
  return judgePlacement({ ...question, settings, behavior, limit: 1 });
}

/** A drain evicts them too, sooner or later, and their quota has room until others are made. */
function attachmentPods({ fleet, world }: Context, namespace: string): Pod[] {
  const there = [...world.cordoned].flatMap((node) => fleet.podsOn(node));
  return there.filter((pod) => isHotplugPod(pod) && pod.metadata.namespace === namespace);
}

function afterThose(
  context: Context,
  one: Foreseen,
  away: readonly Foreseen[],
  attachments: readonly Pod[],
  isSure: boolean,
): Foreseen {
  const pods = attachments.map((pod) => `pod ${keyOf(pod)}`);
  const names = [...away.map(({ vmi }) => keyOf(vmi)), ...pods].sort();
  noteLeavers(one.trail, names);
  const ending = waiting(one.ending, names);
  const sure = () => unlessOutOfReach(context, one.vmi, one.trail, ending);
  return { ...one, ending: isSure ? sure() : contestedWait(ending, false) };
}

function duringThose(one: Foreseen, moments: readonly Foreseen[]): Foreseen {
  const names = moments.map(({ vmi }) => keyOf(vmi)).sort();
  noteLeavers(one.trail, names);
  const while_ = `while ${names.length === 1 ? 'that is' : 'those are'} shut down`;
  const when = `should it take the place of ${someOf(names)} ${while_}, it goes`;
  return { ...one, ending: orElse(one.ending, 'Moves', when) };
}

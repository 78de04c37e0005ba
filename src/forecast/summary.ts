import type { DrainClient } from '../decide/drain/clients.ts';
import { isLauncherPod, isPodFinished } from '../kubevirt/predicates.ts';
import { counted } from '../kubevirt/words.ts';
import type { Ending } from './ending.ts';
import type { Later, Outcome, RoundMoves, VmVerdict } from './forecast.ts';
import type { DrainedNode } from './plans/drain/drained-node.ts';

type Counts = Readonly<Record<Outcome, number>>;

/** Outcomes in which the guest is interrupted. */
const INTERRUPTED: readonly Outcome[] = ['Restarts', 'StaysOff', 'MayStayOff', 'Cut'];
/** Outcomes in which what was asked for is not reached by itself. */
const STUCK: readonly Outcome[] = ['Blocks', 'NeverCompletes'];

function sum(counts: Counts, outcomes: readonly Outcome[]): number {
  return outcomes.reduce((total, outcome) => total + counts[outcome], 0);
}

function shutDown(counts: Counts): string[] {
  const interrupted = sum(counts, INTERRUPTED);
  return interrupted > 0 ? [`${counted(interrupted, 'VM')} ${is(interrupted)} shut down`] : [];
}

function moved({ LiveMigrates: count }: Counts): string[] {
  return count > 0 ? [`${counted(count, 'VM')} live-${count === 1 ? 'migrates' : 'migrate'}`] : [];
}

function notJudged({ Unknown: count }: Counts): string[] {
  return count > 0 ? [`${counted(count, 'VM')} cannot be judged`] : [];
}

/** The answer to an upgrade in one sentence: first what stays behind, then what is interrupted, then what just moves. */
export function summarizeUpgrade(counts: Counts): string {
  const stuck = sum(counts, STUCK);
  const parts = [
    ...(stuck > 0 ? [`the roll-out does not finish: ${counted(stuck, 'VM')} cannot be updated`] : []),
    ...shutDown(counts),
    ...(counts.HandedOver > 0
      ? [`${counted(counts.HandedOver, 'VM')} ${is(counts.HandedOver)} left to another controller`]
      : []),
    ...(counts.Deferred > 0
      ? [`${counted(counts.Deferred, 'VM')} ${counts.Deferred === 1 ? 'waits' : 'wait'}`]
      : []),
    ...notJudged(counts),
    ...moved(counts),
  ];
  return sentence(parts.length > 0 ? parts.join('; ') : 'nothing happens to any VM');
}

/** The answer to a drain: does it end, and at whose cost. `isPart`: other VMs, which are not counted, may keep it from ending. */
export function summarizeDrain(
  counts: Counts,
  client: DrainClient,
  nodes: readonly Pick<DrainedNode, 'errors' | 'pods'>[],
  isPart: boolean,
): string {
  const [cost = 'no VM is shut down'] = shutDown(counts);
  if (nodes.some(({ errors }) => errors.length > 0)) return sentence(`${refusalOf(client)}; ${cost}`);
  if (counts.Cut > 0)
    return sentence(`the node goes down with ${counted(counts.Cut, 'VM')} still on it; ${cost}`);
  const end = client.name === 'descheduler' ? endOfCycle(counts, nodes) : endOf(counts, 'drain', isPart);
  return sentence(`${end}; ${cost}`);
}

/** A descheduler has no end: it evicts what it may, and tries again what it was refused. */
function endOfCycle(counts: Counts, nodes: readonly Pick<DrainedNode, 'pods'>[]): string {
  const launchers = nodes.flatMap(({ pods }) => pods).filter(({ pod }) => isLauncherPod(pod));
  const passed = launchers.filter(({ pod, selected }) => !selected.selected && !isPodFinished(pod)).length;
  const refused = sum(counts, STUCK) + counts.HandedOver + counts.Deferred;
  const does = [
    ...(passed > 0 ? [`passes over ${counted(passed, 'VM')}`] : []),
    ...(refused > 0 ? [`is refused ${counted(refused, 'VM')} in every cycle`] : []),
  ];
  return [`the descheduler ${does.join(' and ') || 'evicts what it may'}`, ...notJudged(counts)].join('; ');
}

function refusalOf({ name }: DrainClient): string {
  return name === 'cluster-autoscaler'
    ? 'the autoscaler does not take the node down'
    : 'the drain stops before it evicts anything';
}

function endOf(counts: Counts, what: 'drain' | 'round', isPart: boolean): string {
  const endless = counts.NeverCompletes + counts.HandedOver + counts.Deferred;
  if (counts.Blocks > 0) {
    const refuse = counts.Blocks === 1 ? 'refuses' : 'refuse';
    return `the ${what} does not finish: ${counted(counts.Blocks, 'VM')} ${refuse} eviction for as long as nothing changes`;
  }
  if (endless > 0)
    return `the ${what} does not finish by itself: ${counted(endless, 'VM')} ${endless === 1 ? 'stays' : 'stay'} on ${what === 'drain' || endless === 1 ? 'the node' : 'their nodes'}`;
  const [unjudged] = notJudged(counts);
  if (unjudged) return `whether the ${what} finishes cannot be told: ${unjudged}`;
  return isPart ? `none of these VMs keeps the ${what} from finishing` : `the ${what} finishes`;
}

/** The answer to a maintenance round: does it end, how often are VMs moved, and who is interrupted. `isPart` as of a drain. */
export function summarizeRound(
  counts: Counts,
  { mostMoves, totalMoves }: RoundMoves,
  isPart: boolean,
): string {
  const moved =
    totalMoves === 0
      ? 'no VM moves'
      : `${counted(totalMoves, 'move')} in all, at most ${mostMoves} of any VM`;
  const [cost = 'no VM is shut down'] = shutDown(counts);
  return sentence(`${endOf(counts, 'round', isPart)}; ${moved}; ${cost}`);
}

/** The answer to single eviction requests. */
export function summarizeEvictions(counts: Counts): string {
  const parts = [
    ...(counts.Blocks > 0 ? [`${counted(counts.Blocks, 'eviction')} ${is(counts.Blocks)} refused`] : []),
    ...shutDown(counts),
    ...moved(counts),
    ...(counts.HandedOver > 0
      ? [`${counted(counts.HandedOver, 'VM')} ${is(counts.HandedOver)} only marked`]
      : []),
    ...(counts.NeverCompletes > 0 ? [`${counted(counts.NeverCompletes, 'VM')} would move and cannot`] : []),
    ...notJudged(counts),
  ];
  return sentence(parts.length > 0 ? parts.join('; ') : 'nothing happens to any VM');
}

/** Reasons for which a VM goes on as it is after an edit of its template. */
const EDITED: Readonly<Record<string, string>> = {
  RestartRequired: 'the VM keeps running as it is; the edit counts from its next restart',
  NotRunning: 'the VM does not run; the edit counts from its next start',
  NoChange: 'the edit changes nothing',
};

/** The answer to an edit of one VM. */
export function summarizeEdit({ outcome, reason }: Ending, counts: Counts): string {
  if (outcome === 'Deferred') return sentence('the edit is not taken up for now');
  const says = outcome === 'Untouched' ? EDITED[reason] : undefined;
  return says ? sentence(says) : summarizeEvictions(counts);
}

const OCCASIONS: readonly Later['when'][] = [
  'next drain',
  'next upgrade',
  'next restart',
  'drain after its next restart',
];

/** The answer to a change of the configuration: what it does now, and on which later occasion to how many VMs. */
export function summarizeConfig(counts: Counts, vms: readonly VmVerdict[]): string {
  const now = vms.length - counts.Untouched - counts.Unknown;
  const later = OCCASIONS.flatMap((when) => {
    const changed = vms.filter((vm) =>
      vm.later?.some((one) => one.when === when && one.before !== one.after),
    ).length;
    return changed > 0 ? [`at the ${when}: ${counted(changed, 'VM')}`] : [];
  });
  const first =
    now > 0 ? `the change acts on ${counted(now, 'VM')} now` : 'the change does nothing to any VM now';
  return sentence(
    [
      first,
      ...(later.length > 0 ? [`it changes what happens ${later.join(', ')}`] : ['nor later']),
      ...notJudged(counts),
    ].join('; '),
  );
}

function is(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

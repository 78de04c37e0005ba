import type { Fleet } from '../../fleet/fleet.ts';
import { groupBy } from '../../kubevirt/group-by.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { assemble } from '../assemble.ts';
import { foreseeAnyway } from '../chains/anyway.ts';
import { foreseeNewlyEvacuated } from '../chains/newly-evacuated.ts';
import { foreseeRefusedStart } from '../chains/next-vmi.ts';
import { foreseeInLine } from '../chains/under-way.ts';
import { foreseeUpdate } from '../chains/update.ts';
import { type Context, contextOf, type ForecastOptions } from '../context.ts';
import { clauseOf, type Ending, verdictOf } from '../ending.ts';
import type { Forecast, Later, VmVerdict } from '../forecast.ts';
import { type Follow, type Foreseen, foreseeEach } from '../foreseen.ts';
import { launcherImageToday } from '../launcher-image.ts';
import { afterOthers } from '../others/after-others.ts';
import { withNodesAhead } from '../others/nodes-ahead.ts';
import { QuestionError } from '../question-error.ts';
import type { ConfigQuestion } from '../questions.ts';
import { isInScope } from '../scope.ts';
import { summarizeConfig } from '../summary.ts';
import { Trail } from '../trail.ts';
import { unseenVerdicts } from '../unseen.ts';
import { changedKubevirt } from './config/changed-kubevirt.ts';
import { Occasions } from './config/occasions.ts';
import { configWarnings } from './config/warnings.ts';

/**
 * What a change of the KubeVirt CR does to every VM: at once, at the next drain of its node, at the next upgrade, and at a
 * drain after its next restart, when it takes over a changed cluster strategy; at the restart itself where that is refused.
 */
export function planConfig(fleet: Fleet, question: ConfigQuestion, options: ForecastOptions): Forecast {
  const kubevirt = fleet.kubevirt();
  if (!kubevirt) throw new QuestionError('NoKubeVirt', 'no KubeVirt CR in the input', 'Dump kubevirts too.');
  const before = contextOf(fleet, options, kubevirt);
  // Nobody is elsewhere for the change: what is worked out of nodes and pods serves both.
  const after = { ...contextOf(fleet, options, changedKubevirt(kubevirt, question)), world: before.world };
  const occasions = { before: new Occasions(before), after: new Occasions(after) };
  const ends = { before: endsNow(before, before), after: endsNow(before, after) };
  const vmis = [...fleet.all('VirtualMachineInstance')]
    .filter((vmi) => isInScope(fleet, after.scope, vmi))
    .sort(byKey);
  // Node by node, since no more than the drain of one is kept.
  const byNode = [...groupBy(vmis, ({ status }) => status?.nodeName).values()].flat();
  const judged = byNode.map((vmi) => judge(vmi, { before, after, occasions, ends }));
  const verdicts = [...judged, ...unseenVerdicts(after)];
  return assemble(after, {
    action: 'config',
    title: `change the KubeVirt configuration · ${counted(vmis.length, 'VM')}`,
    parameters: { change: question },
    verdicts,
    summarize: (counts) => summarizeConfig(counts, verdicts),
    warnings: configWarnings(before, after),
  });
}

interface BeforeAndAfter<Of> {
  readonly before: Of;
  readonly after: Of;
}

interface Change extends BeforeAndAfter<Context> {
  readonly occasions: BeforeAndAfter<Occasions>;
  readonly ends: BeforeAndAfter<ReadonlyMap<Vmi, Foreseen>>;
}

/**
 * What becomes of every VM at once, whatever the scope: they ask for the same room, and a change may set many of them going. Those that
 * go anyway are among them, since others may leave room for them or take it.
 */
function endsNow(before: Context, context: Context): ReadonlyMap<Vmi, Foreseen> {
  const follow: Follow = (so, vmi, trail) => {
    const evacuated = foreseeNewlyEvacuated(before, so, vmi, trail);
    if (evacuated) return evacuated;
    const updated = foreseeUpdate(so, vmi, launcherImageToday(so.fleet, vmi), trail);
    const isThere = vmi.status?.nodeName !== undefined && vmi.metadata.deletionTimestamp === undefined;
    const isLeftAlone = updated.outcome === 'Untouched' && isThere;
    return (isLeftAlone ? (foreseeAnyway(so, vmi, trail) ?? foreseeInLine(so, vmi)) : undefined) ?? updated;
  };
  const foreseen = foreseeEach(context, context.fleet.all('VirtualMachineInstance'), follow);
  const settled = withNodesAhead(context, afterOthers(context, foreseen, []));
  return new Map(settled.map((one) => [one.vmi, one]));
}

function judge(vmi: Vmi, { before, after, occasions, ends }: Change): VmVerdict {
  const { ending: now, trail } = known(ends.after, vmi);
  const isSame = isSameEnding(known(ends.before, vmi).ending, now);
  const later = [
    occasion(vmi, 'next drain', occasions.before.drain(vmi), occasions.after.drain(vmi)),
    occasion(vmi, 'next upgrade', occasions.before.upgrade(vmi), occasions.after.upgrade(vmi)),
    restarted(vmi, { before, after }, occasions),
  ];
  const ending = isSame ? unchangedNow(vmi, later, restart(after, vmi)) : now;
  return { ...verdictOf(vmi, ending, trail), later };
}

function known(ends: ReadonlyMap<Vmi, Foreseen>, vmi: Vmi): Foreseen {
  const one = ends.get(vmi);
  if (!one) throw new Error(`${keyOf(vmi)} has no ending`);
  return one;
}

function isSameEnding(a: Ending, b: Ending): boolean {
  return a.outcome === b.outcome && a.reason === b.reason && String(a.otherwise) === String(b.otherwise);
}

/** The drain after its next restart; the restart itself where it does not come back from that, before the change or with it. */
function restarted(
  vmi: Vmi,
  contexts: BeforeAndAfter<Context>,
  { before, after }: BeforeAndAfter<Occasions>,
): Later {
  const refused = { before: restart(contexts.before, vmi), after: restart(contexts.after, vmi) };
  if (refused.before || refused.after)
    return occasion(vmi, 'next restart', refused.before ?? COMES_BACK, refused.after ?? COMES_BACK);
  const when = 'drain after its next restart';
  return occasion(vmi, when, before.drainOnceRestarted(vmi), after.drainOnceRestarted(vmi));
}

function restart(context: Context, vmi: Vmi): Ending | undefined {
  return foreseeRefusedStart(context, vmi, new Trail(false), 'is shut down');
}

const COMES_BACK: Ending = {
  outcome: 'Restarts',
  reason: 'NewVmi',
  says: 'comes back from a restart',
};

function occasion(vmi: Vmi, when: Later['when'], before: Ending, after: Ending): Later {
  return { when, before: before.outcome, after: after.outcome, message: `${keyOf(vmi)} ${clauseOf(after)}` };
}

function unchangedNow(vmi: Vmi, later: readonly Later[], refused: Ending | undefined): Ending {
  const changed = later.filter(({ before, after }) => before !== after);
  const told = changed.map(({ when, before, after }) => `${when}: ${before} → ${after}`).join('; ');
  if (changed.length === 0) {
    return { outcome: 'Untouched', reason: 'NotAffected', says: 'is not affected, now or later' };
  }
  if (refused) return { ...refused, outcome: 'Untouched', says: `is not affected now; ${told}` };
  const isOnlyStamp = changed.every(({ when }) => when === 'drain after its next restart');
  if (!isOnlyStamp)
    return { outcome: 'Untouched', reason: 'ChangesLater', says: `is not affected now; ${told}` };
  const strategy = vmi.spec?.evictionStrategy ?? 'none';
  return {
    outcome: 'Untouched',
    reason: 'StrategyStampedBeforeChange',
    says: `keeps the strategy ${strategy} that it was stamped with when it was created, until it restarts; ${told}`,
    remedies: [
      `Restart it once for the new strategy: virtctl restart ${vmi.metadata.name} -n ${vmi.metadata.namespace}`,
    ],
  };
}

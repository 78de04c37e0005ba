import { type Decision, resultOf } from '../../decide/rules.ts';
import { type Category, type CategoryInput, categoryTable } from '../../decide/workload-update/categorise.ts';
import { type GateInput, gateTable } from '../../decide/workload-update/gates.ts';
import { outdated } from '../../decide/workload-update/staleness.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { isFinal, isPodFinished } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import { clauseOf, type Ending, orElse, unknown } from '../ending.ts';
import { whyNotMigratable } from '../not-migratable.ts';
import { Trail } from '../trail.ts';
import { foreseeAnyway } from './anyway.ts';
import { foreseeEviction } from './eviction.ts';
import { foreseeMarkedBefore, orReplacedMeanwhile } from './external.ts';
import { onceItRuns, startedAnew } from './later-vmi.ts';
import { closedCap, foreseeMigration } from './migration.ts';
import { type Visit, withSecondMove } from './second-move.ts';
import { foreseeUnderWay, hasBegun, orDoneBefore } from './under-way.ts';

/** Follows the workload updater on one VMI: what it does about it, what comes of that, and what it does again. */
export function foreseeUpdate(context: Context, vmi: Vmi, launcherImage: string, trail: Trail): Ending {
  const visit: Visit = { context, vmi, launcherImage, trail };
  const first = foreseeNext(visit);
  return withSecondMove(visit, first, (arrived) => foreseeLater(visit, arrived));
}

/** The next visit, when the VMI is as given: whatever migrates it now has ended. */
function foreseeLater(visit: Visit, vmi: Vmi): Ending {
  return foreseeNext({ ...visit, vmi, trail: new Trail(false) }, []);
}

function foreseeNext(
  visit: Visit,
  unfinishedMigrations = visit.context.fleet.unfinishedMigrationsOf(visit.vmi),
): Ending {
  const { context, vmi, launcherImage, trail } = visit;
  const category = askCategory(visit, unfinishedMigrations);
  if (category.reason === 'BeingDeleted') return whileDeleted(visit, category);
  if (category.reason === 'NotRunning') return whileStarting(visit, category);
  if (category.result.action === 'abort') return orDoneBefore(context, vmi, untouched(visit, category));
  if (!category.result.counted) return untouched(visit, category);
  const handedOver = foreseeMarkedBefore(context, vmi, trail);
  if (handedOver) return handedOver;
  const closed = closedGate(context, trail);
  if (closed) return closed;
  const cause = outdated(vmi, launcherImage)
    ? { reason: 'LauncherOutdated', lead: 'has an outdated launcher and' }
    : { reason: 'LiveUpdatePending', lead: 'has a live update pending and' };
  switch (category.result.action) {
    case 'migrate':
      return withoutPlaces(context, cause.lead) ?? foreseeMigration(context, vmi, trail, cause);
    case 'evict':
      return context.settings.batchEvictionSize > 0
        ? foreseeEviction(context, vmi, trail, { isMoved: unfinishedMigrations.length === 0 })
        : deferred('NoEvictionPlaces', 'waits: batchEvictionSize allows no eviction at all');
    case 'wait':
      return waiting(visit, category);
  }
}

/** Whether the updater evicts a VMI, now or once its guest runs. */
export function isDueForEviction(context: Context, vmi: Vmi, launcherImage: string): boolean {
  const { kubevirt, now, settings } = context;
  if (settings.batchEvictionSize <= 0 || !resultOf(gateTable, { kubevirt, now }).open) return false;
  const pod = vmi.status?.phase === 'Running' || isFinal(vmi) ? undefined : context.fleet.launcherPodOf(vmi);
  const running = pod ? onceItRuns(context, vmi, pod) : vmi;
  return resultOf(categoryTable, categoryInput(context, running, launcherImage, [])).action === 'evict';
}

function askCategory(
  { context, vmi, launcherImage, trail }: Visit,
  unfinishedMigrations: readonly Migration[],
): Decision<Category> {
  const input = categoryInput(context, vmi, launcherImage, unfinishedMigrations);
  return trail.ask('workload updater', categoryTable, input, ({ result }) => CATEGORY_WORDS[result.action]);
}

function categoryInput(
  { settings, now, behavior }: Context,
  vmi: Vmi,
  launcherImage: string,
  unfinishedMigrations: readonly Migration[],
): CategoryInput {
  const methods = settings.workloadUpdateMethods;
  return { vmi, launcherImage, methods, unfinishedMigrations, now, behavior };
}

const CATEGORY_WORDS: Record<Category['action'], string> = {
  ignore: 'left alone, not counted as outdated',
  abort: 'its own unfinished migration is deleted',
  migrate: 'a migration is created',
  evict: 'its launcher pod is evicted, in batches',
  wait: 'counted as outdated, and left alone',
};

const UNTOUCHED_WORDS: Record<string, string> = {
  NotRunning: 'is not running, and is left alone until it is',
  BeingDeleted: 'is being deleted already',
  ChangeWithdrawn: 'stays where it is: the update migration under way has lost its purpose and is aborted',
  LauncherImageUnknown:
    'is left alone: the image of its launcher is not known yet, it may be starting or moving',
  UpToDate: 'is up to date',
};

function untouched({ vmi, launcherImage }: Visit, { reason }: Decision<Category>): Ending {
  const says = UNTOUCHED_WORDS[reason] ?? `is left alone (${reason})`;
  const isCurrent = vmi.status?.launcherContainerImageVersion === launcherImage;
  return {
    outcome: 'Untouched',
    reason,
    says: reason === 'UpToDate' && isCurrent ? `${says}: its launcher runs ${launcherImage}` : says,
  };
}

/** Its launcher is there, and is measured as soon as its guest runs. */
function whileStarting(visit: Visit, category: Decision<Category>): Ending {
  const { context, vmi } = visit;
  const ending = untouched(visit, category);
  const pod = context.fleet.launcherPodOf(vmi);
  if (!pod || isPodFinished(pod) || isFinal(vmi)) return ending;
  return metAgain(foreseeLater(visit, onceItRuns(context, vmi, pod)), ending, 'once it runs');
}

/** Its VM may start again with the launcher of today, which the roll-out then finds outdated like any other. */
function whileDeleted(visit: Visit, category: Decision<Category>): Ending {
  const { context, vmi } = visit;
  const ending = orReplacedMeanwhile(context, vmi, untouched(visit, category));
  const after = foreseeAnyway(context, vmi, new Trail(false));
  if (after?.outcome !== 'Restarts' && after?.outcome !== 'MayStayOff') return ending;
  const next = foreseeLater(visit, startedAnew(context, vmi));
  return metAgain(next, ending, 'should it start again before its launcher is a new one');
}

/** The roll-out finds it once more, as it is by then. */
function metAgain(next: Ending, ending: Ending, when: string): Ending {
  if (next.outcome === 'Untouched') return ending;
  return { ...orElse(ending, 'MetAgain', `${when}, it ${clauseOf(next)}`), metLater: next };
}

/** A closed gate holds everything back, and so does a KubeVirt CR that is not there to be read. */
function closedGate(context: Context, trail: Trail): Ending | undefined {
  const input: GateInput = { kubevirt: context.kubevirt, now: context.now };
  const gate = trail.ask('gates of the updater', gateTable, input, ({ result }) =>
    result.open ? 'the updater may act' : 'the updater does nothing at all',
  );
  if (gate.result.open) return undefined;
  if (gate.reason === 'KubeVirtMissing') return unknown(trail, 'the KubeVirt CR', 'Dump kubevirts too.');
  const compared = gate.evidence.map(({ path, value }) => `${path} is ${value ?? 'empty'}`).join(', ');
  return {
    ...deferred(gate.reason, `waits until KubeVirt is rolled out: ${compared}`),
    remedies: ['Let virt-operator finish, or find out what keeps it: kubectl get kubevirt -A -o yaml'],
  };
}

/** The updater knows one of the caps; for the other, its migration is created and never begins. */
function withoutPlaces({ settings }: Context, lead: string): Ending | undefined {
  const cap = closedCap(settings);
  if (!cap) return undefined;
  if (cap === UPDATERS_CAP) return deferred('NoMigrationPlaces', `waits: ${cap} allows no migration at all`);
  return {
    outcome: 'NeverCompletes',
    reason: 'NoMigrationPlaces',
    lead,
    says: `has a migration created that waits for ever: ${cap} lets none begin`,
    remedies: [`Set ${cap} of the KubeVirt CR to more than 0.`],
  };
}

const UPDATERS_CAP = 'parallelMigrationsPerCluster';

function deferred(reason: string, says: string): Ending {
  return { outcome: 'Deferred', reason, says };
}

function waiting({ context, vmi, launcherImage, trail }: Visit, { reason }: Decision<Category>): Ending {
  if (reason !== 'NoMethodApplies') {
    const stuckInLine = hasBegun(context.fleet, vmi)
      ? undefined
      : withoutPlaces(context, 'has a migration under way and');
    return stuckInLine ?? foreseeUnderWay(context, vmi, trail);
  }
  const what = outdated(vmi, launcherImage)
    ? 'its launcher stays outdated'
    : 'its pending change stays pending';
  const methods = context.settings.workloadUpdateMethods;
  const given = methods.length > 0 ? `only ${methods.join(' and ')} is set` : 'no method is set';
  const why = methods.length > 0 ? `${given}, and ${whyNotMigratable(vmi)}` : given;
  return {
    outcome: 'Untouched',
    reason,
    says: `is left alone and ${what}: ${why}`,
    remedies: ['Restart it when it suits, or add a method to workloadUpdateMethods.'],
  };
}

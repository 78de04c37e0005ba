import { isLeaving } from '../../controllers/leaving.ts';
import type { StrategySource } from '../../controllers/strategy.ts';
import { decide } from '../../decide/rules.ts';
import { formatVersion } from '../../decide/versions.ts';
import { type CategoryInput, categoryTable } from '../../decide/workload-update/categorise.ts';
import { gateTable } from '../../decide/workload-update/gates.ts';
import type { Survey } from '../../decide/workload-update/survey.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { Rollout } from '../../fleet/rollout.ts';
import { MIGRATION_PHASE } from '../../kubevirt/names.ts';
import type { KubeVirt, Migration, Vmi } from '../../kubevirt/objects.ts';
import { byKey, oldestFirst } from '../../kubevirt/order.ts';
import { isFinal, isMigrationFinal, isRunning, keyOf } from '../../kubevirt/predicates.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { foreseeUpdate } from '../chains/update.ts';
import { type Context, contextOf, type ForecastOptions } from '../context.ts';
import type { VmVerdict } from '../forecast.ts';
import { foreseeEach, verdictsOf } from '../foreseen.ts';
import { deployedLauncherImage, launcherImageToday, NEW_LAUNCHER } from '../launcher-image.ts';
import { QuestionError } from '../question-error.ts';
import { isInScope } from '../scope.ts';
import { lacksVmis } from '../unseen.ts';
import { paceOf, secondsLeft } from './pace.ts';
import type { RolloutStatus, VmStanding } from './report.ts';
import { type Standing, standingTable } from './standing.ts';
import { countsOf, summaryOf } from './summary.ts';

export interface StatusQuestion {
  /** What launchers are to run; what the Deployment says where absent, and the VMIs' labels where that is not known. */
  readonly launcherImage?: string | undefined;
  /** Drover's own strategy, in place of the KubeVirt CR's. */
  readonly strategy?: StrategySource | undefined;
}

/**
 * How far a roll-out is: every running VMI of the scope with what is under way for it, what it waits for, or what keeps it.
 *
 * Promise: VMs by namespace and name; the order of the objects changes nothing. Time left is told by the pace of the whole cluster,
 * for the VMs of the scope.
 */
export function rolloutStatus(
  fleet: Fleet,
  question: StatusQuestion,
  options: ForecastOptions,
): RolloutStatus {
  requireVmis(fleet);
  const context = contextOf(fleet, options, kubevirtUnder(question.strategy, fleet.kubevirt()));
  const inScope = [...fleet.all('VirtualMachineInstance')]
    .filter((vmi) => !isFinal(vmi) && isInScope(fleet, context.scope, vmi))
    .sort(byKey);
  const launcherImage = question.launcherImage ?? deployedLauncherImage(fleet);
  const vms = standingsOf(context, inScope.filter(isRunning), launcherImage);
  return reportOn(context, launcherImage, vms, inScope.length - vms.length);
}

/** Running VMs without a VMI in the input are not "no running VM". */
function requireVmis(fleet: Fleet): void {
  if (!lacksVmis(fleet)) return;
  throw new QuestionError(
    'UnknownVm',
    'VMs run, but no VirtualMachineInstance is in the input',
    'Dump VMIs too.',
  );
}

function kubevirtUnder(
  strategy: StrategySource | undefined,
  kubevirt: KubeVirt | undefined,
): KubeVirt | undefined {
  if (!kubevirt || strategy?.kind !== 'own') return kubevirt;
  const workloadUpdateStrategy = {
    workloadUpdateMethods: [...strategy.methods],
    batchEvictionSize: strategy.batchEvictionSize,
    batchEvictionInterval: `${strategy.batchEvictionIntervalSeconds}s`,
  };
  return { ...kubevirt, spec: { ...kubevirt.spec, workloadUpdateStrategy } };
}

function standingsOf(
  context: Context,
  vmis: readonly Vmi[],
  launcherImage: string | undefined,
): VmStanding[] {
  const imageOf = (vmi: Vmi): string => launcherImage ?? launcherImageToday(context.fleet, vmi);
  const categories = new Map(
    vmis.map((vmi) => [vmi, decide(categoryTable, categoryInput(context, vmi, imageOf(vmi)))]),
  );
  const toDo = vmis.filter((vmi) => {
    const result = categories.get(vmi)?.result;
    return result?.counted && !(result.action === 'wait' && result.waitsFor !== 'method');
  });
  const foreseen = foreseeEach(context, toDo, (so, vmi, trail) =>
    foreseeUpdate(so, vmi, imageOf(vmi), trail),
  );
  const verdicts = new Map(
    verdictsOf(foreseen).map((verdict) => [`${verdict.namespace}/${verdict.name}`, verdict]),
  );
  const places = placesIn(context, launcherImage);
  return [...categories].map(([vmi, category]) => {
    const verdict = verdicts.get(keyOf(vmi));
    const input = { vmi, category, verdict, places, settings: context.settings };
    const migrations = migrationsOf(context.fleet, vmi);
    const { result, reason, evidence } = decide(standingTable, {
      ...{ ...input, ...migrations },
      isLeaving: isLeaving(context.fleet, vmi),
    });
    return tell(vmi, { ...result, reason: result.reason ?? reason }, evidence, verdict);
  });
}

function categoryInput(
  { settings, fleet, now, behavior }: Context,
  vmi: Vmi,
  launcherImage: string,
): CategoryInput {
  const unfinishedMigrations = fleet.unfinishedMigrationsOf(vmi);
  return { vmi, launcherImage, methods: settings.workloadUpdateMethods, unfinishedMigrations, now, behavior };
}

/** The cap counts migrations that wait only where KubeVirt does as it means to, and never those that a quota refuses. */
function placesIn({ fleet, settings, now, behavior }: Context, launcherImage = NEW_LAUNCHER): number {
  const methods = settings.workloadUpdateMethods;
  const picture = new Rollout(fleet, { launcherImage, methods, behavior }, now);
  const { activeMigrations, pendingMigrations, refusedByQuota }: Survey = picture.survey(now);
  picture.close();
  const taken = activeMigrations + (behavior === 'intended' ? pendingMigrations - refusedByQuota : 0);
  return settings.migrations.parallelMigrationsPerCluster - taken;
}

function migrationsOf(
  fleet: Fleet,
  vmi: Vmi,
): { readonly unfinished?: Migration; readonly failed?: Migration } {
  const newestFirst = [...fleet.migrationsOf(vmi)].sort((a, b) => oldestFirst(b, a));
  const [newest] = newestFirst;
  const unfinished = newestFirst.find((migration) => !isMigrationFinal(migration));
  const failed = newest?.status?.phase === MIGRATION_PHASE.failed ? newest : undefined;
  return { ...(unfinished && { unfinished }), ...(failed && { failed }) };
}

function tell(
  { metadata, status }: Vmi,
  { state, reason = '', says }: Standing,
  evidence: VmStanding['evidence'],
  verdict: VmVerdict | undefined,
): VmStanding {
  const { namespace = '', name } = metadata;
  const outcome = verdict && { outcome: verdict.outcome };
  const message = `${namespace}/${name} ${says}`;
  return { namespace, name, node: status?.nodeName, state, reason, message, ...outcome, evidence };
}

function reportOn(
  context: Context,
  launcherImage: string | undefined,
  vms: readonly VmStanding[],
  notRunning: number,
): RolloutStatus {
  const { fleet, kubevirt, now, settings, behavior } = context;
  const { result, reason } = decide(gateTable, { kubevirt, now });
  const gate = { open: result.open, reason };
  const counts = countsOf(vms);
  const pace = paceOf(fleet, now);
  const left = gate.open ? leftOf(context, vms, pace) : undefined;
  const percentDone = vms.length === 0 ? 100 : Math.floor((100 * counts.Done) / vms.length);
  const endsAt = left === undefined ? undefined : formatInstant(now + left * 1000);

  return {
    apiVersion: 'drover.dev/v1alpha1',
    kind: 'RolloutStatus',
    spec: {
      kubevirtVersion: formatVersion(settings.version),
      behavior,
      launcherImage,
      workloadUpdateMethods: settings.workloadUpdateMethods,
      at: formatInstant(now),
    },
    status: {
      summary: summaryOf({ counts, gate, secondsLeft: left, endsAt }),
      ...{ gate, counts, notRunning, percentDone, pace, secondsLeft: left, endsAt, vms },
    },
  };
}

function leftOf(
  { settings }: Context,
  vms: readonly VmStanding[],
  pace: RolloutStatus['status']['pace'],
): number | undefined {
  const left = vms.filter(({ state }) => state === 'Moving' || state === 'Waiting');
  const evicted = left.filter(
    ({ reason, outcome }) => reason === 'WaitsForBatch' && outcome !== 'LiveMigrates',
  );
  const shuttingDown = left.filter(({ reason }) => reason === 'Leaving');
  return secondsLeft({
    migrations: left.length - evicted.length - shuttingDown.length,
    evictions: evicted.length,
    pace,
    batchSize: settings.batchEvictionSize,
    batchIntervalSeconds: settings.batchEvictionIntervalSeconds,
  });
}

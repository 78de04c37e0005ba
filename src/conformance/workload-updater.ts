import { currentPod } from '../decide/current-pod.ts';
import { kubevirtKey } from '../decide/workload-update/informer-events.ts';
import type { Survey } from '../decide/workload-update/survey.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { ApiErrors } from './api-errors.ts';
import { type Difference, differences } from './compare.ts';
import { onlyFields } from './input.ts';
import { commandsOf, type Execution, Updater } from './updater.ts';
import {
  fingerprint,
  withListsSorted,
  writtenDoings,
  writtenMigrations,
  writtenPlan,
} from './updater-output.ts';
import type { VectorDriver } from './vectors.ts';

const FIELDS = [
  'now',
  'launcherImage',
  'key',
  'kubevirts',
  'vmis',
  'migrations',
  'pods',
  'lastDeletionBatchSecondsAgo',
  'pendingCreations',
  'apiErrors',
];

/** What the real code did, as far as chance decided it: our draw repeats its draw, and then all must agree. */
interface Recorded {
  readonly migrationsAttempted?: readonly string[];
  readonly evictions?: readonly { readonly namespace: string; readonly pod: string }[];
  readonly panic?: string;
  readonly hang?: string;
  readonly error?: string | null;
  readonly events?: readonly unknown[];
}

interface Play {
  readonly updater: Updater;
  readonly survey: Survey;
  readonly recorded: Recorded;
}

/** The whole plan without the gates, then one execution of the key. */
export const workloadUpdaterDriver: VectorDriver = {
  family: 'workload-updater',
  run: ({ input, output }) => {
    onlyFields(input, FIELDS);
    const updater = new Updater(input);
    const survey = updater.survey(updater.startedAt);
    const { execute, ...planned } = output;
    return [
      ...differences(planned, writtenHead(updater, survey)),
      ...executionDifferences(
        { updater, survey, recorded: execute as Recorded },
        new ApiErrors(input.apiErrors),
      ),
    ];
  },
};

function writtenHead(updater: Updater, survey: Survey) {
  return {
    effectiveParallelMigrationsPerCluster: updater.settings.migrations.parallelMigrationsPerCluster,
    enqueueKey: { key: '', ...kubevirtKey([...updater.kubevirts.keys()]) },
    gateOpen: updater.gate(updater.startedAt).open,
    plan: updater.kubevirt && writtenPlan(survey, updater.pods),
    migrationFor: updater.kubevirt && writtenMigrations(survey),
  };
}

function executionDifferences(play: Play, errors: ApiErrors): Difference[] {
  const { updater, recorded } = play;
  const { lastAt } = updater.state.batch;
  const attempted = new Set(recorded.migrationsAttempted);
  const repeat = (vmis: readonly Vmi[]) => first(vmis, (vmi) => attempted.has(keyOf(vmi)));
  const execution = updater.execute(updater.startedAt, errors, cacheOrder(play), repeat);
  const risk = panicRisk(play, execution);
  if (execution.pass?.withoutPod.length) {
    return differences(recorded, { ...risk, panic: panicText(recorded) }, 'execute');
  }
  const { batch, expectation } = updater.state;
  const done = {
    ...writtenDoings(execution, updater.key),
    lastDeletionBatch: batch.lastAt === lastAt ? 'unchanged' : 'now',
    pendingCreationsAfter: expectation?.pending ?? null,
  };
  const ended = ending(play, execution, done.events);
  return differences(withListsSorted(recorded), withListsSorted({ ...done, ...risk, ...ended }), 'execute');
}

/** Upstream the order of the cache is chance. Ours repeats the evictions that are recorded, and survives where that did. */
function cacheOrder({ updater, recorded }: Play): Vmi[] {
  const { evictions = [], panic } = recorded;
  const evicted = new Set(evictions.map(({ namespace, pod }) => `${namespace}/${pod}`));
  const podOf = (vmi: Vmi) => currentPod(vmi, updater.pods);
  const vmis = [...updater.vmis.values()];
  if (panic !== undefined) return first(vmis, (vmi) => podOf(vmi) === undefined);
  const alive = first(vmis, (vmi) => podOf(vmi) !== undefined);
  return first(alive, (vmi) => {
    const pod = podOf(vmi);
    return pod !== undefined && evicted.has(keyOf(pod));
  });
}

/** `may`: a VMI without pod can be drawn; `must`: there are more places than VMIs with pods. */
function panicRisk({ updater, survey }: Play, { pass, acted }: Execution) {
  if (!acted || !pass) return {};
  const places = pass.commands.filter(({ kind }) => kind === 'evictPod').length + pass.withoutPod.length;
  const withPod = survey.evictable.filter((vmi) => currentPod(vmi, updater.pods)).length;
  if (places === 0 || withPod === survey.evictable.length) return {};
  return { mayPanic: true, mustPanic: places > withPod };
}

/** The text of a crash comes from Go's runtime; that an absent pod was its cause is all that can be checked. */
function panicText({ panic }: Recorded): string {
  return panic?.includes('nil pointer dereference') ? panic : 'a crash on an absent pod';
}

/**
 * How the execution ended. Upstream, deletions that fail more often than VMIs are acted upon block the worker for ever; ours
 * end in their error. What upstream did before it hung must still be among what we did.
 */
function ending({ updater, survey, recorded }: Play, execution: Execution, events: readonly unknown[]) {
  const { errors } = execution;
  if (errors.length > slotsOf(execution)) {
    const ours = new Set(events.map(fingerprint));
    const done = (recorded.events ?? []).every((event) => ours.has(fingerprint(event)));
    return { hang: recorded.hang ?? 'a hang', ...(done && { events: recorded.events }) };
  }
  const error = errors.includes(String(recorded.error)) ? recorded.error : (errors[0] ?? null);
  return { error, ...(updater.kubevirt && choices(survey, execution)) };
}

/** Upstream has room for one error a VMI that it acts upon; a failed patch needs none. */
function slotsOf({ answered, acted }: Execution): number {
  const vmis = new Set(answered.map(({ command }) => keyOf(command.vmi)));
  return acted ? vmis.size : 1;
}

/** Chance had a say where some candidates were taken and not all. */
function choices(survey: Survey, execution: Execution) {
  const some = (taken: readonly unknown[], candidates: readonly unknown[]) =>
    taken.length > 0 && taken.length < candidates.length;
  return {
    choiceOfEvictionsIsRandom: some(commandsOf(execution, 'evictPod'), survey.evictable),
    choiceOfMigrationsIsRandom: some(commandsOf(execution, 'createMigration'), survey.migratable),
  };
}

function first(vmis: readonly Vmi[], holds: (vmi: Vmi) => boolean): Vmi[] {
  return [...vmis.filter(holds), ...vmis.filter((vmi) => !holds(vmi))];
}

import { creationObserved } from '../decide/expectations.ts';
import { resultOf } from '../decide/rules.ts';
import { informerTable } from '../decide/workload-update/informer-events.ts';
import { kubeVirtSchema, type Migration, podSchema, vmiSchema } from '../kubevirt/objects.ts';
import { compareText } from '../kubevirt/order.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import { ApiErrors } from './api-errors.ts';
import { type Difference, differences } from './compare.ts';
import { onlyFields, readList, withoutNulls } from './input.ts';
import { commandsOf, type Execution, Updater } from './updater.ts';
import { writtenDoings } from './updater-output.ts';
import type { VectorDriver } from './vectors.ts';

const FIELDS = ['now', 'launcherImage', 'key', 'kubevirts', 'vmis', 'migrations', 'pods', 'steps'];
const STEP_FIELDS = [
  'atSeconds',
  'removeVMIs',
  'setVMIs',
  'addPods',
  'setKubeVirt',
  'observeCreatedMigrations',
  'finishObservedMigrations',
  'apiErrors',
];

type Raw = Readonly<Record<string, unknown>>;

/** Several executions on a moving clock. VMIs are alike, so that counts do not depend on chance. */
export const workloadUpdaterStepsDriver: VectorDriver = {
  family: 'workload-updater-steps',
  run: ({ input, output }) => {
    onlyFields(input, FIELDS);
    const course = new Course(new Updater(input));
    const steps = (input.steps as Raw[]).map((step) => course.run(step));
    return differencesOf(output, steps);
  },
};

/** An execution with several different failures may end in any of them. */
function differencesOf(real: Raw, steps: readonly ReturnType<Course['run']>[]): Difference[] {
  const recorded = real.steps as Raw[];
  const ours = steps.map(({ errors, written }, index) => {
    const error = recorded[index]?.error;
    return { ...written, error: errors.includes(String(error)) ? error : (errors[0] ?? null) };
  });
  return differences(real, { steps: ours });
}

/** The executions of one vector, with the migrations that were created and have not been seen or finished yet. */
class Course {
  readonly #updater: Updater;
  readonly #unseen: Migration[] = [];
  readonly #unfinished: Migration[] = [];

  constructor(updater: Updater) {
    this.#updater = updater;
  }

  run(step: Raw) {
    onlyFields(step, STEP_FIELDS);
    const updater = this.#updater;
    const now = updater.startedAt + Number(step.atSeconds) * 1000;
    this.#prepare(step, now);
    const survey = updater.survey(now);
    const syncRan = updater.gate(now).open;
    const { lastAt } = updater.state.batch;
    const errors = new ApiErrors(step.apiErrors);
    const execution = updater.execute(now, errors, updater.vmis.values(), (vmis) => vmis);
    this.#unseen.push(...createdBy(execution));
    const written = {
      ...writtenCounts(execution, updater.key),
      atSeconds: step.atSeconds,
      plan: {
        abort: survey.abortable.length,
        allOutdated: survey.outdated.length,
        evict: survey.evictable.length,
        migratable: survey.migratable.length,
        numActiveMigrations: survey.activeMigrations,
      },
      syncRan,
      lastDeletionBatchMoved: updater.state.batch.lastAt !== lastAt,
      pendingCreationsAfter: updater.state.expectation?.pending ?? null,
    };
    return { errors: execution.errors, written };
  }

  /** What happens before the execution, in the order that the vectors define. */
  #prepare(step: Raw, now: Instant): void {
    const updater = this.#updater;
    for (const key of (step.removeVMIs ?? []) as string[]) updater.vmis.delete(key);
    for (const vmi of readList(vmiSchema, step.setVMIs)) updater.vmis.set(keyOf(vmi), vmi);
    updater.pods.push(...readList(podSchema, step.addPods));
    if (step.setKubeVirt) {
      const kubevirt = kubeVirtSchema.parse(withoutNulls(step.setKubeVirt));
      updater.kubevirts.set(keyOf(kubevirt), kubevirt);
    }
    for (const seen of this.#unseen.splice(0, Number(step.observeCreatedMigrations ?? 0)))
      this.#see(seen, now);
    for (const done of this.#unfinished.splice(0, Number(step.finishObservedMigrations ?? 0))) {
      updater.setMigration({ ...done, status: { phase: 'Succeeded' } });
    }
  }

  #see(migration: Migration, now: Instant): void {
    const updater = this.#updater;
    updater.setMigration(migration);
    this.#unfinished.push(migration);
    const kubevirtKeys = [...updater.kubevirts.keys()];
    const event = { kind: 'VirtualMachineInstanceMigration', change: 'add', object: migration } as const;
    const informed = { event, kubevirtKeys, now, behavior: 'exact' } as const;
    const { observedFor } = resultOf(informerTable, informed);
    if (observedFor !== updater.key) return;
    updater.state = { ...updater.state, expectation: creationObserved(updater.state.expectation) };
  }
}

/** As the cache would show them later: without a phase yet, in the order of their keys. */
function createdBy(execution: Execution): Migration[] {
  return commandsOf(execution, 'createMigration')
    .flatMap(({ command, result }) => {
      if (!result.ok) return [];
      const { annotations, namespace, spec } = command.migration;
      return [
        { metadata: { name: result.name, namespace, annotations: { ...annotations } }, spec, status: {} },
      ];
    })
    .sort((a, b) => compareText(keyOf(a), keyOf(b)));
}

function writtenCounts(execution: Execution, key: string) {
  const { events, ...doings } = writtenDoings(execution, key);
  const eventCounts: Record<string, number> = {};
  for (const { type, reason } of events) {
    eventCounts[`${type} ${reason}`] = (eventCounts[`${type} ${reason}`] ?? 0) + 1;
  }
  return {
    addAfter: doings.addAfter,
    eventCounts,
    evictionsCount: doings.evictionsCount,
    migrationsAttemptedCount: doings.migrationsAttemptedCount,
    migrationsCreatedCount: doings.migrationsCreatedCount,
    migrationsDeleted: doings.migrationsDeleted,
  };
}

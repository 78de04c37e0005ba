import type { ApiResult } from '../decide/api-result.ts';
import type { CreationExpectation } from '../decide/expectations.ts';
import { resultOf } from '../decide/rules.ts';
import { resolveSettings, type Settings } from '../decide/settings.ts';
import { NO_BATCH } from '../decide/workload-update/batch.ts';
import type { Command } from '../decide/workload-update/commands.ts';
import { type GateInput, gateTable } from '../decide/workload-update/gates.ts';
import {
  afterFollowUp,
  type FollowUp,
  followUp,
  statusPatchError,
} from '../decide/workload-update/outcomes.ts';
import { type Pass, planPass, type Shuffle, type UpdaterState } from '../decide/workload-update/pass.ts';
import type { StatusPatch } from '../decide/workload-update/status-patch.ts';
import { type Survey, surveyVmis } from '../decide/workload-update/survey.ts';
import {
  type KubeVirt,
  kubeVirtSchema,
  type Migration,
  migrationSchema,
  type Pod,
  podSchema,
  type Vmi,
  vmiSchema,
} from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../kubevirt/time.ts';
import type { ApiErrors } from './api-errors.ts';
import { readList } from './input.ts';

/** A command with what the API server answered and what follows. */
export interface Answered {
  readonly command: Command;
  readonly result: ApiResult;
  readonly followUp: FollowUp;
}

/** What one execution of the key did. A closed gate leaves everything empty. */
export interface Execution {
  readonly pass?: Pass;
  /** As it was sent, whatever came of it. */
  readonly statusPatch?: StatusPatch | undefined;
  readonly answered: readonly Answered[];
  /** Whether the pass went beyond the status patch. */
  readonly acted: boolean;
  /** Texts of the failures that calls met. */
  readonly failures: readonly string[];
  /** Errors that the execution may end in; upstream, chance tells which of them comes first. */
  readonly errors: readonly string[];
}

const IDLE: Execution = { answered: [], acted: false, failures: [], errors: [] };

/** Plays what surrounds the updater's decisions, as the vectors describe it: caches, memory, API server. */
export class Updater {
  readonly kubevirts = new Map<string, KubeVirt>();
  readonly vmis = new Map<string, Vmi>();
  readonly migrations = new Map<string, Migration>();
  readonly pods: Pod[];
  readonly key: string;
  readonly launcherImage: string;
  readonly startedAt: Instant;
  state: UpdaterState;

  constructor(input: Record<string, unknown>) {
    this.key = String(input.key);
    this.launcherImage = String(input.launcherImage);
    this.startedAt = parseInstant(String(input.now)) ?? Number.NaN;
    this.pods = readList(podSchema, input.pods);
    for (const kubevirt of readList(kubeVirtSchema, input.kubevirts))
      this.kubevirts.set(keyOf(kubevirt), kubevirt);
    for (const vmi of readList(vmiSchema, input.vmis)) this.vmis.set(keyOf(vmi), vmi);
    for (const migration of readList(migrationSchema, input.migrations)) this.setMigration(migration);
    this.state = {
      batch: { ...NO_BATCH, lastAt: this.#readLastBatch(input) },
      expectation: this.#readPending(input),
    };
  }

  #readLastBatch({ lastDeletionBatchSecondsAgo: ago }: Record<string, unknown>): Instant | undefined {
    return ago === undefined || ago === null ? undefined : this.startedAt - Number(ago) * 1000;
  }

  #readPending({ pendingCreations }: Record<string, unknown>): CreationExpectation | undefined {
    if (pendingCreations === undefined || pendingCreations === null) return undefined;
    const { count, ageSeconds } = pendingCreations as { count: number; ageSeconds: number };
    return { pending: count, setAt: this.startedAt - ageSeconds * 1000 };
  }

  setMigration(migration: Migration): void {
    this.migrations.set(keyOf(migration), migration);
  }

  get kubevirt(): KubeVirt | undefined {
    return this.kubevirts.get(this.key);
  }

  get settings(): Settings {
    return resolveSettings(this.kubevirt);
  }

  survey(now: Instant, vmis: Iterable<Vmi> = this.vmis.values()): Survey {
    return surveyVmis({
      vmis,
      migrations: this.migrations.values(),
      launcherImage: this.launcherImage,
      methods: this.settings.workloadUpdateMethods,
      now,
      behavior: 'exact',
    });
  }

  gate(now: Instant) {
    const { key, kubevirt, state } = this;
    const input: GateInput = { key, kubevirt, expectation: state.expectation, now };
    return resultOf(gateTable, input);
  }

  /** Runs the key once. `vmis` is the order of the cache, `shuffle` the draw of the migrations. */
  execute(now: Instant, errors: ApiErrors, vmis: Iterable<Vmi>, shuffle: Shuffle): Execution {
    const { kubevirt } = this;
    const gate = this.gate(now);
    if (gate.forgetsExpectation) this.state = { ...this.state, expectation: undefined };
    if (!gate.open || !kubevirt) return IDLE;
    const pass = planPass({
      kubevirt,
      settings: this.settings,
      survey: this.survey(now, vmis),
      podsOf: () => this.pods,
      state: this.state,
      shuffle,
      now,
      behavior: 'exact',
    });
    const { statusPatch } = pass;
    const patched = statusPatch && sendPatch(statusPatch, errors);
    if (patched?.ok === false) {
      const failures = [patched.message];
      return { ...IDLE, pass, statusPatch, failures, errors: [statusPatchError(patched)] };
    }
    this.state = pass.state;
    const answered = pass.commands.map((command) => this.#carryOut(command, errors, now));
    return { pass, statusPatch, answered, acted: true, ...troublesOf(answered) };
  }

  #carryOut(command: Command, errors: ApiErrors, now: Instant): Answered {
    const result = send(command, errors);
    const follows = followUp(command, result, 'exact');
    this.state = afterFollowUp(this.state, command.vmi, follows, now, 'exact');
    return { command, result, followUp: follows };
  }
}

function sendPatch({ name, namespace, subresource }: StatusPatch, errors: ApiErrors): ApiResult {
  return errors.answer({ verb: 'patch', resource: 'kubevirts', subresource, namespace, name }, name);
}

const MIGRATIONS = 'virtualmachineinstancemigrations';

/** A creation is matched by the VMI's name; the name that the API server makes ends in it, so that texts can be foreseen. */
function send(command: Command, errors: ApiErrors): ApiResult {
  switch (command.kind) {
    case 'createMigration': {
      const { namespace, generateName, spec } = command.migration;
      const call = { verb: 'create', resource: MIGRATIONS, namespace, name: spec.vmiName };
      return errors.answer(call, `${generateName}${spec.vmiName}`);
    }
    case 'evictPod': {
      const { namespace, name } = command.eviction.metadata;
      return errors.answer(
        { verb: 'create', resource: 'pods', subresource: 'eviction', namespace, name },
        name,
      );
    }
    case 'deleteMigration': {
      const { namespace, name } = command.migration.metadata;
      return errors.answer({ verb: 'delete', resource: MIGRATIONS, namespace, name }, name);
    }
  }
}

function troublesOf(answered: readonly Answered[]): Pick<Execution, 'failures' | 'errors'> {
  return {
    failures: answered.flatMap(({ result }) => (result.ok ? [] : [result.message])),
    errors: answered.flatMap(({ followUp: { error } }) => (error === undefined ? [] : [error])),
  };
}

/** The commands of one kind with their answers. */
export function commandsOf<K extends Command['kind']>({ answered }: Execution, kind: K) {
  return answered.flatMap(({ command, result }) =>
    command.kind === kind ? [{ command: command as Extract<Command, { kind: K }>, result }] : [],
  );
}

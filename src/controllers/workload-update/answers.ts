import { type ApiResult, isNotFound, isOutcomeUnknown } from '../../decide/api-result.ts';
import { vmiRef } from '../../decide/evidence.ts';
import { type Decision, decide } from '../../decide/rules.ts';
import type { Command } from '../../decide/workload-update/commands.ts';
import { evictionOutcomeTable } from '../../decide/workload-update/eviction-outcome.ts';
import { afterFollowUp, type FollowUp, followUp } from '../../decide/workload-update/outcomes.ts';
import { WORKLOAD_UPDATE_EVENT } from '../../kubevirt/names.ts';
import { createMigration, deleteMigration, evict, named } from '../carry-out.ts';
import type { HeldAction, Holds } from '../holds.ts';
import type { Deed } from '../in-hand.ts';
import type { Journal } from '../journal.ts';
import type { WorkloadUpdateOptions } from './options.ts';
import type { UpdaterMemory } from './updater-memory.ts';

const ACTION: Readonly<Record<Command['kind'], HeldAction>> = {
  createMigration: 'migrate',
  evictPod: 'evict',
  deleteMigration: 'abort',
};

/** Sends commands and takes in what the API server says to them. */
export class Answers {
  readonly #options: WorkloadUpdateOptions;
  readonly #memory: UpdaterMemory;
  readonly #holds: Holds;
  readonly #journal: Journal;

  constructor(options: WorkloadUpdateOptions, memory: UpdaterMemory, holds: Holds, journal: Journal) {
    this.#options = options;
    this.#memory = memory;
    this.#holds = holds;
    this.#journal = journal;
  }

  /** Sends all at once, before anything else happens, and waits for every answer. */
  async carryOut(commands: readonly Command[]): Promise<readonly FollowUp[]> {
    return Promise.all(commands.map((command) => this.#carryOut(command)));
  }

  /** What is done is in hand from before it is sent. */
  async #carryOut(command: Command): Promise<FollowUp> {
    const { behavior, clock, cluster, inHand } = this.#options;
    const { deed, send } = this.#prepare(command);
    if (deed) inHand.take(command.vmi, deed);
    const result = await send();
    const follows = followUp(command, result, behavior);
    this.#memory.state = afterFollowUp(this.#memory.state, command.vmi, follows, clock.now(), behavior);
    if (deed) this.#settle(command, deed, result, follows);
    if (behavior === 'intended') this.#hold(command, result, follows);
    if (follows.event) cluster.recordEvent(follows.event, WORKLOAD_UPDATE_EVENT.component);
    this.#tell(command, result);
    return follows;
  }

  #prepare(command: Command): { readonly deed?: Deed; readonly send: () => Promise<ApiResult> } {
    const { cluster, behavior } = this.#options;
    switch (command.kind) {
      case 'createMigration': {
        const creation = named(cluster, command, behavior);
        const deed: Deed = { kind: 'migrate', name: creation.name };
        return { deed, send: () => createMigration(cluster, creation) };
      }
      case 'evictPod': {
        const deed: Deed = { kind: 'evict', name: command.eviction.metadata.name };
        return { deed, send: () => evict(cluster, command) };
      }
      case 'deleteMigration':
        return { send: () => deleteMigration(cluster, command) };
    }
  }

  #settle({ vmi }: Command, deed: Deed, result: ApiResult, { eviction }: FollowUp): void {
    const { inHand } = this.#options;
    if (!result.ok && isOutcomeUnknown(result)) inHand.doubt(vmi, deed);
    else if (eviction === 'refused' || (!result.ok && eviction === undefined)) inHand.release(vmi);
  }

  #hold(command: Command, result: ApiResult, { eviction }: FollowUp): void {
    const { vmi, kind } = command;
    const isRefused =
      eviction === 'refused' || (!result.ok && eviction === undefined && !isGone(command, result));
    if (!isRefused) this.#holds.succeed(vmi, ACTION[kind]);
    else
      this.#holds.refuse(vmi, ACTION[kind], {
        reason: this.#outcomeOf(command, result).reason,
        message: messageOf(result),
      });
  }

  #tell(command: Command, result: ApiResult): void {
    const { reason, evidence } = this.#outcomeOf(command, result);
    const action = ACTION[command.kind];
    this.#options.metrics.count('drover_actions_total', { controller: 'workload-update', action, reason });
    const object = vmiRef(command.vmi);
    this.#journal.tell({ object, decision: action, reason, evidence, message: messageOf(result) });
  }

  #outcomeOf(command: Command, result: ApiResult): Omit<Decision<unknown>, 'result'> {
    const { vmi, kind } = command;
    if (kind === 'evictPod')
      return decide(evictionOutcomeTable, { vmi, result, behavior: this.#options.behavior });
    const [done, failed] = kind === 'createMigration' ? CREATION : DELETION;
    if (isGone(command, result)) return { reason: 'MigrationGone', evidence: [] };
    return { reason: result.ok ? done : failed, evidence: [] };
  }
}

const CREATION = ['MigrationCreated', 'MigrationNotCreated'] as const;
const DELETION = ['MigrationAborted', 'MigrationNotAborted'] as const;

function isGone({ kind }: Command, result: ApiResult): boolean {
  return kind === 'deleteMigration' && !result.ok && isNotFound(result);
}

function messageOf(result: ApiResult): string {
  return result.ok ? result.name : result.message;
}

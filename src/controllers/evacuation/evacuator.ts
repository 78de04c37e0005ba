import { type ApiResult, isOutcomeUnknown } from '../../decide/api-result.ts';
import { hasDrainTaint } from '../../decide/evacuation/candidate.ts';
import { creationEvent } from '../../decide/evacuation/evacuation-migration.ts';
import { type Creation, evacuationPassTable, type PassResult } from '../../decide/evacuation/pass.ts';
import type { EventDraft } from '../../decide/events.ts';
import { vmiRef } from '../../decide/evidence.ts';
import {
  type CreationExpectation,
  creationObserved,
  EXPECTATION_TIMEOUT_SECONDS,
} from '../../decide/expectations.ts';
import { decide } from '../../decide/rules.ts';
import { EVACUATION_COMPONENT } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { createMigration, named } from '../carry-out.ts';
import type { ReconcileResult, Reconciler } from '../controller.ts';
import type { Holds } from '../holds.ts';
import type { Deed } from '../in-hand.ts';
import type { Journal } from '../journal.ts';
import type { NodePictures } from './node-picture.ts';
import { NodeTurns } from './node-turns.ts';
import type { EvacuationOptions } from './options.ts';

/** The evacuation controller; the key is the name of a node. Evacuation-and-migration §1 of the spec. */
export class Evacuator implements Reconciler {
  readonly #options: EvacuationOptions;
  readonly #pictures: NodePictures;
  readonly #holds: Holds;
  readonly #journal: Journal;
  readonly #expectations = new Map<string, CreationExpectation>();
  /** Nodes that had the drain taint when they were looked at last. */
  readonly #tainted = new Set<string>();
  /** What was last said about VMIs that cannot go, by UID. */
  readonly #said = new Map<string | undefined, string>();

  constructor(options: EvacuationOptions, pictures: NodePictures, holds: Holds, journal: Journal) {
    this.#options = options;
    this.#pictures = pictures;
    this.#holds = holds;
    this.#journal = journal;
  }

  async reconcile(node: string): Promise<ReconcileResult> {
    // 1. What is to be done, as the cluster is now. From here to the sending nothing is waited for.
    const turns = new NodeTurns(this.#options, this.#holds, this.#pictures.settings());
    const everybody = this.#concernsEverybody(node);
    const input = this.#pictures.look(node, everybody, this.#expectations.get(node), turns);
    const { result: pass, reason } = decide(evacuationPassTable, input);
    // 2. What is remembered before anything is sent.
    this.#expect(node, pass.expectation);
    // 3. Those who cannot go hear why.
    this.#tellDecisions(pass);
    this.#tellWithoutTarget(turns);
    for (const event of pass.events) this.#sayOnce(event, pass);
    // 4. All migrations at once.
    const results = await Promise.all(pass.creations.map((creation) => this.#create(node, creation)));
    // 5. When to look again.
    const error = results.find((result) => !result.ok);
    const failed = this.#options.behavior === 'exact' && error && !error.ok ? error.message : undefined;
    return { error: failed, requeueAfterSeconds: this.#nextPass(node, reason, pass, turns) };
  }

  /** Whether a pass over the node could find anybody: somebody on it is marked, or the drain taint is there or was at the last pass. */
  isConcerned(name: string): boolean {
    const { fleet } = this.#options.cluster;
    if (fleet.hasMarkedOn(name) || this.#tainted.has(name)) return true;
    const node = fleet.get('Node', name);
    return node !== undefined && hasDrainTaint(node, this.#pictures.settings());
  }

  /** A drain taint does, and its end once, so that nothing stands about anybody that is over. */
  #concernsEverybody(name: string): boolean {
    const node = this.#options.cluster.fleet.get('Node', name);
    const was = this.#tainted.delete(name);
    const is = node !== undefined && hasDrainTaint(node, this.#pictures.settings());
    if (is) this.#tainted.add(name);
    return is || was;
  }

  /** One of the creations for a node has been seen. */
  creationObserved(node: string): void {
    this.#expect(node, creationObserved(this.#expectations.get(node)));
  }

  forget(vmi: Vmi): void {
    this.#said.delete(vmi.metadata.uid);
  }

  #expect(node: string, expectation: CreationExpectation | undefined): void {
    if (expectation) this.#expectations.set(node, expectation);
    else this.#expectations.delete(node);
  }

  async #create(node: string, creation: Creation): Promise<ApiResult> {
    const { cluster, behavior, inHand } = this.#options;
    const { vmi } = creation;
    const ready = named(cluster, creation, behavior);
    const deed: Deed = { kind: 'migrate', name: ready.name };
    inHand.take(vmi, deed);
    const result = await createMigration(cluster, ready);
    if (result.ok) this.#holds.succeed(vmi, 'migrate');
    else this.#refused(node, vmi, deed, result);
    const outcome = result.ok ? { created: result.name } : { error: result.message };
    cluster.recordEvent(creationEvent(vmi, outcome), EVACUATION_COMPONENT);
    this.#tell(
      vmi,
      result.ok ? 'MigrationCreated' : 'MigrationNotCreated',
      result.ok ? result.name : result.message,
    );
    return result;
  }

  #refused(node: string, vmi: Vmi, deed: Deed, failure: Extract<ApiResult, { ok: false }>): void {
    this.creationObserved(node);
    if (isOutcomeUnknown(failure)) this.#options.inHand.doubt(vmi, deed);
    else this.#options.inHand.release(vmi);
    this.#holds.refuse(vmi, 'migrate', { reason: 'MigrationNotCreated', message: failure.message });
  }

  #tell(vmi: Vmi, reason: string, message: string): void {
    this.#options.metrics.count('drover_actions_total', {
      controller: 'evacuation',
      action: 'migrate',
      reason,
    });
    this.#journal.tell({ object: vmiRef(vmi), decision: 'migrate', reason, evidence: [], message });
  }

  #tellDecisions({ decisions }: PassResult): void {
    for (const { vmi, decision } of decisions) {
      const { action } = decision.result;
      if (action !== 'CannotMigrate') this.#said.delete(vmi.metadata.uid);
      if (action === 'Leave') this.#journal.forget(vmiRef(vmi), 'evacuate');
      else this.#journal.tellStanding(vmiRef(vmi), 'evacuate', decision.reason, () => decision.evidence);
    }
  }

  #tellWithoutTarget({ withoutTarget }: NodeTurns): void {
    for (const { vmi, refusal } of withoutTarget) {
      if (!this.#holds.refuse(vmi, 'migrate', refusal)) continue;
      this.#options.cluster.recordEvent(creationEvent(vmi, { error: refusal.message }), EVACUATION_COMPONENT);
      this.#journal.tell({ object: vmiRef(vmi), decision: 'migrate', evidence: [], ...refusal });
    }
  }

  /** Of those who cannot migrate each is told once, until there is something else to say. */
  #sayOnce(event: EventDraft, { decisions }: PassResult): void {
    const about = decisions.find(
      ({ vmi: { metadata } }) => metadata.name === event.name && metadata.namespace === event.namespace,
    );
    const uid = about?.vmi.metadata.uid;
    if (this.#said.get(uid) === event.message) return;
    this.#said.set(uid, event.message);
    this.#options.cluster.recordEvent(event, EVACUATION_COMPONENT);
  }

  /** KubeVirt waits for events; a timer is for what may be waited for in vain. */
  #nextPass(node: string, reason: string, pass: PassResult, turns: NodeTurns): number | undefined {
    if (this.#options.behavior === 'exact') return pass.requeueAfterSeconds;
    const { clock } = this.#options;
    const expectation = this.#expectations.get(node);
    const unseenUntil =
      reason === 'CreationsUnseen' && expectation
        ? [expectation.setAt + (EXPECTATION_TIMEOUT_SECONDS + 1) * 1000]
        : [];
    const ends = [...turns.ends(pass), ...unseenUntil].map((at) =>
      Math.max(SHORTEST_SECONDS, (at - clock.now()) / 1000),
    );
    const wishes = [...ends, ...(pass.requeueAfterSeconds === undefined ? [] : [pass.requeueAfterSeconds])];
    return wishes.length > 0 ? Math.min(...wishes) : undefined;
  }
}

/** Timers bring a node at most so often. */
const SHORTEST_SECONDS = 5;

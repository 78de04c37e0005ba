import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../kubevirt/json.ts';
import { KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import type { RecordedEvent } from '../../simulation/memory-cluster.ts';
import type { SimulatedCluster } from '../../simulation/simulated-cluster.ts';
import { isCompared } from './fields.ts';
import { stateOf } from './recorded-state.ts';
import type { RecordedChange, TimelineAction } from './recording.ts';

/** What a history says of itself besides its changes. */
export interface HistoryFacts {
  readonly timeline: readonly TimelineAction[];
  /** What happened to each VM, and the outcomes that a forecast may name. */
  readonly outcomes: Readonly<Record<string, unknown>>;
  /** What was played, for whoever plays it again. */
  readonly drover: object;
}

/** Takes down what happens in a simulated cluster, in the form of the recordings of the real control plane. */
export class HistoryRecorder {
  readonly #before: readonly object[];
  readonly #changes: RecordedChange[] = [];
  #events = 0;

  /** From now on. The dump is of what the cluster was made of: what the API server added to it, it will add again. */
  constructor({ api, clock }: SimulatedCluster, before: readonly object[]) {
    const startAt = clock.now();
    this.#before = before;
    for (const kind of KNOWN_KINDS)
      for (const object of api.list(kind)) this.#note(0, 'exists', kind, object);
    api.watch(({ kind, before, after }) => {
      const t = Math.round(clock.now() - startAt) / 1000;
      if (!after) this.#note(t, 'deleted', kind, before);
      else this.#note(t, before ? 'modified' : 'added', kind, after);
    });
  }

  event({ kind, name, type, reason, message, component }: RecordedEvent, seconds: number): void {
    const state = { object: `${kind}/${name}`, type, reason, message, component, count: 1 };
    const t = Math.round(seconds * 1000) / 1000;
    this.#changes.push({ t, change: 'added', kind: 'Event', name: `${name}.${this.#events++}`, state });
  }

  /** The files of the folder, by name. */
  files({ timeline, outcomes, drover }: HistoryFacts): [string, string | Uint8Array][] {
    const list = { apiVersion: 'v1', kind: 'List', items: this.#before };
    const lines = this.#changes.map((change) => `${JSON.stringify(change)}\n`);
    return [
      ['scenario.json', `${JSON.stringify({ ask: [], timeline, drover }, null, 1)}\n`],
      ['before.json.gz', gzipSync(JSON.stringify(list))],
      ['history.jsonl.gz', gzipSync(lines.join(''))],
      ['outcomes.json', `${JSON.stringify(outcomes, null, 1)}\n`],
    ];
  }

  #note(t: number, change: RecordedChange['change'], kind: string, object: object | undefined): void {
    if (!object || !isCompared(kind)) return;
    const raw = object as JsonObject;
    const { name } = raw.metadata as { readonly name: string };
    this.#changes.push({
      t,
      change,
      kind,
      name,
      state: change === 'deleted' ? undefined : stateOf(kind, raw),
    });
  }
}

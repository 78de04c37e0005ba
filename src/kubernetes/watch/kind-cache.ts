import type { Change, Log, Metrics } from '../../controllers/ports.ts';
import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { type Project, ProjectionError } from '../../kubevirt/projection.ts';

export interface KindCacheOptions {
  readonly fleet: Fleet;
  readonly project: Project;
  readonly notify: (change: Change) => void;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** One kind's part of the fleet: takes raw objects in, and tells what that changed. */
export class KindCache<K extends Kind> {
  readonly kind: K;
  readonly #options: KindCacheOptions;

  constructor(kind: K, options: KindCacheOptions) {
    this.kind = kind;
    this.#options = options;
  }

  /** Takes an object as it is now. The same version again is no change; another object of the same name is an end and a beginning. */
  take(raw: JsonObject): void {
    const after = this.#read(raw);
    if (after) this.#put(keyOf(after), after);
    else this.drop(keyOfRaw(raw));
  }

  #put(key: string, after: KindMap[K]): void {
    const { fleet } = this.#options;
    const held = fleet.get(this.kind, key);
    if (held && held.metadata.uid === after.metadata.uid) {
      if (held.metadata.resourceVersion === after.metadata.resourceVersion) return;
    } else this.drop(key);
    const before = fleet.get(this.kind, key);
    fleet.apply(this.kind, after);
    this.#tell(key, before, after);
  }

  /** Forgets an object; an unknown one is no change. */
  drop(key: string): void {
    const { fleet } = this.#options;
    const before = fleet.get(this.kind, key);
    if (!before) return;
    fleet.remove(this.kind, key);
    this.#tell(key, before, undefined);
  }

  /** Forgets every object that was not seen in a whole list: it went away unnoticed. */
  keepOnly(seen: ReadonlySet<string>): void {
    const { fleet } = this.#options;
    fleet.noteKnown(this.kind);
    const gone = [...fleet.all(this.kind)].map(keyOf).filter((key) => !seen.has(key));
    for (const key of gone) this.drop(key);
  }

  #tell(key: string, before: KindMap[K] | undefined, after: KindMap[K] | undefined): void {
    this.#options.notify({ kind: this.kind, key, before, after } as Change);
  }

  /** Undefined for an object that no decision could be made on; it is told, and does not stop the others. */
  #read(raw: JsonObject): KindMap[K] | undefined {
    const { project, log, metrics } = this.#options;
    try {
      return project(this.kind, raw) as KindMap[K];
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      metrics.count('drover_objects_refused_total', { kind: this.kind });
      log.write('error', 'an object is not as Kubernetes has it, and is left out', {
        kind: this.kind,
        object: keyOfRaw(raw),
        problem: error.message,
      });
      return undefined;
    }
  }
}

/** The key of an object of which nothing is known to be right: `namespace/name`, or the bare name. */
export function keyOfRaw(raw: JsonObject): string {
  const { namespace, name } = objectAt(raw, 'metadata');
  return typeof namespace === 'string' && namespace !== '' ? `${namespace}/${name}` : String(name);
}

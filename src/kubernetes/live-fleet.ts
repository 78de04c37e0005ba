import { Fleet, type Kind } from '../fleet/fleet.ts';
import type { JsonObject } from '../kubevirt/json.ts';
import { KNOWN_KINDS } from '../kubevirt/kinds.ts';
import { Pool } from '../kubevirt/pool.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { createProjection, type Project, ProjectionError } from '../kubevirt/projection.ts';
import type { CallFailure } from './answer.ts';
import type { ApiClient } from './api-client.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { KubernetesError } from './errors.ts';
import { collectionPath, type Resource, resourcesOf } from './resources.ts';
import { keyOfRaw } from './watch/kind-cache.ts';
import { listPages } from './watch/list-pages.ts';
import { WATCH_TIMING } from './watch/timing.ts';

export interface LiveFleetOptions extends ConnectOptions {
  /** Where to look for the kinds that the user may not list for the whole cluster. */
  readonly namespace?: string | undefined;
  /** Kinds to list; all where none are named. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Called after each page with the number of objects of the kind so far. */
  readonly progress?: ((kind: Kind, objects: number) => void) | undefined;
}

/** A kind that is missing from the picture though the cluster may have it. */
export interface Gap {
  readonly kind: Kind;
  readonly problem: string;
}

export interface LiveFleet {
  readonly fleet: Fleet;
  /** In the order of the kinds. */
  readonly gaps: readonly Gap[];
  /** Objects that are not as they should be and were left out, one line each. */
  readonly refused: readonly string[];
}

/** Kinds asked for at the same time. */
const AT_ONCE = 6;

/**
 * Reads a cluster once, as it is now, with kubectl's credentials.
 *
 * Promise: a kind that the server does not have stays unknown to the fleet, without a word; one that the user may not list is a gap,
 * and stays unknown too, unless it may be listed in the given namespace. Kinds are listed at slightly different moments. Throws a `KubernetesError` when the server cannot
 * be reached, does not take the credentials, or fails in the middle: part of a kind is never taken for all of it.
 */
export async function liveFleet(options: LiveFleetOptions = {}): Promise<LiveFleet> {
  const api = connect(options);
  try {
    return await new Reading(api, options).read();
  } finally {
    await api.close();
  }
}

class Reading {
  readonly #api: ApiClient;
  readonly #options: LiveFleetOptions;
  readonly #fleet = new Fleet();
  readonly #project: Project = createProjection({ pool: new Pool() });
  readonly #gaps = new Map<Kind, string>();
  readonly #refused: string[] = [];

  constructor(api: ApiClient, options: LiveFleetOptions) {
    this.#api = api;
    this.#options = options;
  }

  async read(): Promise<LiveFleet> {
    const kinds = this.#options.kinds ?? KNOWN_KINDS;
    const waiting = [...kinds];
    const work = async (): Promise<void> => {
      for (let kind = waiting.shift(); kind; kind = waiting.shift()) await this.#list(kind);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const gaps = kinds.flatMap((kind) => {
      const problem = this.#gaps.get(kind);
      return problem === undefined ? [] : [{ kind, problem }];
    });
    return { fleet: this.#fleet, gaps, refused: this.#refused };
  }

  async #list(kind: Kind): Promise<void> {
    for (const resource of resourcesOf(kind)) {
      const failure = await this.#listFrom(kind, collectionPath(resource));
      if (!failure) return;
      if (failure.code === 403) return this.#listPart(resource, failure);
      if (failure.code !== 404) throw errorOf(kind, failure);
    }
  }

  /** What the user may see of a kind that may not be listed as a whole. */
  async #listPart(resource: Resource, refusal: CallFailure): Promise<void> {
    const { namespace } = this.#options;
    const { kind } = resource;
    this.#gaps.set(kind, refusal.message);
    if (namespace === undefined || !resource.namespaced) return;
    const failure = await this.#listFrom(kind, collectionPath(resource, namespace));
    if (!failure) this.#gaps.set(kind, `only those of namespace ${namespace} are known: ${refusal.message}`);
    else if (failure.code !== 403) throw errorOf(kind, failure);
  }

  async #listFrom(kind: Kind, path: string): Promise<CallFailure | undefined> {
    const listed = await listPages(this.#api, {
      path,
      pageSize: WATCH_TIMING.pageSize,
      onPage: (page) => {
        for (const raw of page) this.#take(kind, raw);
        this.#options.progress?.(kind, this.#fleet.count(kind));
      },
      onRestart: () => {
        for (const held of [...this.#fleet.all(kind)]) this.#fleet.remove(kind, keyOf(held));
      },
    });
    if (!listed.ok) return listed;
    this.#fleet.noteKnown(kind);
    return undefined;
  }

  #take(kind: Kind, raw: JsonObject): void {
    try {
      this.#fleet.apply(kind, this.#project(kind, raw));
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      this.#refused.push(`${kind} ${keyOfRaw(raw)} is left out: ${error.message}`);
    }
  }
}

function errorOf(kind: Kind, failure: CallFailure): KubernetesError {
  if (failure.error) return failure.error;
  if (failure.code === 401) return new KubernetesError('CredentialsRefused', failure.message);
  const code = failure.code === undefined ? '' : ` (${failure.code})`;
  return new KubernetesError('ClusterUnreachable', `cannot list ${kind}${code}: ${failure.message}`);
}

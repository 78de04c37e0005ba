import { isNotFound } from '../decide/api-result.ts';
import type { Lookup } from '../decide/eviction/lookup.ts';
import type { Kind, KindMap } from '../fleet/fleet.ts';
import { ProjectionError, project } from '../kubevirt/projection.ts';
import type { CallFailure } from './answer.ts';
import type { ApiClient } from './api-client.ts';
import { objectPath, resourcesOf } from './resources.ts';

/**
 * Reads single objects as they are now.
 *
 * Promise: an object that is not there is `missing` with the server's text; everything else that keeps it from being read is
 * an `error`, an object that is not as Kubernetes has it included. Nothing is thrown and nothing tried again.
 */
export class Reads {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** By its key, `namespace/name` or `name`. */
  async get<K extends Kind>(kind: K, key: string): Promise<Lookup<KindMap[K]>> {
    const path = objectPath(resourcesOf(kind)[0], key);
    const answer = await this.#api.call({ method: 'GET', path, verb: 'get' });
    return answer.ok ? read(kind, answer.object) : lookupOf(answer);
  }
}

function read<K extends Kind>(kind: K, object: unknown): Lookup<KindMap[K]> {
  try {
    return { found: project(kind, object) as KindMap[K] };
  } catch (error) {
    if (error instanceof ProjectionError) return { error: error.message };
    throw error;
  }
}

function lookupOf(failure: CallFailure): Lookup<never> {
  const { message } = failure;
  return isNotFound(failure) ? { missing: true, message } : { error: message };
}

import type { DeleteOptions, EvictionCall, JsonPatchOperation, PatchOptions } from '../controllers/ports.ts';
import type { ApiResult } from '../decide/api-result.ts';
import type { Kind, KindMap } from '../fleet/fleet.ts';
import { objectAt } from '../kubevirt/json.ts';
import { nameIn } from '../kubevirt/object-key.ts';
import type { Answer } from './answer.ts';
import type { ApiClient, Call } from './api-client.ts';
import { apiVersionOf, collectionPath, objectPath, resourcesOf } from './resources.ts';

/** So often an object is read and replaced while others write to it. */
const MOST_ATTEMPTS = 10;

/**
 * Writes to the cluster, each sent once.
 *
 * Promise: what the API server refuses is an `ApiFailure` with its message, reason and code; a failure without code means
 * that nobody knows whether the write happened. Nothing is sent while `mayWrite` says no.
 */
export class Writes {
  readonly #api: ApiClient;
  readonly #mayWrite: () => boolean;
  readonly #dryRun: boolean;

  /** With `dryRun` every write is one. */
  constructor(api: ApiClient, mayWrite: () => boolean, dryRun = false) {
    this.#api = api;
    this.#mayWrite = mayWrite;
    this.#dryRun = dryRun;
  }

  /** The result carries the name of the object, which the server may have made up. */
  create(kind: Kind, namespace: string | undefined, object: object): Promise<ApiResult> {
    const [resource] = resourcesOf(kind);
    const body = { apiVersion: apiVersionOf(resource), kind, ...object };
    return this.#send(
      { method: 'POST', path: collectionPath(resource, namespace), body, verb: 'create' },
      '',
    );
  }

  patch(
    kind: Kind,
    key: string,
    operations: readonly JsonPatchOperation[],
    { subresource, dryRun }: PatchOptions = {},
  ): Promise<ApiResult> {
    const call: Call = {
      method: 'PATCH',
      path: objectPath(resourcesOf(kind)[0], key, subresource),
      query: dryRunQuery(dryRun),
      body: operations,
      contentType: 'application/json-patch+json',
    };
    return this.#send(call, nameIn(key));
  }

  async modify<K extends Kind>(
    kind: K,
    key: string,
    change: (object: KindMap[K]) => KindMap[K] | undefined,
    { subresource }: Pick<PatchOptions, 'subresource'> = {},
  ): Promise<ApiResult> {
    const path = objectPath(resourcesOf(kind)[0], key);
    const goal = objectPath(resourcesOf(kind)[0], key, subresource);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#api.call({ method: 'GET', path, verb: 'get' });
      if (!answer.ok) return resultOf(answer, nameIn(key));
      const held = answer.object as unknown as KindMap[K];
      const wanted = change(held);
      if (!wanted || wanted === held) return { ok: true, name: nameIn(key) };
      const call: Call = { method: 'PUT', path: goal, body: wanted, verb: 'update' };
      const result = await this.#send(call, nameIn(key));
      if (result.ok || result.code !== 409 || attempt === MOST_ATTEMPTS) return result;
    }
  }

  delete(kind: Kind, key: string, { graceSeconds, uid }: DeleteOptions = {}): Promise<ApiResult> {
    const path = objectPath(resourcesOf(kind)[0], key);
    const body = {
      ...{ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: graceSeconds },
      ...(uid !== undefined && { preconditions: { uid } }),
    };
    const isPlain = graceSeconds === undefined && uid === undefined;
    return this.#send({ method: 'DELETE', path, ...(!isPlain && { body }) }, nameIn(key));
  }

  evict({ namespace, pod, body, dryRun }: EvictionCall): Promise<ApiResult> {
    const path = objectPath(resourcesOf('Pod')[0], `${namespace}/${pod}`, 'eviction');
    return this.#send({ method: 'POST', path, query: dryRunQuery(dryRun), body, verb: 'evict' }, pod);
  }

  async #send(call: Call, name: string): Promise<ApiResult> {
    if (!this.#mayWrite()) return { ok: false, message: 'not the leader any more: nothing was sent' };
    const query = this.#dryRun ? { ...call.query, ...dryRunQuery(true) } : call.query;
    return resultOf(await this.#api.call({ ...call, query }), name);
  }
}

function resultOf(answer: Answer, name: string): ApiResult {
  if (!answer.ok) {
    const { message, code, reason } = answer;
    return { ok: false, message, code, reason };
  }
  const given = objectAt(answer.object, 'metadata').name;
  return { ok: true, name: name || String(given ?? '') };
}

function dryRunQuery(dryRun: boolean | undefined): Readonly<Record<string, string>> | undefined {
  return dryRun ? { dryRun: 'All' } : undefined;
}

import type { ApiResult } from '../../decide/api-result.ts';
import type { ApiClient } from '../api-client.ts';
import { collectionOf } from './lease-path.ts';
import { readLease } from './lease-record.ts';

export interface LeaseNoteOptions {
  readonly api: ApiClient;
  readonly namespace: string;
  readonly name: string;
  /** Name of the annotation. */
  readonly annotation: string;
}

/**
 * An annotation of a Lease that nobody competes for: what a process keeps in the cluster that runs alone, without leader election.
 * The Lease is made with the first writing.
 */
export class LeaseNote {
  readonly #options: LeaseNoteOptions;
  #text: string | undefined;

  constructor(options: LeaseNoteOptions) {
    this.#options = options;
  }

  /** Reads it from the cluster; to be done once, before anything else. Throws where it cannot be known. */
  async load(): Promise<void> {
    const { api, annotation } = this.#options;
    const answer = await api.call({ method: 'GET', path: this.#path(), verb: 'get' });
    if (answer.ok) this.#text = readLease(answer.object).annotations[annotation];
    else if (answer.code !== 404)
      throw new Error(`cannot read the Lease ${this.#options.name}: ${answer.message}`);
  }

  /** As it was last read or written. */
  read(): string | undefined {
    return this.#text;
  }

  async write(text: string): Promise<ApiResult> {
    const patched = await this.#patch(text);
    const result = !patched.ok && patched.code === 404 ? await this.#create(text) : patched;
    if (result.ok) this.#text = text;
    return result;
  }

  async #patch(text: string): Promise<ApiResult> {
    const { api, name, annotation } = this.#options;
    const answer = await api.call({
      method: 'PATCH',
      path: this.#path(),
      body: { metadata: { annotations: { [annotation]: text } } },
      contentType: 'application/merge-patch+json',
    });
    return answer.ok ? { ok: true, name } : answer;
  }

  async #create(text: string): Promise<ApiResult> {
    const { api, namespace, name, annotation } = this.#options;
    const metadata = { namespace, name, annotations: { [annotation]: text } };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
    const answer = await api.call({ method: 'POST', path: collectionOf(namespace), body, verb: 'create' });
    return answer.ok ? { ok: true, name } : answer;
  }

  #path(): string {
    return `${collectionOf(this.#options.namespace)}/${encodeURIComponent(this.#options.name)}`;
  }
}

import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { type CallFailure, isExpired } from '../answer.ts';
import type { ApiClient } from '../api-client.ts';

export interface ListOptions {
  readonly path: string;
  readonly pageSize: number;
  /** Only objects with these fields, as kubectl's `--field-selector`. */
  readonly fieldSelector?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onPage: (objects: readonly JsonObject[]) => void;
  /** The server forgot the list in the middle: what came so far does not count as seen. */
  readonly onRestart: () => void;
}

export interface Listed {
  readonly ok: true;
  /** The version at which the list is true, to watch from. */
  readonly version: string;
}

/** Lists whose pages expired this often are asked for in one piece. */
const PAGED_TRIES = 2;

/**
 * Lists a kind in pages, all of one moment (the newest that the server has). When the server forgets that moment between
 * two pages the list starts anew, and after that without pages.
 */
export async function listPages(api: ApiClient, options: ListOptions): Promise<Listed | CallFailure> {
  for (let tried = 1; ; tried++) {
    const paged = tried <= PAGED_TRIES;
    const listed = await listOnce(api, options, paged ? options.pageSize : 0);
    if (listed.ok || !paged || !isExpired(listed)) return listed;
    options.onRestart();
  }
}

async function listOnce(api: ApiClient, options: ListOptions, limit: number): Promise<Listed | CallFailure> {
  const { path, signal, onPage } = options;
  for (let token = ''; ; ) {
    const query = queryOf(options, limit, token);
    const answer = await api.call({ method: 'GET', path, query, verb: 'list', signal });
    if (!answer.ok) return answer;
    const metadata = objectAt(answer.object, 'metadata');
    const version = metadata.resourceVersion;
    if (!Array.isArray(answer.object.items) || typeof version !== 'string') return notAList(path);
    onPage(objectsAt(answer.object, 'items'));
    token = typeof metadata.continue === 'string' ? metadata.continue : '';
    if (token === '') return { ok: true, version };
  }
}

function queryOf({ fieldSelector }: ListOptions, limit: number, token: string): Record<string, string> {
  return {
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(limit > 0 ? { limit: String(limit) } : {}),
    ...(token ? { continue: token } : {}),
  };
}

function notAList(path: string): CallFailure {
  return { ok: false, message: `what the server answered for ${path} is no list` };
}

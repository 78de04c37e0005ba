import { readFileSync } from 'node:fs';
import type { JsonObject } from '../src/kubevirt/json.ts';
import type { Lab } from '../src/lab/lab.ts';

/** etcd takes no more operations in one transaction. */
const MOST_OPERATIONS = 120;

/**
 * Lays objects into a lab's etcd, past the API server, which reads them from there like its own. For large clusters: admission and
 * field management cost more time than all that is to be measured. Objects have to be whole, with UID and time of creation.
 */
export class EtcdWriter {
  readonly #url: string;
  #waiting: object[] = [];

  constructor(lab: Lab) {
    const words = readFileSync(`/proc/${lab.etcd.pid}/cmdline`, 'utf8').split('\0');
    const flag = words.find((word) => word.startsWith('--listen-client-urls='));
    if (!flag) throw new Error('etcd was started without a URL for clients');
    this.#url = `${flag.slice(flag.indexOf('=') + 1)}/v3/kv/txn`;
  }

  /** `path` as under `/registry`. Resolves when there is room for more. */
  async put(path: string, object: JsonObject): Promise<void> {
    const encode = (text: string): string => Buffer.from(text).toString('base64');
    const requestPut = { key: encode(`/registry/${path}`), value: encode(JSON.stringify(object)) };
    this.#waiting.push({ requestPut });
    if (this.#waiting.length >= MOST_OPERATIONS) await this.flush();
  }

  async flush(): Promise<void> {
    const success = this.#waiting;
    this.#waiting = [];
    if (success.length === 0) return;
    const answer = await fetch(this.#url, { method: 'POST', body: JSON.stringify({ success }) });
    if (!answer.ok) throw new Error(`etcd: ${await answer.text()}`);
  }
}

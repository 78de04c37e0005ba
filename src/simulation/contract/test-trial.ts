import { expect } from 'vitest';
import type { Change, Cluster, JsonPatchOperation } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import type { Kind } from '../../fleet/fleet.ts';
import type { JsonObject } from '../../kubevirt/json.ts';

/** A cluster that the contract is tried on, empty as far as `KINDS_UNDER_TEST` go, with a namespace `default` and a node `n1`. */
export interface ClusterUnderTest {
  readonly cluster: Cluster;
  /** Resolves when the question is answered by yes; rejects when that takes too long. `what` says what is waited for. */
  until(holds: () => boolean, what: string): Promise<void>;
  /** The object as the API server has it now. */
  read(kind: Kind, key: string): Promise<JsonObject | undefined>;
  stop(): Promise<void>;
}

export const MIGRATION = 'VirtualMachineInstanceMigration';
export const VMI = 'VirtualMachineInstance';
export const NAMESPACE = 'default';

/** What the tests of the contract do with the cluster. */
export class Trial {
  readonly changes: Change[] = [];
  #under: ClusterUnderTest | undefined;
  #made = 0;

  begin(under: ClusterUnderTest): void {
    this.#under = under;
    const { cluster } = under;
    cluster.subscribe((change) => {
      const held = cluster.fleet.get(change.kind, change.key);
      if (held !== change.after) throw new Error(`${change.key} was told before the fleet had it`);
      this.changes.push(change);
    });
  }

  end = async (): Promise<void> => this.#under?.stop();

  get cluster(): Cluster {
    return this.#begun().cluster;
  }

  newName = (): string => `made-${++this.#made}`;

  read = (kind: Kind, name: string): Promise<JsonObject | undefined> =>
    this.#begun().read(kind, keyFor(name));

  create = (kind: Kind, object: object): Promise<ApiResult> => this.cluster.create(kind, NAMESPACE, object);

  remove = (kind: Kind, name: string): Promise<ApiResult> => this.cluster.delete(kind, keyFor(name));

  patch = (kind: Kind, name: string, ...operations: JsonPatchOperation[]): Promise<ApiResult> =>
    this.cluster.patch(kind, keyFor(name), operations);

  patchStatus = (kind: Kind, name: string, value: object): Promise<ApiResult> =>
    this.cluster.patch(kind, keyFor(name), [{ op: 'add', path: '/status', value }], {
      subresource: 'status',
    });

  /** Creates an object with a name of its own, and gives the name. */
  make = async (kind: Kind, object: object = {}): Promise<string> => {
    const name = this.newName();
    const { metadata, ...rest } = object as { metadata?: object };
    const result = await this.create(kind, { metadata: { ...metadata, name }, ...rest });
    expect(result).toEqual({ ok: true, name });
    return name;
  };

  migration = (): Promise<string> => this.make(MIGRATION, { spec: { vmiName: 'db' } });

  /** Waits until the listener has heard exactly this about an object. */
  hear = (name: string, ...expected: string[]): Promise<void> =>
    this.#begun().until(
      () => this.#told(name).join() === expected.join(),
      `${name} to be told as ${expected.join()}`,
    );

  #told(name: string): string[] {
    return this.changes
      .filter(({ key }) => key === keyFor(name))
      .map(({ before, after }) => (before ? (after ? 'changed' : 'gone') : 'came'));
  }

  #begun(): ClusterUnderTest {
    if (!this.#under) throw new Error('the cluster has not been started');
    return this.#under;
  }
}

export function keyFor(name: string): string {
  return `${NAMESPACE}/${name}`;
}

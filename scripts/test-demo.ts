import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { collectionPath, resourcesOf } from '../src/kubernetes/resources.ts';
import { type JsonObject, objectAt, objectsAt } from '../src/kubevirt/json.ts';
import { type KnownKind, knownKind } from '../src/kubevirt/kinds.ts';
import type { Lab } from '../src/lab/lab.ts';

/** Owners come before what they own. */
const ORDER: readonly KnownKind[] = ['VirtualMachine', 'VirtualMachineInstance'];
const rank = ({ kind }: JsonObject): number => ORDER.indexOf(kind as KnownKind);

/** Puts the sample cluster of `testdata/demo` onto a real API server, as far as one without kubelets can have it. */
export async function loadDemo(lab: Lab): Promise<void> {
  const { items } = load(readFileSync('testdata/demo/cluster.yaml', 'utf8')) as { items: JsonObject[] };
  const isOwner = (object: JsonObject): boolean => rank(object) >= 0;
  const owners = items.filter(isOwner).sort((a, b) => rank(a) - rank(b));
  const loading = new Loading(lab);
  for (const object of [...owners, ...items.filter((object) => !isOwner(object))]) await loading.put(object);
}

class Loading {
  readonly #lab: Lab;
  /** Of those in the file → of those that the API server made. */
  readonly #uids = new Map<string, string>();
  readonly #namespaces = new Set<string>(['default']);

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  async put(object: JsonObject): Promise<void> {
    const kind = knownKind(String(object.apiVersion), String(object.kind));
    if (!kind) throw new Error(`the demo has a ${object.kind}`);
    const { uid, namespace, name } = objectAt(object, 'metadata');
    if (typeof namespace === 'string') await this.#needNamespace(namespace);
    const resource = resourcesOf(kind)[0];
    const path = collectionPath(resource, namespace as string | undefined);
    const made = await this.#send('POST', path, this.#anew(object));
    this.#uids.set(String(uid), String(objectAt(made, 'metadata').uid));
    const isWhole = kind === 'VirtualMachineInstance' || object.status === undefined;
    if (!isWhole) await this.#send('PATCH', `${path}/${name}/status`, { status: object.status });
  }

  async #needNamespace(name: string): Promise<void> {
    if (this.#namespaces.has(name)) return;
    this.#namespaces.add(name);
    await this.#send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    });
  }

  /** As it can be created: nothing in it that only the API server gives, and UIDs that are in force. */
  #anew(object: JsonObject): JsonObject {
    const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = objectAt(object, 'metadata');
    const labels = objectAt(metadata, 'labels');
    const createdBy = labels['kubevirt.io/created-by'];
    const owners = objectsAt(metadata, 'ownerReferences').map((owner) => this.#withUid(owner));
    return {
      ...object,
      metadata: {
        ...metadata,
        labels: {
          ...labels,
          ...(createdBy ? { 'kubevirt.io/created-by': this.#uids.get(String(createdBy)) } : {}),
        },
        ...(owners.length > 0 ? { ownerReferences: owners } : {}),
      },
    };
  }

  #withUid(owner: JsonObject): JsonObject {
    return { ...owner, uid: this.#uids.get(String(owner.uid)) ?? owner.uid };
  }

  async #send(method: 'POST' | 'PATCH', path: string, body: JsonObject): Promise<JsonObject> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : undefined;
    const answer = await this.#lab.admin.call({ method, path, body, contentType });
    if (!answer.ok) throw new Error(`${path}: ${answer.message}`);
    return answer.object;
  }
}

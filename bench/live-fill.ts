import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, objectAt, objectsAt } from '../src/kubevirt/json.ts';
import type { Lab } from '../src/lab/lab.ts';
import { patch, put } from '../src/main/webhook/test-webhook.ts';
import { EtcdWriter } from './etcd-writer.ts';
import { CURRENT_IMAGE, generateFleet } from './fleet-generator.ts';

const WARM_PAGE_MS = 1_500;
const WARM_UP_MS = 600_000;
/** Migrations at a time. */
const CAP = 50;
export const KUBEVIRT_IO = '/apis/kubevirt.io/v1';
export const CR = `${KUBEVIRT_IO}/namespaces/kubevirt/kubevirts/kubevirt`;

/** Creates nodes and the CR, without methods, so that there is nothing to do; lays VMIs and launcher pods into etcd. */
export async function fill(lab: Lab, vms: number): Promise<void> {
  const namespaces = new Namespaces(lab);
  for (const name of ['kubevirt', 'drover-system']) await namespaces.make(name);
  await createKubeVirt(lab);
  const fleet = generateFleet({ vms }) as Generator<JsonObject>;
  const etcd = new EtcdWriter(lab);
  for (const { node, vmi, pod } of groupsOf(fleet)) {
    if (node) await createNode(lab, node);
    if (vmi && pod) await layVmi(etcd, vmi, pod, namespaces);
  }
  await etcd.flush();
  // Its caches take in tens of thousands of objects far sooner from a list than one after another.
  await lab.killApiServer();
  await lab.restartApiServer();
  await untilWarm(lab);
}

/** Until the API server has VMIs in its own cache; before that a page takes it seconds. */
async function untilWarm({ admin }: Lab): Promise<void> {
  const end = performance.now() + WARM_UP_MS;
  for (let took = Number.POSITIVE_INFINITY; took > WARM_PAGE_MS && performance.now() < end; ) {
    const askedAt = performance.now();
    await admin.call({
      method: 'GET',
      path: `${KUBEVIRT_IO}/virtualmachineinstances`,
      query: { limit: '500' },
    });
    took = performance.now() - askedAt;
    await sleep(WARM_PAGE_MS);
  }
}

/** Each is made once, and whoever needs it waits until it is there. */
class Namespaces {
  readonly #lab: Lab;
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  make(name: string): Promise<unknown> {
    const made =
      this.#made.get(name) ??
      put(this.#lab, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    this.#made.set(name, made);
    return made;
  }
}

interface Group {
  readonly node?: JsonObject;
  readonly vmi?: JsonObject;
  readonly pod?: JsonObject;
}

/** Nodes alone, and VMIs with their launchers; those without one are left out. */
function* groupsOf(fleet: Iterable<JsonObject>): Generator<Group> {
  let vmi: JsonObject = {};
  for (const object of fleet) {
    if (object.kind === 'VirtualMachineInstance') vmi = object;
    else if (object.kind === 'Pod') yield { vmi, pod: object };
    else if (object.kind === 'Node') yield { node: object };
  }
}

async function createKubeVirt(lab: Lab): Promise<void> {
  const metadata = { name: 'kubevirt', namespace: 'kubevirt' };
  const spec = {
    configuration: { migrations: { parallelMigrationsPerCluster: CAP } },
    workloadUpdateStrategy: { workloadUpdateMethods: [] },
  };
  const status = { phase: 'Deployed', observedDeploymentID: 'same', targetDeploymentID: 'same' };
  const path = CR.slice(0, CR.lastIndexOf('/'));
  await put(lab, path, { apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata, spec });
  await patch(lab, `${CR}/status`, { status });
}

/** Without what the API server gives out itself. */
function bare(object: JsonObject): JsonObject {
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields: ____,
    ...metadata
  } = objectAt(object, 'metadata');
  return { ...object, metadata };
}

async function createNode(lab: Lab, node: JsonObject): Promise<void> {
  const { status, ...rest } = bare(node);
  await put(lab, '/api/v1/nodes', rest);
  const { allocatable, capacity } = status as JsonObject;
  await patch(lab, `/api/v1/nodes/${objectAt(node, 'metadata').name}/status`, {
    status: { allocatable, capacity },
  });
}

async function layVmi(
  etcd: EtcdWriter,
  vmi: JsonObject,
  pod: JsonObject,
  namespaces: Namespaces,
): Promise<void> {
  const { namespace, name, uid } = objectAt(vmi, 'metadata');
  await namespaces.make(String(namespace));
  await etcd.put(`kubevirt.io/virtualmachineinstances/${namespace}/${name}`, vmi);
  const metadata = objectAt(pod, 'metadata');
  const [owner] = objectsAt(metadata, 'ownerReferences');
  const labels = { ...objectAt(metadata, 'labels'), 'kubevirt.io/created-by': uid };
  await etcd.put(`pods/${namespace}/${metadata.name}`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels, ownerReferences: [{ ...owner, uid }] },
    spec: {
      nodeName: objectAt(pod, 'spec').nodeName,
      containers: [{ name: 'compute', image: CURRENT_IMAGE }],
      ...podRest(pod.spec),
    },
    status: { phase: 'Running' },
  });
}

/** What the scheduler reads of a launcher. */
function podRest(spec: unknown): JsonObject {
  const { nodeSelector, affinity, tolerations } = spec as JsonObject;
  return { nodeSelector, affinity, tolerations };
}

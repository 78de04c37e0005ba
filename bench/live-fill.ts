import { type JsonObject, objectAt, objectsAt } from '../src/kubevirt/json.ts';
import type { Lab } from '../src/lab/lab.ts';
import { patch, put } from '../src/main/test-webhook.ts';
import { CURRENT_IMAGE, generateFleet } from './fleet-generator.ts';

const AT_ONCE = 16;
/** Migrations at a time. */
const CAP = 50;
export const KUBEVIRT_IO = '/apis/kubevirt.io/v1';
export const CR = `${KUBEVIRT_IO}/namespaces/kubevirt/kubevirts/kubevirt`;

/** Creates nodes, VMIs and launcher pods, and the CR without methods, so that there is nothing to do. */
export async function fill(lab: Lab, vms: number): Promise<void> {
  const namespaces = new Set<string>(['kubevirt', 'drover-system']);
  for (const name of namespaces) await lab.kubectl(['create', 'namespace', name]);
  await createKubeVirt(lab);
  const fleet = generateFleet({ vms }) as Generator<JsonObject>;
  const groups = groupsOf(fleet);
  const work = async (): Promise<void> => {
    for (const { node, vmi, pod } of groups) {
      if (node) await createNode(lab, node);
      if (vmi && pod) await createVmi(lab, vmi, pod, namespaces);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
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

async function createVmi(lab: Lab, vmi: JsonObject, pod: JsonObject, namespaces: Set<string>): Promise<void> {
  const namespace = String(objectAt(vmi, 'metadata').namespace);
  if (!namespaces.has(namespace)) {
    namespaces.add(namespace);
    await lab.kubectl(['create', 'namespace', namespace]);
  }
  const made = await put(lab, `${KUBEVIRT_IO}/namespaces/${namespace}/virtualmachineinstances`, bare(vmi));
  const uid = objectAt(made, 'metadata').uid;
  const { metadata, spec } = bare(pod);
  const [owner] = objectsAt(metadata as JsonObject, 'ownerReferences');
  const labels = { ...objectAt(metadata as JsonObject, 'labels'), 'kubevirt.io/created-by': uid };
  await put(lab, `/api/v1/namespaces/${namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...(metadata as JsonObject), labels, ownerReferences: [{ ...owner, uid }] },
    spec: {
      nodeName: objectAt(pod, 'spec').nodeName,
      containers: [{ name: 'compute', image: CURRENT_IMAGE }],
      ...podRest(spec),
    },
  });
}

/** What the scheduler reads of a launcher. */
function podRest(spec: unknown): JsonObject {
  const { nodeSelector, affinity, tolerations } = spec as JsonObject;
  return { nodeSelector, affinity, tolerations };
}

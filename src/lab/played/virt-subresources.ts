import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Cluster } from '../../controllers/ports.ts';
import type { Lab } from '../lab.ts';
import { mustCreate } from '../must-create.ts';
import { waitFor } from '../wait.ts';
import { openDoor } from './https-door.ts';
import {
  answerCall,
  EVACUATE_CANCEL,
  failed,
  type HttpAnswer,
  notServed,
  type VirtCall,
  VM_CALLS,
  versionAnswer,
} from './virt-calls.ts';

/** virt-api's calls on VMs, as `virtctl` makes them, behind the real API server's aggregation layer. */
export interface VirtSubresources {
  stop(): Promise<void>;
}

const GROUP = 'subresources.kubevirt.io';
const VERSIONS = ['v1', 'v1alpha3'] as const;
const SERVICE = 'virt-api';

/**
 * Serves `subresources.kubevirt.io` and registers it: start, stop, restart and migrate of VMs, evacuate/cancel of VMs and VMIs.
 * Consoles, pausing and the like are not there. Resolves when the API server hands calls on.
 */
export async function startVirtSubresources(
  lab: Lab,
  cluster: Cluster,
  namespace: string,
): Promise<VirtSubresources> {
  const answer: RequestListener = async (request, response) => {
    const { code, body } = await answerTo(request, cluster).catch((error: unknown) =>
      failed(500, String(error)),
    );
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const door = await openDoor(lab, answer, `${SERVICE}.${namespace}.svc`);
  await register(lab, namespace, door.port);
  return { stop: () => door.close() };
}

/** A Service by name of this machine: the API server calls where it points, without any pod behind it. */
async function register(lab: Lab, namespace: string, port: number): Promise<void> {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: SERVICE },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  };
  await mustCreate(lab.admin, `/api/v1/namespaces/${namespace}/services`, service);
  for (const version of VERSIONS) {
    const body = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${GROUP}` },
      spec: {
        ...{ group: GROUP, version, groupPriorityMinimum: 1000, versionPriority: 15 },
        service: { namespace, name: SERVICE, port },
        caBundle: Buffer.from(lab.authority).toString('base64'),
      },
    };
    await mustCreate(lab.admin, '/apis/apiregistration.k8s.io/v1/apiservices', body);
  }
  const isServed = async () => (await lab.admin.call({ method: 'GET', path: `/apis/${GROUP}/v1` })).ok;
  await waitFor(isServed, { what: `${GROUP} to be served`, seconds: 60 });
}

const CALL =
  /^\/apis\/subresources\.kubevirt\.io\/v1(?:alpha3)?\/namespaces\/([^/]+)\/(virtualmachines|virtualmachineinstances)\/([^/]+)\/(start|stop|restart|migrate|evacuate\/cancel)$/;

async function answerTo(request: IncomingMessage, cluster: Cluster): Promise<HttpAnswer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const [, namespace, plural, name, call] = CALL.exec(path) ?? [];
  if (request.method === 'GET') return told(path, cluster);
  const isServed = plural === 'virtualmachines' || call === EVACUATE_CANCEL;
  if (request.method !== 'PUT' || !namespace || !name || !call || !isServed) return notServed(path);
  const key = `${namespace}/${decodeURIComponent(name)}`;
  return answerCall(cluster, key, call as VirtCall, await text(request));
}

function told(path: string, cluster: Cluster): HttpAnswer {
  const [, version, wanted] =
    /^\/apis\/subresources\.kubevirt\.io\/(v1|v1alpha3)(\/version)?$/.exec(path) ?? [];
  if (version === undefined) return notServed(path);
  return wanted === undefined ? discovery(version) : versionAnswer(cluster);
}

function discovery(version: string): HttpAnswer {
  const vms = VM_CALLS.map((call) => `virtualmachines/${call}`);
  const resources = [...vms, `virtualmachineinstances/${EVACUATE_CANCEL}`].map((name) => ({
    ...{ name, singularName: '', namespaced: true, kind: '', verbs: ['update'] },
  }));
  return {
    code: 200,
    body: {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${GROUP}/${version}`,
      resources,
    },
  };
}

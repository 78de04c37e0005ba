import type { RequestListener } from 'node:http';
import { release } from 'node:os';
import type { Change, Cluster } from '../../controllers/ports.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { wallClock } from '../../kubernetes/wall-clock.ts';
import { CONDITION } from '../../kubevirt/names.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { findCondition } from '../../kubevirt/predicates.ts';
import { KUBELET_ADDRESS, type Lab } from '../lab.ts';
import { openDoor } from './https-door.ts';
import { keepLeases, renewLease } from './node-leases.ts';

/** What kubelets of a lab tell of their nodes, and the one door behind which all of them answer. */
export interface PlayedKubelets {
  stop(): Promise<void>;
}

/**
 * Every node tells its version, system and address, and has a Lease, as soon as it is there, so that `kubectl get nodes -o wide` reads as on a real
 * cluster, and `kubectl logs` and `exec` are answered in words. What else it told before, as in a snapshot, is put in place of.
 */
export async function startPlayedKubelets(
  lab: Lab,
  cluster: Cluster,
  plays: (node: string) => boolean = () => true,
): Promise<PlayedKubelets> {
  const nodeInfo = await playedNodeInfo(lab.admin);
  const { port, close } = await openDoor(lab, refuse);
  let nodes = 0;
  const isAlive = ({ metadata, status }: Node): boolean =>
    plays(metadata.name) && (findCondition(status?.conditions, CONDITION.ready)?.status ?? 'True') === 'True';
  const tell = async ({ metadata: { name } }: Node): Promise<void> => {
    if (!plays(name)) return;
    const status = {
      nodeInfo,
      addresses: [
        { type: 'InternalIP', address: addressOf(nodes++) },
        { type: 'Hostname', address: name },
        { type: KUBELET_ADDRESS, address: 'localhost' },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    };
    const path = `/api/v1/nodes/${name}/status`;
    await lab.admin.call({
      ...{ method: 'PATCH', path, contentType: 'application/merge-patch+json', body: { status } },
    });
    await renewLease(lab.admin, name, wallClock.now());
  };
  const leave = cluster.subscribe(({ kind, before, after }: Change) => {
    if (kind === 'Node' && !before && after) void tell(after as Node);
  });
  await Promise.all([...cluster.fleet.all('Node')].sort(byKey).map(tell));
  const stopLeases = keepLeases(lab.admin, wallClock, () =>
    [...cluster.fleet.all('Node')].filter(isAlive).map(({ metadata }) => metadata.name),
  );
  return {
    stop() {
      stopLeases();
      leave();
      return close();
    },
  };
}

/** What a node says of its machine, which is the one that plays it; its kubelet is of the API server's version. */
export async function playedNodeInfo(api: ApiClient): Promise<object> {
  const version = await api.call({ method: 'GET', path: '/version' });
  const kubeletVersion = version.ok ? String(version.object.gitVersion) : '';
  return {
    ...{ architecture: 'amd64', operatingSystem: 'linux', kubeletVersion, osImage: 'Drover lab' },
    ...{ kernelVersion: release(), containerRuntimeVersion: 'drover-lab://played' },
  };
}

/** An address of a private network for each node, in the order in which they came; nobody answers there. */
function addressOf(index: number): string {
  return `172.30.${Math.floor(index / 254) % 256}.${1 + (index % 254)}`;
}

const WANTED: Readonly<Record<string, string>> = {
  containerLogs: 'it has no logs',
  exec: 'no command can be run in it',
  attach: 'there is nothing to attach to',
  portForward: 'no port of it can be forwarded',
};

/**
 * Why a kubelet does not do what this URL of its asks for. Without a colon: what looks like YAML, kubectl takes for an object, and
 * shows nothing of it.
 */
export function refusalOf(url: string): string {
  const [, call = '', namespace, pod] = url.split('?', 1)[0]?.split('/') ?? [];
  const wanted = WANTED[call] ?? 'its kubelet answers nothing';
  const what = pod === undefined ? 'this node' : `pod ${namespace}/${pod}`;
  return `${what} is played by the lab, without containers, so ${wanted}`;
}

/** With a code whose text kubectl shows. */
const refuse: RequestListener = (request, response) => {
  response.writeHead(400, { 'content-type': 'text/plain' });
  response.end(refusalOf(request.url ?? ''));
};

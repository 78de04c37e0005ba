import { describedNode, type RawObject } from '../../../scenario/cluster.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';
import { withPodsCounted } from './pod-quota.ts';

/**
 * Pods that have nothing to do with VMs: of DaemonSets and Deployments, and now and then one that nobody controls. Those of Deployments
 * that a drain evicts are in a namespace of their own: nobody plays who makes others for them.
 */
export function pods(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const names = cluster.nodes.map((node) => describedNode(node).name);
  const agents = names.map((node) => podOn(draws, node, `agent-${node}`, owned('DaemonSet', 'agent')));
  const web = Array.from({ length: draws.between(0, 4) }, (_, index) =>
    podOn(draws, draws.pick('n2', 'n2', ...names), `web-${index}`, owned('ReplicaSet', 'web')),
  );
  const bare = draws.percent(12) ? [podOn(draws, 'n1', 'bare', {})] : [];
  const here = [...agents, ...web.filter(({ spec }) => (spec as RawObject).nodeName !== 'n1'), ...bare];
  const apart = web.filter((pod) => !here.includes(pod)).map(inNamespaceOfItsOwn);
  const daemonSet = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent', uid: 'agent' } };
  const objects = [...(cluster.objects ?? []), daemonSet, ...here, ...apart];
  return { ...trial, cluster: withPodsCounted({ ...cluster, objects }) };
}

function inNamespaceOfItsOwn(pod: RawObject): RawObject {
  return { ...pod, metadata: { ...(pod.metadata as RawObject), namespace: 'platform' } };
}

function owned(kind: string, name: string): RawObject {
  return { ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: name, controller: true }] };
}

function podOn(draws: Draws, nodeName: string, name: string, metadata: RawObject): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: name, labels: { pool: draws.pick('web', 'db', 'none') }, ...metadata },
    spec: {
      nodeName,
      containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: '10m' } } }],
      volumes: draws.percent(20) ? [{ name: 'cache', emptyDir: {} }] : [],
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

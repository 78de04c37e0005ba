import type { Clock } from '../../controllers/ports.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';

/** As kubelet has them. */
const RENEW_SECONDS = 10;
const DURATION_SECONDS = 40;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** Renews the Leases of nodes, by which a cluster's node controller tells that they live. Call what it gives to end it. */
export function keepLeases(api: ApiClient, clock: Clock, nodes: readonly string[]): () => void {
  const callOffs = new Map<string, () => void>();
  const renewLater = (node: string, seconds: number): void => {
    callOffs.set(
      node,
      clock.after(seconds, () => {
        renewLater(node, RENEW_SECONDS);
        void renew(api, node, clock.now());
      }),
    );
  };
  // Spread over the interval, so that they do not come all at once.
  for (const [i, node] of nodes.entries()) renewLater(node, (i * RENEW_SECONDS) / nodes.length);
  return () => {
    for (const callOff of callOffs.values()) callOff();
  };
}

async function renew(api: ApiClient, node: string, now: number): Promise<void> {
  const renewTime = `${new Date(now).toISOString().slice(0, -1)}000Z`;
  const spec = { holderIdentity: node, leaseDurationSeconds: DURATION_SECONDS, renewTime };
  const patched = await api.call({
    method: 'PATCH',
    path: `${LEASES}/${node}`,
    contentType: 'application/merge-patch+json',
    body: { spec },
  });
  if (patched.ok || patched.code !== 404) return;
  const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: node }, spec };
  await api.call({ method: 'POST', path: LEASES, body });
}

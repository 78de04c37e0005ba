import type { Clock } from '../../controllers/ports.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';

/** As kubelet has them. */
const RENEW_SECONDS = 10;
const DURATION_SECONDS = 40;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** Renews the Leases of the nodes that there are by then, by which a cluster's node controller tells that they live. Call what it gives to end it. */
export function keepLeases(
  api: Pick<ApiClient, 'call'>,
  clock: Clock,
  nodes: () => readonly string[],
): () => void {
  let callOffs: (() => void)[] = [];
  const round = (): void => {
    const named = nodes();
    // Spread over the interval, so that they do not come all at once.
    const renewals = named.map((node, i) =>
      clock.after((i * RENEW_SECONDS) / named.length, () => void renewLease(api, node, clock.now())),
    );
    callOffs = [...renewals, clock.after(RENEW_SECONDS, round)];
  };
  round();
  return () => {
    for (const callOff of callOffs) callOff();
  };
}

/** Makes the Lease where there is none. */
export async function renewLease(api: Pick<ApiClient, 'call'>, node: string, now: number): Promise<void> {
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

import { objectPath, resourcesOf } from '../kubernetes/resources.ts';
import { follow } from '../kubernetes/test-follow.ts';
import { describeCluster, KINDS_UNDER_TEST } from '../simulation/contract/describe-cluster.ts';
import { describeLab } from './describe-lab.ts';
import { LAB_FLAGS, startLab } from './lab.ts';
import { kubevirtCrds } from './objects/crds.ts';
import { loadCrds } from './objects/load-crds.ts';
import { waitFor } from './wait.ts';

/** Without its service account admission, which asks for accounts that only a controller-manager makes. */

describeLab('the cluster on a real API server', () => {
  describeCluster(async () => {
    const lab = await startLab({ apiServerFlags: LAB_FLAGS });
    await loadCrds(lab.admin, kubevirtCrds());
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
    await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(node) });
    const { cluster, stop } = follow(lab.kubeconfig, { kinds: KINDS_UNDER_TEST });
    await waitFor(() => cluster.isSynced(), { what: 'the first lists' });
    return {
      cluster,
      until: async (holds, what) => void (await waitFor(holds, { what })),
      read: async (kind, key) => {
        const answer = await lab.admin.call({ method: 'GET', path: objectPath(resourcesOf(kind)[0], key) });
        return answer.ok ? answer.object : undefined;
      },
      stop: async () => {
        await stop();
        await lab.stop();
      },
    };
  });
});

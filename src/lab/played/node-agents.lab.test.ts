import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../controllers/silent.ts';
import { migrationConfiguration } from '../../decide/migration/configuration.ts';
import { type Followed, follow } from '../../kubernetes/test-follow.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { type NodeAgents, nodeAgents } from '../../simulation/actors/node/node-agents.ts';
import { RECORDED_BEHAVIOR } from '../../simulation/guests/behavior.ts';
import { describeLab } from '../describe-lab.ts';
import { LAB_FLAGS, type Lab, startLab } from '../lab.ts';
import { loadCrds } from '../objects/load-crds.ts';
import { crdSets } from '../objects/test-real-crds.ts';
import { waitFor } from '../wait.ts';
import { HASTE } from './test-haste.ts';

const KINDS = ['KubeVirt', 'Node', 'Pod', 'VirtualMachineInstance'] as const;
const VMIS = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances';
const PODS = '/api/v1/namespaces/default/pods';

describeLab('the node agents on a real API server', () => {
  describe.each(crdSets())('with %s', (_, crds) => {
    let lab: Lab;
    let followed: Followed;
    let agents: NodeAgents;

    beforeAll(async () => {
      lab = await startLab({ apiServerFlags: LAB_FLAGS });
      await loadCrds(lab.admin, crds);
      followed = follow(lab.kubeconfig, { kinds: KINDS });
      await waitFor(() => followed.cluster.isSynced(), { what: 'the first lists' });
      const context = { cluster: followed.cluster, clock: wallClock, random: systemRandom, ...silent };
      agents = nodeAgents(context, {
        nodes: [{ name: 'm1' }, { name: 'm2' }],
        times: HASTE,
        behaviorOf: () => ({
          ...RECORDED_BEHAVIOR,
          bootSeconds: 0.1,
          shutdown: { kind: 'clean', seconds: 0.3 },
          migration: { kind: 'takes', seconds: 0.3 },
        }),
      });
      agents.start();
    }, 120_000);
    afterAll(async () => {
      await agents?.stop();
      await followed?.stop();
      await lab?.stop();
    });

    const get = async <T>(path: string): Promise<T | undefined> => {
      const answer = await lab.admin.call({ method: 'GET', path });
      return answer.ok ? (answer.object as T) : undefined;
    };
    const vmi = () => get<Vmi>(`${VMIS}/db`);
    const pod = (number: number) => get<Pod>(`${PODS}/virt-launcher-db-${number}`);

    async function create(path: string, object: object): Promise<Vmi> {
      const made = await lab.admin.call({ method: 'POST', path, body: object });
      if (!made.ok) throw new Error(made.message);
      return made.object as unknown as Vmi;
    }

    const createLauncher = (owner: Vmi, number: number, node: string) => {
      const { metadata } = aPod(`virt-launcher-db-${number}`, 'default').launcherOf(owner).build();
      const ownerReferences = metadata.ownerReferences?.map((each) => ({
        ...each,
        apiVersion: 'kubevirt.io/v1',
      }));
      const spec = {
        nodeName: node,
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 60,
        containers: [{ name: 'compute', image: 'launcher:v1' }],
      };
      return create(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, uid: undefined, ownerReferences },
        spec,
      });
    };

    it('a guest boots, moves and shuts down', async () => {
      await waitFor(() => followed.cluster.fleet.count('Node') === 2, { what: 'the nodes' });
      const draft = aVmi('db', 'default').on('m1').phase('Scheduled').build();
      const spec = {
        domain: { devices: { interfaces: [{ name: 'default', masquerade: {} }] }, memory: { guest: '1Gi' } },
        networks: [{ name: 'default', pod: {} }],
        terminationGracePeriodSeconds: 30,
      };
      const made = await create(VMIS, {
        apiVersion: 'kubevirt.io/v1',
        ...draft,
        metadata: { ...draft.metadata, uid: undefined },
        spec,
      });
      await createLauncher(made, 1, 'm1');
      await waitFor(async () => (await vmi())?.status?.phase === 'Running', { what: 'the guest' });
      expect((await vmi())?.status).toMatchObject({
        selinuxContext: 'none',
        migrationMethod: 'LiveMigration',
        interfaces: [{ name: 'default', ipAddress: (await pod(1))?.status?.podIP }],
        conditions: [
          { type: 'LiveMigratable', status: 'True' },
          { type: 'StorageLiveMigratable', status: 'True' },
        ],
      });

      await createLauncher(made, 2, 'm2');
      await waitFor(async () => (await pod(2))?.status?.phase === 'Running', { what: 'the target' });
      await followed.cluster.modify('VirtualMachineInstance', 'default/db', (held) => ({
        ...held,
        metadata: {
          ...held.metadata,
          labels: { ...held.metadata.labels, [LABEL.migrationTargetNodeName]: 'm2' },
        },
        status: {
          ...held.status,
          evacuationNodeName: 'm1',
          migrationState: {
            ...{ migrationUid: 'move', sourceNode: 'm1', sourcePod: 'virt-launcher-db-1' },
            ...{ targetNode: 'm2', targetPod: 'virt-launcher-db-2' },
            migrationConfiguration: migrationConfiguration({}),
          },
        },
      }));
      const isReleased = async () =>
        (await vmi())?.metadata.labels?.[LABEL.migrationTargetNodeName] === undefined;
      await waitFor(isReleased, { what: 'the move' });
      const moved = await vmi();
      expect(moved?.status).toMatchObject({
        nodeName: 'm2',
        migrationState: { completed: true, mode: 'PreCopy' },
      });
      expect(moved?.status?.evacuationNodeName).toBeUndefined();
      expect(moved?.metadata.labels).toMatchObject({ [LABEL.nodeName]: 'm2' });
      await waitFor(async () => (await pod(1))?.status?.phase === 'Succeeded', {
        what: 'the end of the source pod',
      });

      await lab.admin.call({ method: 'DELETE', path: `${PODS}/virt-launcher-db-2` });
      await waitFor(async () => (await vmi())?.status?.phase === 'Succeeded', {
        what: 'the end of the guest',
      });
      await waitFor(async () => (await pod(2)) === undefined, { what: 'the end of the pod' });
      const { stdout } = await lab.kubectl(['get', 'events', '-o', 'jsonpath={.items[*].reason}']);
      for (const reason of [
        'Started',
        'PreparingTarget',
        'Migrating',
        'Migrated',
        'ShuttingDown',
        'Stopped',
      ]) {
        expect(stdout).toContain(reason);
      }
    }, 60_000);
  });
});

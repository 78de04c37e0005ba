import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../controllers/silent.ts';
import { type Followed, follow } from '../../kubernetes/test-follow.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Actor } from '../../simulation/actors/actor.ts';
import { migrationController } from '../../simulation/actors/migration/migration-controller.ts';
import { nodeAgents } from '../../simulation/actors/node/node-agents.ts';
import { RECORDED_BEHAVIOR } from '../../simulation/guests/behavior.ts';
import { describeLab } from '../describe-lab.ts';
import { LAB_FLAGS, type Lab, startLab } from '../lab.ts';
import { loadCrds } from '../objects/load-crds.ts';
import { crdSets } from '../objects/test-real-crds.ts';
import { waitFor } from '../wait.ts';
import { HASTE } from './test-haste.ts';

const KINDS = [
  'KubeVirt',
  'MigrationPolicy',
  'Namespace',
  'Node',
  'Pod',
  'ResourceQuota',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
] as const;
const KUBEVIRT = '/apis/kubevirt.io/v1/namespaces/default';
const VMIS = `${KUBEVIRT}/virtualmachineinstances`;
const MIGRATIONS = `${KUBEVIRT}/virtualmachineinstancemigrations`;
const PODS = '/api/v1/namespaces/default/pods';

describeLab('the migration controller on a real API server', () => {
  describe.each(crdSets())('with %s', (_, crds) => {
    let lab: Lab;
    let followed: Followed;
    const actors: Actor[] = [];
    let copySeconds = 0.3;

    beforeAll(async () => {
      lab = await startLab({ apiServerFlags: LAB_FLAGS });
      await loadCrds(lab.admin, crds);
      followed = follow(lab.kubeconfig, { kinds: KINDS });
      await waitFor(() => followed.cluster.isSynced(), { what: 'the first lists' });
      const context = { cluster: followed.cluster, clock: wallClock, random: systemRandom, ...silent };
      actors.push(
        migrationController(context, { behavior: 'exact', launcherImage: () => 'launcher:v2' }),
        nodeAgents(context, {
          nodes: [{ name: 'm1' }, { name: 'm2' }],
          times: HASTE,
          behaviorOf: () => ({
            ...RECORDED_BEHAVIOR,
            bootSeconds: 0.1,
            migration: { kind: 'takes', seconds: copySeconds },
          }),
        }),
      );
      for (const actor of actors) actor.start();
    }, 120_000);
    afterAll(async () => {
      await Promise.all(actors.map((actor) => actor.stop()));
      await followed?.stop();
      await lab?.stop();
    });

    async function create<T>(path: string, object: object): Promise<T> {
      const made = await lab.admin.call({ method: 'POST', path, body: object });
      if (!made.ok) throw new Error(made.message);
      return made.object as unknown as T;
    }
    const get = async <T>(path: string): Promise<T | undefined> => {
      const answer = await lab.admin.call({ method: 'GET', path });
      return answer.ok ? (answer.object as T) : undefined;
    };
    const vmi = () => get<Vmi>(`${VMIS}/db`);
    const migration = (name: string) => get<Migration>(`${MIGRATIONS}/${name}`);
    const phaseOf = async (name: string) => (await migration(name))?.status?.phase;

    const targetOf = (name: string): Pod | undefined =>
      [...followed.cluster.fleet.all('Pod')].find(
        ({ metadata }) => metadata.annotations?.['kubevirt.io/migrationJobName'] === name,
      );

    /** What the scheduler would do. */
    async function bind(name: string, node: string): Promise<void> {
      await waitFor(() => targetOf(name) !== undefined, { what: 'the target pod' });
      const pod = targetOf(name)?.metadata.name;
      const metadata = { name: pod };
      const target = { apiVersion: 'v1', kind: 'Node', name: node };
      await create(`${PODS}/${pod}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata, target });
    }

    const order = (name: string) =>
      create(MIGRATIONS, {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstanceMigration',
        metadata: { name, namespace: 'default', finalizers: ['kubevirt.io/migrationJobFinalize'] },
        spec: { vmiName: 'db' },
      });

    async function createVmi(): Promise<void> {
      const { metadata, status } = aVmi('db', 'default').on('m1').phase('Scheduled').build();
      const domain = {
        devices: { interfaces: [{ name: 'default', masquerade: {} }] },
        memory: { guest: '1Gi' },
      };
      const made = await create<Vmi>(VMIS, {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: { ...metadata, uid: undefined },
        spec: { domain, networks: [{ name: 'default', pod: {} }] },
        status,
      });
      const launcher = aPod('virt-launcher-db-1', 'default').launcherOf(made).build().metadata;
      const ownerReferences = launcher.ownerReferences?.map((each) => ({
        ...each,
        apiVersion: 'kubevirt.io/v1',
      }));
      await create(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...launcher, uid: undefined, ownerReferences },
        spec: {
          nodeName: 'm1',
          restartPolicy: 'Never',
          containers: [{ name: 'compute', image: 'launcher:v1' }],
        },
      });
      await waitFor(async () => (await vmi())?.status?.phase === 'Running', { what: 'the guest' });
    }

    it('moves a guest, and gives another move up when it is told to', async () => {
      await waitFor(() => followed.cluster.fleet.count('Node') === 2, { what: 'the nodes' });
      await createVmi();
      await order('first');
      await bind('first', 'm2');
      await waitFor(async () => (await migration('first'))?.metadata.finalizers === undefined, {
        what: 'the end of the migration',
      });
      const first = await migration('first');
      expect(first?.metadata.labels).toEqual({ 'kubevirt.io/vmi-name': 'db' });
      expect(first?.status).toMatchObject({
        phase: 'Succeeded',
        migrationState: {
          sourceNode: 'm1',
          targetNode: 'm2',
          completed: true,
          sourcePod: 'virt-launcher-db-1',
        },
      });
      expect((await vmi())?.status).toMatchObject({ nodeName: 'm2', runtimeUser: 107 });
      expect(targetOf('first')?.spec?.containers?.[0]?.image).toBe('launcher:v2');

      copySeconds = 60;
      await order('second');
      await bind('second', 'm1');
      await waitFor(async () => (await phaseOf('second')) === 'Running', { what: 'the second move' });
      await lab.admin.call({ method: 'DELETE', path: `${MIGRATIONS}/second` });
      await waitFor(async () => (await migration('second')) === undefined, { what: 'its end' });
      expect((await vmi())?.status).toMatchObject({
        nodeName: 'm2',
        migrationState: { failed: true, abortStatus: 'Succeeded' },
      });
      const { stdout } = await lab.kubectl(['get', 'events', '-o', 'jsonpath={.items[*].reason}']);
      for (const reason of ['SuccessfulHandOver', 'SuccessfulMigration', 'SuccessfulAbortMigration']) {
        expect(stdout).toContain(reason);
      }
    }, 60_000);
  });
});

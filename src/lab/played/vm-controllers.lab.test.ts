import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../controllers/silent.ts';
import { type Followed, follow } from '../../kubernetes/test-follow.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import type { Pod, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import type { Actor } from '../../simulation/actors/actor.ts';
import { vmController } from '../../simulation/actors/vm/vm-controller.ts';
import { vmiController } from '../../simulation/actors/vmi/vmi-controller.ts';
import { describeLab } from '../describe-lab.ts';
import { LAB_FLAGS, type Lab, startLab } from '../lab.ts';
import { loadCrds } from '../objects/load-crds.ts';
import { crdSets } from '../objects/test-real-crds.ts';
import { waitFor } from '../wait.ts';

const KINDS = [
  'KubeVirt',
  'Pod',
  'PersistentVolumeClaim',
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
] as const;
const KUBEVIRT = '/apis/kubevirt.io/v1/namespaces/default';
const PODS = '/api/v1/namespaces/default/pods';

describeLab('the VM and VMI controllers on a real API server', () => {
  describe.each(crdSets())('with %s', (_, crds) => {
    let lab: Lab;
    let followed: Followed;
    let actors: readonly Actor[] = [];

    beforeAll(async () => {
      lab = await startLab({ apiServerFlags: LAB_FLAGS });
      await loadCrds(lab.admin, crds);
      followed = follow(lab.kubeconfig, { kinds: KINDS });
      await waitFor(() => followed.cluster.isSynced(), { what: 'the first lists' });
      const context = { cluster: followed.cluster, clock: wallClock, random: systemRandom, ...silent };
      actors = [vmController(context), vmiController(context, { launcherImage: () => 'launcher:v1' })];
      for (const actor of actors) actor.start();
    }, 120_000);
    afterAll(async () => {
      await Promise.all(actors.map((actor) => actor.stop()));
      await followed?.stop();
      await lab?.stop();
    });

    async function call(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<JsonObject> {
      const answer = await lab.admin.call({ method, path, body });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.message}`);
      return answer.object as JsonObject;
    }

    async function get<T>(path: string): Promise<T | undefined> {
      const answer = await lab.admin.call({ method: 'GET', path });
      return answer.ok ? (answer.object as T) : undefined;
    }

    const vm = () => get<VirtualMachine>(`${KUBEVIRT}/virtualmachines/db`);
    const vmi = () => get<Vmi>(`${KUBEVIRT}/virtualmachineinstances/db`);
    const launchers = async () => (await get<{ items: Pod[] }>(PODS))?.items ?? [];
    const phaseIs = (phase: string) =>
      waitFor(async () => (await vmi())?.status?.phase === phase, { what: `phase ${phase}` });

    it('starts a VM: a VMI with a launcher, and a status that says so', async () => {
      const spec = {
        runStrategy: 'Always',
        template: {
          metadata: { labels: { tier: 'gold' }, annotations: { note: 'kept' } },
          spec: { domain: { cpu: { sockets: 1 }, memory: { guest: '1Gi' }, devices: { rng: {} } } },
        },
      };
      const metadata = { name: 'db' };
      await call('POST', `${KUBEVIRT}/virtualmachines`, {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        metadata,
        spec,
      });
      await phaseIs('Scheduling');
      const [launcher, ...others] = await launchers();
      expect(others).toEqual([]);
      expect(launcher?.metadata.name).toMatch(/^virt-launcher-db-/);
      expect(launcher?.metadata.annotations).toMatchObject({ note: 'kept', 'kubevirt.io/domain': 'db' });
      expect(launcher?.spec).toMatchObject({ terminationGracePeriodSeconds: 60, restartPolicy: 'Never' });
      expect((await vmi())?.spec).toMatchObject({ domain: { devices: { rng: {} } } });
      expect((await vmi())?.status?.activePods).toEqual({ [launcher?.metadata.uid ?? '']: '' });
      const started = async () => (await vm())?.status?.created === true;
      await waitFor(started, { what: 'the status of the VM' });
      expect((await vm())?.status).toMatchObject({ printableStatus: 'Starting', runStrategy: 'Always' });
      expect((await vm())?.metadata.finalizers).toEqual(['kubevirt.io/virtualMachineControllerFinalize']);
    });

    it('hands the VMI over when the launcher is ready', async () => {
      const name = (await launchers())[0]?.metadata.name ?? '';
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
      await call('POST', `${PODS}/${name}/binding`, binding);
      const bound = await get<JsonObject>(`${PODS}/${name}`);
      const conditions = [{ type: 'Ready', status: 'True' }];
      await call('PUT', `${PODS}/${name}/status`, { ...bound, status: { phase: 'Running', conditions } });
      await phaseIs('Scheduled');
      expect((await vmi())?.status).toMatchObject({ nodeName: 'n1', migrationTransport: 'Unix' });
      expect((await vmi())?.metadata.labels).toEqual({ tier: 'gold', 'kubevirt.io/nodeName': 'n1' });
      const isShown = async () => (await launchers())[0]?.metadata.labels?.['kubevirt.io/nodeName'] === 'n1';
      await waitFor(isShown, { what: 'the node on the launcher' });
    });

    it('takes over an edit of the template', async () => {
      const edited = (await vm()) as VirtualMachine;
      const template = edited.spec?.template;
      const spec = { ...template?.spec, nodeSelector: { zone: 'a' } };
      await call('PUT', `${KUBEVIRT}/virtualmachines/db`, {
        ...edited,
        spec: { ...edited.spec, template: { ...template, spec } },
      });
      await waitFor(async () => (await vmi())?.spec?.nodeSelector?.zone === 'a', { what: 'the edit' });
      expect((await vmi())?.spec).toMatchObject({ domain: { devices: { rng: {} } } });
    });

    it('takes everything along when the VM is deleted', async () => {
      await call('DELETE', `${KUBEVIRT}/virtualmachines/db`);
      const isLeaving = async () => (await launchers())[0]?.metadata.deletionTimestamp !== undefined;
      await waitFor(isLeaving, { what: 'the launcher to be told' });
      // It may be written behind the launcher's being told.
      const isTerminating = async () => (await vm())?.status?.printableStatus === 'Terminating';
      await waitFor(isTerminating, { what: 'the VM to say so' });
      const name = (await launchers())[0]?.metadata.name;
      await call('DELETE', `${PODS}/${name}`, { gracePeriodSeconds: 0 });
      await waitFor(async () => (await vm()) === undefined, { what: 'the VM to go' });
      expect(await vmi()).toBeUndefined();
    });
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Node, Pod, Vmi } from '../../kubevirt/objects.ts';
import { describeLab } from '../describe-lab.ts';
import { LAB_FLAGS, type Lab, startLab } from '../lab.ts';
import { kubevirtCrds } from './crds.ts';
import { loadCrds } from './load-crds.ts';
import { type Restored, restore } from './restore.ts';

describeLab('a snapshot on another API server', () => {
  let lab: Lab;
  let restored: Restored;

  beforeAll(async () => {
    lab = await startLab({ apiServerFlags: LAB_FLAGS });
    await loadCrds(lab.admin, kubevirtCrds());
    restored = await restore(lab.admin, snapshot());
  }, 90_000);
  afterAll(() => lab?.stop());

  function snapshot(): Fleet {
    const fleet = new Fleet();
    const node = aNode('n1').build();
    const labels = { ...node.metadata.labels, 'drover.dev/lab-node': 'true' };
    fleet.apply('Node', { ...node, metadata: { ...node.metadata, labels } });
    const built = aVmi('db', 'shop').on('n1').build();
    const devices = { interfaces: [{ name: 'default', masquerade: {} }] };
    const vmi = { ...built, spec: { ...built.spec, domain: { ...built.spec?.domain, devices } } };
    const { uid = '' } = vmi.metadata;
    const launcher = aPod('virt-launcher-db-1', 'shop').launcherOf(vmi).build();
    const podUid = launcher.metadata.uid ?? '';
    fleet.apply('VirtualMachineInstance', {
      ...vmi,
      status: { ...vmi.status, activePods: { [podUid]: 'n1' } },
    });
    const requests = { cpu: '1', 'devices.kubevirt.io/kvm': '1' };
    const spec = {
      nodeName: 'n1',
      containers: [{ name: 'compute', image: 'launcher:v1', resources: { requests } }],
    };
    const ofVmi = { ...launcher.metadata.labels, 'kubevirt.io/created-by': uid };
    const started = '2026-03-01T12:00:00Z';
    fleet.apply('Pod', {
      ...launcher,
      metadata: { ...launcher.metadata, labels: ofVmi, creationTimestamp: started },
      spec,
      status: { phase: 'Running' },
    });
    fleet.apply('Pod', owned('web-1', 'ReplicaSet'));
    fleet.apply('Pod', owned('agent-1', 'DaemonSet'));
    fleet.apply('PersistentVolumeClaim', { metadata: { name: 'disk', namespace: 'shop' } });
    fleet.apply('ResourceQuota', { metadata: { name: 'BAD NAME', namespace: 'shop' } });
    return fleet;
  }

  function owned(name: string, kind: string): Pod {
    const owner = { kind, name: 'x', uid: `uid-of-${kind}`, controller: true };
    const spec = { nodeName: 'n1', containers: [{ name: 'main' }] };
    return { metadata: { name, namespace: 'shop', ownerReferences: [owner] }, spec };
  }

  const get = async <T>(path: string): Promise<T> => {
    const answer = await lab.admin.call({ method: 'GET', path });
    if (!answer.ok) throw new Error(answer.message);
    return answer.object as unknown as T;
  };
  const vmi = () => get<Vmi>('/apis/kubevirt.io/v1/namespaces/shop/virtualmachineinstances/db');
  const pod = (name: string) => get<Pod>(`/api/v1/namespaces/shop/pods/${name}`);

  it('names what could not be had, and has the rest', () => {
    expect(restored.refused).toEqual([expect.stringMatching(/^ResourceQuota shop\/BAD NAME: .*invalid/)]);
    expect(restored.objects).toBe(5);
  });

  it('has pods whose containers are as kubectl shows them: ready where the pod runs', async () => {
    const { stdout } = await lab.kubectl(['get', 'pods', '-n', 'shop', 'virt-launcher-db-1']);
    expect(stdout).toMatch(/virt-launcher-db-1 +1\/1 +Running/);
  });

  it('has new UIDs wherever an old one was told', async () => {
    const [db, launcher] = [await vmi(), await pod('virt-launcher-db-1')];
    expect(launcher.metadata.ownerReferences?.[0]).toMatchObject({
      kind: 'VirtualMachineInstance',
      uid: db.metadata.uid,
    });
    expect(launcher.metadata.labels?.['kubevirt.io/created-by']).toBe(db.metadata.uid);
    expect(db.status?.activePods).toEqual({ [launcher.metadata.uid ?? '']: 'n1' });
    expect([db.status?.phase, launcher.status?.phase]).toEqual(['Running', 'Running']);
  });

  it('has VMIs at the addresses of their launchers, though a trimmed snapshot tells none', async () => {
    const { podIP } = (await pod('virt-launcher-db-1')).status ?? {};
    expect(podIP).toMatch(/^10\./);
    expect((await vmi()).status?.interfaces).toMatchObject([{ name: 'default', ipAddress: podIP }]);
  });

  it('has nodes that nobody else plays, whoever played them on the other cluster', async () => {
    const { labels = {} } = (await get<Node>('/api/v1/nodes/n1')).metadata;
    expect(Object.keys(labels)).not.toContain('drover.dev/lab-node');
  });

  it('lets pods of others belong to their namespace, and leaves those of DaemonSets behind', async () => {
    const { uid } = (await get<{ metadata: { uid: string } }>('/api/v1/namespaces/shop')).metadata;
    const web = await pod('web-1');
    expect(web.metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Namespace', name: 'shop', uid, controller: true },
    ]);
    await expect(pod('agent-1')).rejects.toThrow('not found');
  });

  it('completes what the API server and the scheduler ask more about', async () => {
    const launcher = await pod('virt-launcher-db-1');
    expect(launcher.spec?.containers?.[0]?.resources?.limits).toEqual({ 'devices.kubevirt.io/kvm': '1' });
    const claim = '/api/v1/namespaces/shop/persistentvolumeclaims/disk';
    expect(await get(claim)).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: 'lab-shop-disk' },
    });
    expect(await get('/api/v1/persistentvolumes/lab-shop-disk')).toMatchObject({ kind: 'PersistentVolume' });
    expect(await get('/api/v1/nodes/n1')).toMatchObject({
      status: { allocatable: { 'ephemeral-storage': '1Ti' } },
    });
  });
});

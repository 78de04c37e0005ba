import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { objectAt } from '../kubevirt/json.ts';
import { describeLab } from '../lab/describe-lab.ts';
import { type Lab, startLab } from '../lab/lab.ts';
import { clusterApiCrds, kubevirtCrds } from '../lab/objects/crds.ts';
import { loadCrds } from '../lab/objects/load-crds.ts';
import { type FaultProxy, startFaultProxy } from '../lab/test-fault-proxy.ts';
import { liveFleet } from './live-fleet.ts';

describeLab('a cluster read once', () => {
  let lab: Lab;
  let proxy: FaultProxy;

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab);
    const machines = clusterApiCrds().filter(
      (crd) => objectAt(objectAt(crd, 'spec'), 'names').kind === 'Machine',
    );
    await loadCrds(lab.admin, [...kubevirtCrds(), ...machines]);
    const vmis = ['db', 'web'].map((name) => ({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name, namespace: name === 'db' ? 'default' : 'kube-public' },
      status: { phase: 'Running' },
    }));
    // The lab holds VMIs to their types, and Machines to none.
    const wrong = {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'worker', namespace: 'kube-public' },
      spec: { clusterName: 5 },
    };
    const list = { apiVersion: 'v1', kind: 'List', items: [...vmis, wrong] };
    await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(list) });
  }, 90_000);
  afterAll(async () => {
    await proxy?.close();
    await lab?.stop();
  });
  beforeEach(() => proxy.setFault(() => undefined));

  it('holds every kind that there is, leaves others unknown, and tells what it left out', async () => {
    const { fleet, gaps, refused } = await liveFleet({ kubeconfig: lab.kubeconfig });
    expect([...fleet.all('VirtualMachineInstance')].map(({ metadata }) => metadata.name)).toEqual([
      'db',
      'web',
    ]);
    expect(fleet.isKnown('MigrationPolicy')).toBe(true);
    expect(fleet.isKnown('MachineSet')).toBe(false);
    expect(gaps).toEqual([]);
    expect(refused).toEqual([
      'Machine kube-public/worker is left out: spec.clusterName: expected string, received number',
    ]);
  });

  it('names what the user may not see, and takes what may be seen of one namespace', async () => {
    const rights = ['--verb=list', '--resource=virtualmachineinstances.kubevirt.io'];
    await lab.kubectl(['create', 'role', 'tenant', ...rights]);
    await lab.kubectl([
      'create',
      'rolebinding',
      'tenant',
      '--role=tenant',
      '--serviceaccount=default:tenant',
    ]);
    const kubeconfig = await lab.kubeconfigForAccount('default/tenant');
    const kinds = ['VirtualMachineInstance', 'Node'] as const;
    const whole = await liveFleet({ kubeconfig, kinds });
    expect(whole.fleet.isKnown('VirtualMachineInstance')).toBe(false);
    const refusal = (plural: string): string =>
      `${plural} is forbidden: User "system:serviceaccount:default:tenant" cannot list resource`;
    expect(whole.gaps).toEqual([
      {
        kind: 'VirtualMachineInstance',
        problem: expect.stringContaining(refusal('virtualmachineinstances.kubevirt.io')),
      },
      { kind: 'Node', problem: expect.stringContaining(refusal('nodes')) },
    ]);
    const part = await liveFleet({ kubeconfig, kinds, namespace: 'default' });
    expect(part.fleet.count('VirtualMachineInstance')).toBe(1);
    expect(part.gaps[0]?.problem).toMatch(/^only those of namespace default are known: /);
  });

  it.each([
    [
      'does not answer in time',
      { delaySeconds: 5 },
      'ClusterUnreachable',
      /^cannot list \w+: no answer within 1s$/,
    ],
    ['breaks connections', { reset: 'before' as const }, 'ClusterUnreachable', /^cannot list \w+: /],
    [
      'fails',
      { status: 500, body: 'out of order' },
      'ClusterUnreachable',
      /^cannot list \w+ \(500\): out of order$/,
    ],
    ['does not know the user', { status: 401, body: 'who are you' }, 'CredentialsRefused', /^who are you$/],
  ])('is not read by halves from a server that %s', async (_, fault, code, message) => {
    proxy.setFault(() => fault);
    const reading = liveFleet({ kubeconfig: proxy.kubeconfig, requestTimeoutSeconds: 1 });
    await expect(reading).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('is not read at all where nobody listens', async () => {
    const kubeconfig = await lab.kubeconfigFor({ user: 'admin' }, 'https://127.0.0.1:1');
    await expect(liveFleet({ kubeconfig })).rejects.toMatchObject({
      code: 'ClusterUnreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { KNOWN_KINDS } from '../kubevirt/kinds.ts';
import { describeLab } from '../lab/describe-lab.ts';
import { type Lab, startLab } from '../lab/lab.ts';
import { clusterApiCrds, kubevirtCrds } from '../lab/objects/crds.ts';
import { loadCrds } from '../lab/objects/load-crds.ts';
import { waitFor } from '../lab/wait.ts';
import { type Followed, follow } from './test-follow.ts';

describeLab('the fleet of a real API server', () => {
  let lab: Lab;
  let followed: Followed;

  beforeAll(async () => {
    lab = await startLab();
  });
  afterAll(() => lab?.stop());
  afterEach(() => followed?.stop());

  const synced = (): Promise<boolean> => waitFor(() => followed.cluster.isSynced(), { what: 'all kinds' });
  const apply = (...objects: readonly object[]) =>
    lab.kubectl(['create', '-f', '-'], {
      stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    });

  it('is there without the kinds that the server does not know, and takes them in when they come and go', async () => {
    followed = follow(lab.kubeconfig, { kinds: KNOWN_KINDS });
    await synced();
    expect(followed.cluster.fleet.isKnown('Pod')).toBe(true);
    expect(followed.cluster.fleet.isKnown('VirtualMachineInstance')).toBe(false);
    await loadCrds(lab.admin, [...kubevirtCrds(), ...clusterApiCrds()]);
    await apply({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name: 'db' } });
    const { fleet } = followed.cluster;
    await waitFor(() => fleet.count('VirtualMachineInstance') === 1, { what: 'the VMI' });
    await waitFor(() => KNOWN_KINDS.every((kind) => fleet.isKnown(kind)), { what: 'every kind' });
    await lab.kubectl(['delete', 'crd', 'virtualmachineinstances.kubevirt.io']);
    await waitFor(() => fleet.count('VirtualMachineInstance') === 0, { what: 'no VMI' });
    expect(followed.cluster.isSynced()).toBe(true);
    await loadCrds(lab.admin, kubevirtCrds());
  });

  it('waits for a kind that it may not list, says why, and goes on once it may', async () => {
    const [, account] = ['default/reader', 'default:reader'];
    await lab.kubectl(['create', 'clusterrole', 'pods', '--verb=list,watch', '--resource=pods']);
    await lab.kubectl([
      'create',
      'clusterrolebinding',
      'pods',
      '--clusterrole=pods',
      `--serviceaccount=${account}`,
    ]);
    followed = follow(await lab.kubeconfigForAccount('default/reader'), { kinds: ['Pod', 'Node'] });
    const nodes = () => followed.cluster.standings().get('Node');
    await waitFor(() => nodes()?.problem, { what: 'the refusal' });
    expect(nodes()?.problem).toContain('cannot list resource "nodes"');
    expect(followed.cluster.isSynced()).toBe(false);
    await lab.kubectl(['create', 'clusterrole', 'nodes', '--verb=list,watch', '--resource=nodes']);
    await lab.kubectl([
      'create',
      'clusterrolebinding',
      'nodes',
      '--clusterrole=nodes',
      `--serviceaccount=${account}`,
    ]);
    await synced();
    expect(nodes()?.problem).toBeUndefined();
  });

  it('leaves an object out that is not as it should be, tells it, and takes the others', async () => {
    // The definition of this kind on the lab has no types, as one of an older Cluster API may have others.
    const machine = (name: string, clusterName: unknown): object => ({
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Machine',
      metadata: { name },
      spec: { clusterName },
    });
    await apply(machine('right', 'meadow'), machine('wrong', 5));
    followed = follow(lab.kubeconfig, { kinds: ['Machine'] });
    await synced();
    const names = () => [...followed.cluster.fleet.all('Machine')].map(({ metadata }) => metadata.name);
    expect(names()).toEqual(['right']);
    expect(followed.logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        fields: {
          kind: 'Machine',
          object: 'default/wrong',
          problem: 'spec.clusterName: expected string, received number',
        },
      }),
    );
    await lab.kubectl([
      'patch',
      'machine',
      'wrong',
      '--type=merge',
      '-p',
      '{"spec":{"clusterName":"meadow"}}',
    ]);
    await waitFor(() => names().length === 2, { what: 'the mended one' });
  });

  it('keeps what decisions read, and neither managed fields nor foreign annotations', async () => {
    const annotations = { 'kubevirt.io/eviction-source': 'drain', 'example.com/note': 'x'.repeat(1000) };
    await apply({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name: 'thin', annotations },
      spec: { domain: { devices: { rng: {} } } },
    });
    followed = follow(lab.kubeconfig, { kinds: ['VirtualMachineInstance'] });
    await synced();
    const held = followed.cluster.fleet.get('VirtualMachineInstance', 'default/thin');
    expect(held?.metadata).not.toHaveProperty('managedFields');
    expect(held?.metadata.annotations).toEqual({ 'kubevirt.io/eviction-source': 'drain' });
    expect(held?.spec?.domain?.devices).toEqual({});
  });

  it('tells every listener, though one fails', async () => {
    followed = follow(lab.kubeconfig, { kinds: ['Namespace'] });
    const heard: string[] = [];
    followed.cluster.subscribe(() => {
      throw new Error('not my day');
    });
    const leave = followed.cluster.subscribe(({ key }) => heard.push(key));
    await synced();
    expect(heard).toContain('default');
    leave();
    const before = heard.length;
    await lab.kubectl(['create', 'namespace', 'unheard']);
    await waitFor(() => followed.cluster.fleet.get('Namespace', 'unheard'), { what: 'it to come' });
    expect(heard).toHaveLength(before);
    expect(followed.logged).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ problem: 'not my day' }) }),
    );
  });

  it('tells the age of the cache by kind', async () => {
    followed = follow(lab.kubeconfig, { kinds: ['Namespace'] });
    await synced();
    const age = () => followed.metric('drover_cache_age_seconds', 'kind=Namespace');
    await waitFor(() => age() > 0.5, { what: 'an age', seconds: 12 });
  });

  it('follows some objects of a kind only, where so asked', async () => {
    followed = follow(lab.kubeconfig, {
      kinds: ['Namespace'],
      fieldSelectors: { Namespace: 'metadata.name=chosen' },
    });
    await synced();
    expect(followed.cluster.fleet.count('Namespace')).toBe(0);
    for (const name of ['other', 'chosen']) await lab.kubectl(['create', 'namespace', name]);
    await waitFor(() => followed.cluster.fleet.get('Namespace', 'chosen'), { what: 'it to come' });
    expect(followed.changes.map(({ key }) => key)).toEqual(['chosen']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeLab } from '../lab/describe-lab.ts';
import { type Lab, startLab } from '../lab/lab.ts';
import { loadCrds } from '../lab/objects/load-crds.ts';
import { crdSets } from '../lab/objects/test-real-crds.ts';
import { type FaultProxy, startFaultProxy } from '../lab/test-fault-proxy.ts';
import { waitFor } from '../lab/wait.ts';
import { type Followed, follow } from './test-follow.ts';

describeLab.each(crdSets())('writes to a real API server with %s', (_, crds) => {
  let lab: Lab;
  let proxy: FaultProxy;
  let followed: Followed;
  let leads = true;

  beforeAll(async () => {
    lab = await startLab({ apiServerFlags: ['--disable-admission-plugins=ServiceAccount'] });
    proxy = await startFaultProxy(lab);
    await loadCrds(lab.admin, crds);
    followed = follow(proxy.kubeconfig, {
      kinds: ['VirtualMachineInstance', 'VirtualMachineInstanceMigration', 'Pod'],
      mayWrite: () => leads,
    });
    await waitFor(() => followed.cluster.isSynced(), { what: 'the first lists' });
  }, 90_000);
  afterAll(async () => {
    await followed?.stop();
    await proxy?.close();
    await lab?.stop();
  });
  beforeEach(() => {
    leads = true;
    proxy.setFault(() => undefined);
  });

  const migration = (name: string): object => ({ metadata: { name }, spec: { vmiName: 'db' } });
  const create = (object: object) =>
    followed.cluster.create('VirtualMachineInstanceMigration', 'default', object);
  const get = async (what: string): Promise<Record<string, unknown>> =>
    JSON.parse((await lab.kubectl(['get', what, '-o', 'json'])).stdout || '{}');
  const audited = (verb: string, name: string): number =>
    lab.audit().filter((entry) => entry.verb === verb && (entry.objectRef as { name?: string }).name === name)
      .length;

  describe('create', () => {
    it('gives the name, also one that the server made', async () => {
      expect(await create(migration('one'))).toEqual({ ok: true, name: 'one' });
      const made = await create({
        metadata: { generateName: 'kubevirt-evacuation-' },
        spec: { vmiName: 'db' },
      });
      expect(made).toEqual({ ok: true, name: expect.stringMatching(/^kubevirt-evacuation-\w{5}$/) });
    });

    it('tells that there is one already', async () => {
      await create(migration('twice'));
      expect(await create(migration('twice'))).toEqual({
        ok: false,
        code: 409,
        reason: 'AlreadyExists',
        message: 'virtualmachineinstancemigrations.kubevirt.io "twice" already exists',
      });
    });

    it('tells what is wrong with an object', async () => {
      expect(await create(migration('No Name'))).toMatchObject({ ok: false, code: 422, reason: 'Invalid' });
    });

    it('is sent once when the connection breaks, though the server carried it out', async () => {
      proxy.setFault(({ method }) => (method === 'POST' ? { reset: 'after' } : undefined));
      const result = await create(migration('unheard'));
      expect(result).toMatchObject({ ok: false, code: undefined });
      await waitFor(() => followed.cluster.fleet.get('VirtualMachineInstanceMigration', 'default/unheard'), {
        what: 'it in the fleet',
      });
      expect(audited('create', 'unheard')).toBe(1);
    });

    it('is not sent again when the server is busy', async () => {
      proxy.setFault(({ method }) =>
        method === 'POST' ? { status: 429, headers: { 'retry-after': '1' }, body: 'busy' } : undefined,
      );
      const before = proxy.requests.length;
      expect(await create(migration('busy'))).toMatchObject({ ok: false, code: 429, message: 'busy' });
      expect(proxy.requests.slice(before).filter(({ method }) => method === 'POST')).toHaveLength(1);
    });

    it('is not sent at all by one that does not lead', async () => {
      leads = false;
      expect(await create(migration('late'))).toEqual({
        ok: false,
        message: 'not the leader any more: nothing was sent',
      });
      expect(audited('create', 'late')).toBe(0);
    });
  });

  describe('patch', () => {
    beforeAll(async () => {
      leads = true;
      await create(migration('patched'));
    });
    const patch = (operations: Parameters<typeof followed.cluster.patch>[2], options = {}) =>
      followed.cluster.patch('VirtualMachineInstanceMigration', 'default/patched', operations, options);

    it('changes what it says and keeps the rest', async () => {
      const label = { op: 'add', path: '/metadata/labels', value: { a: 'b' } } as const;
      expect(await patch([label])).toEqual({ ok: true, name: 'patched' });
      expect(await get('vmim/patched')).toMatchObject({
        metadata: { labels: { a: 'b' } },
        spec: { vmiName: 'db' },
      });
    });

    it('changes nothing when its test does not hold', async () => {
      const result = await patch([
        { op: 'test', path: '/spec/vmiName', value: 'other' },
        { op: 'replace', path: '/spec/vmiName', value: 'third' },
      ]);
      expect(result).toMatchObject({ ok: false, code: 422, reason: 'Invalid' });
      expect(await get('vmim/patched')).toMatchObject({ spec: { vmiName: 'db' } });
    });

    it('writes status through its own door, and nothing on a dry run', async () => {
      const phase = (value: string) => [{ op: 'add', path: '/status', value: { phase: value } }] as const;
      expect(await patch(phase('Pending'))).toMatchObject({ ok: true });
      expect(await get('vmim/patched')).not.toHaveProperty('status');
      expect(await patch(phase('Pending'), { subresource: 'status', dryRun: true })).toMatchObject({
        ok: true,
      });
      expect(await get('vmim/patched')).not.toHaveProperty('status');
      expect(await patch(phase('Running'), { subresource: 'status' })).toMatchObject({ ok: true });
      expect(await get('vmim/patched')).toMatchObject({ status: { phase: 'Running' } });
    });
  });

  it('delete: gone, and gone already', async () => {
    await create(migration('short'));
    const remove = () => followed.cluster.delete('VirtualMachineInstanceMigration', 'default/short');
    expect(await remove()).toEqual({ ok: true, name: 'short' });
    expect(await remove()).toMatchObject({ ok: false, code: 404, reason: 'NotFound' });
  });

  describe('evict', () => {
    const evict = (pod: string, dryRun?: boolean) =>
      followed.cluster.evict({
        namespace: 'default',
        pod,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: 'default' } },
        dryRun,
      });
    const run = (pod: string, app: string) => lab.kubectl(['run', pod, '--image=x', `--labels=app=${app}`]);

    it('takes a pod away, but not on a dry run', async () => {
      await run('free', 'free');
      expect(await evict('free', true)).toEqual({ ok: true, name: 'free' });
      expect(await get('pod/free')).toMatchObject({ metadata: { name: 'free' } });
      expect(await evict('free')).toEqual({ ok: true, name: 'free' });
      expect((await lab.kubectl(['get', 'pod', 'free'])).stderr).toContain('NotFound');
    });

    it('tells what a budget says', async () => {
      const node = ['create', '-f', '-'];
      await lab.kubectl(node, {
        stdin: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }),
      });
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'held', labels: { app: 'held' } },
        spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'x' }] },
      };
      await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(pod) });
      const status = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
      await lab.kubectl([
        'patch',
        'pod',
        'held',
        '--subresource=status',
        '--type=merge',
        '-p',
        JSON.stringify(status),
      ]);
      await lab.kubectl(['create', 'pdb', 'held', '--selector=app=held', '--min-available=1']);
      expect(await evict('held')).toMatchObject({
        ok: false,
        code: 429,
        reason: 'TooManyRequests',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
      });
    });

    it('tells that there is no such pod', async () => {
      expect(await evict('nobody')).toMatchObject({
        ok: false,
        code: 404,
        message: 'pods "nobody" not found',
      });
    });
  });

  it('are answered and change nothing where every one is a dry run', async () => {
    const dry = follow(lab.kubeconfig, { kinds: ['Namespace'], dryRun: true });
    try {
      const { cluster } = dry;
      await waitFor(() => cluster.isSynced(), { what: 'the first list' });
      const create = (name: string) =>
        cluster.create('VirtualMachineInstanceMigration', 'default', migration(name));
      expect(await create('never')).toEqual({ ok: true, name: 'never' });
      expect(await create('one')).toMatchObject({ ok: false, code: 409 });
      expect(await cluster.delete('VirtualMachineInstanceMigration', 'default/one')).toMatchObject({
        ok: true,
      });
      cluster.recordEvent(
        {
          kind: 'Namespace',
          name: 'default',
          namespace: undefined,
          type: 'Normal',
          reason: 'X',
          message: 'm',
        },
        'test',
      );
    } finally {
      await dry.stop();
    }
    const names = (await lab.kubectl(['get', 'vmim', '-o', 'name'])).stdout;
    expect(names).toContain('/one\n');
    expect(names).not.toContain('/never\n');
    expect((await lab.kubectl(['get', 'events', '-A'])).stdout).not.toContain('test');
  });

  it('counts requests by verb and code', () => {
    expect(followed.metric('drover_api_requests_total', 'code=409,verb=create')).toBe(1);
    expect(followed.metric('drover_api_requests_total', 'code=429,verb=evict')).toBe(1);
    expect(followed.metric('drover_api_requests_total', 'code=422,verb=patch')).toBe(1);
  });
});

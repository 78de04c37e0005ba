import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeLab, hasLabPart } from './describe-lab.ts';
import { type Lab, startLab } from './lab.ts';
import { clusterApiCrds, kubevirtCrds } from './objects/crds.ts';
import { loadCrds } from './objects/load-crds.ts';
import { waitFor } from './wait.ts';

describeLab('the lab', () => {
  let lab: Lab;
  let other: Lab;
  const whole = hasLabPart('kube-scheduler') && hasLabPart('kube-controller-manager');

  beforeAll(async () => {
    const parts = { controllerManager: whole, scheduler: whole };
    [lab, other] = await Promise.all([startLab(parts), startLab()]);
    await loadCrds(lab.admin, [...kubevirtCrds(), ...clusterApiCrds()]);
  }, 120_000);
  afterAll(() => Promise.all([lab?.stop(), other?.stop()]));

  it('runs two side by side that know nothing of each other', async () => {
    await lab.kubectl(['create', 'namespace', 'only-here']);
    expect((await lab.kubectl(['get', 'namespace', 'only-here'])).code).toBe(0);
    expect((await other.kubectl(['get', 'namespace', 'only-here'])).stderr).toContain('NotFound');
  });

  it('gives a user no more rights than its roles', async () => {
    const kubeconfig = await lab.kubeconfigForAccount('default/drover');
    const denied = await lab.kubectl(['get', 'nodes'], { kubeconfig });
    expect(denied.stderr).toContain(
      'User "system:serviceaccount:default:drover" cannot list resource "nodes"',
    );
    await lab.kubectl(['create', 'clusterrole', 'nodes', '--verb=list', '--resource=nodes']);
    const binding = ['create', 'clusterrolebinding', 'nodes', '--clusterrole=nodes'];
    await lab.kubectl([...binding, '--serviceaccount=default:drover']);
    expect((await lab.kubectl(['get', 'nodes'], { kubeconfig })).code).toBe(0);
  });

  it.each([
    ['virtualmachines/db', 0],
    ['virtualmachineinstances/db', 1],
  ])('a status subresource of %s: kubectl ends with %i', async (object, code) => {
    const [plural = '', name] = object.split('/');
    const kind = plural === 'virtualmachines' ? 'VirtualMachine' : 'VirtualMachineInstance';
    const body = { apiVersion: 'kubevirt.io/v1', kind, metadata: { name } };
    await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(body) });
    const patched = await lab.kubectl([
      'patch',
      plural,
      name ?? '',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"ready":true}}',
    ]);
    expect(patched.code, patched.stderr).toBe(code);
  });

  it('serves KubeVirt as its short names, categories and columns say', async () => {
    const table = await lab.kubectl(['get', 'vm']);
    expect(table.stdout).toMatch(/^NAME +AGE +STATUS +READY\ndb +\d+s +Stopped +\n$/);
    const all = await lab.kubectl(['get', 'all', '-o', 'name']);
    expect(all.stdout).toContain('virtualmachine.kubevirt.io/db');
    const wide = await lab.kubectl(['get', 'vmi', '-o', 'wide']);
    expect(wide.stdout).toMatch(/^NAME +AGE +PHASE +IP +NODENAME +READY +LIVE-MIGRATABLE +PAUSED\ndb /);
    const others = await lab.kubectl(['get', 'vmim,kv,vmirs,migrationpolicies,kubevirtmachines,ma,ms,mhc']);
    expect([others.code, others.stderr]).toEqual([0, expect.stringContaining('No resources found')]);
  });

  it.skipIf(!whole)('schedules and collects with the real scheduler and garbage collector', async () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n1' },
      status: {
        allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
        capacity: { cpu: '4', memory: '8Gi', pods: '10' },
      },
    };
    const deployment = ['create', 'deployment', 'web', '--image=x', '--replicas=2'];
    await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(node) });
    await lab.kubectl(deployment);
    const nodes = async (): Promise<string> =>
      (await lab.kubectl(['get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}'])).stdout;
    await waitFor(async () => (await nodes()) === 'n1 n1', { what: 'two pods on n1' });
    await lab.kubectl(['delete', 'deployment', 'web', '--cascade=background']);
    await waitFor(async () => (await lab.kubectl(['get', 'rs', '-o', 'name'])).stdout === '', {
      what: 'no replica set',
    });
  });

  it('keeps an audit of writes', () => {
    const creations = lab
      .audit()
      .filter(
        ({ verb, objectRef }) => verb === 'create' && (objectRef as { name?: string }).name === 'only-here',
      );
    expect(creations).toMatchObject([{ user: { username: 'admin' }, responseStatus: { code: 201 } }]);
  });

  it('comes back after a crash with what it had, and leaves nothing when it stops', async () => {
    await other.kubectl(['create', 'configmap', 'kept', '--from-literal=a=b']);
    await other.killApiServer();
    expect((await other.kubectl(['get', 'configmap', 'kept'])).code).toBe(1);
    await other.restartApiServer();
    expect((await other.kubectl(['get', 'configmap', 'kept'])).code).toBe(0);
    const { pid } = other.etcd;
    await other.stop();
    expect(existsSync(other.folder)).toBe(false);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('leaves nothing when the process that started it is killed', async () => {
    const script = `
      const { startLab } = await import(${JSON.stringify(join(import.meta.dirname, 'lab.ts'))});
      const lab = await startLab();
      console.log(lab.etcd.pid, lab.folder);
      setInterval(() => {}, 1000);`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', script];
    const starter = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const [pid, folder = ''] = line.toString().trim().split(' ');
    starter.kill('SIGKILL');
    const others = (): string => spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' }).stdout;
    await waitFor(() => !existsSync(`/proc/${pid}`) && others() === '', {
      what: 'etcd and the API server to end',
    });
    rmSync(folder, { recursive: true });
  });
});

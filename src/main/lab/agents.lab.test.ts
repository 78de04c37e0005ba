import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { describeLab, hasLabPart } from '../../lab/describe-lab.ts';
import { LAB_FLAGS, type Lab, startLab } from '../../lab/lab.ts';
import { kubevirtCrds } from '../../lab/objects/crds.ts';
import { vmsOf } from '../../lab/objects/first-objects.ts';
import { loadCrds } from '../../lab/objects/load-crds.ts';
import { AGENTS_ACCOUNT, AGENTS_NAMESPACE } from '../../lab/played/agent-rights.ts';
import { type StandIn, startStandIn } from '../../lab/played/stand-in.ts';
import { deniedTo } from '../../lab/test-shipped.ts';
import { DroverProcess, drover, until } from './test-process.ts';

const whole = hasLabPart('kube-scheduler') && hasLabPart('kube-controller-manager');
const VMS = '/apis/kubevirt.io/v1/namespaces/default/virtualmachines';

describeLab('drover lab agents', () => {
  const folder = mkdtempSync('/tmp/drover-agents-test-');
  let lab: Lab;
  let standIn: StandIn;
  let agents: DroverProcess;
  let rights: string;

  beforeAll(async () => {
    if (!whole) return;
    lab = await startLab({ controllerManager: true, scheduler: true, apiServerFlags: LAB_FLAGS });
    await loadCrds(lab.admin, kubevirtCrds());
    await lab.kubectl(['create', 'namespace', 'kubevirt']);
    rights = (await drover(['lab', 'agents', '--print-rbac'])).out;
    const applied = await lab.kubectl(['apply', '-f', '-'], { stdin: rights });
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    await lab.kubectl(['create', '-f', '-'], {
      stdin: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'real' } }),
    });
    // virt-api and virt-controller; nodes are the other process's.
    standIn = await startStandIn(lab, {
      launcherImage: () => 'launcher:v1',
      nodes: { plays: (node) => node !== 'real' },
    });
    const behaviour = join(folder, 'guests.yaml');
    writeFileSync(behaviour, '- bootSeconds: 0.2\n  migration: { kind: takes, seconds: 0.5 }\n');
    const account = await lab.kubeconfigForAccount(`${AGENTS_NAMESPACE}/${AGENTS_ACCOUNT}`);
    const words = ['--kubeconfig', account, '--nodes', '2', '--speed', '10', '--behaviour', behaviour];
    agents = new DroverProcess(['lab', 'agents', ...words]);
    await agents.says('2 nodes are played');
  }, 90_000);
  afterAll(async () => {
    agents?.child.kill('SIGKILL');
    await standIn?.stop();
    await lab?.stop();
    rmSync(folder, { recursive: true });
  }, 30_000);

  const field = (object: string, path: string) => async () =>
    (await lab.kubectl(['get', ...object.split(' '), '-o', `jsonpath={${path}}`])).stdout;

  const leases = field('leases -n kube-node-lease', '.items[*].metadata.name');

  it.skipIf(!whole)('boots, moves and ends guests with the rights that are shipped', async () => {
    for (const body of vmsOf(2)) await lab.admin.call({ method: 'POST', path: VMS, body });
    await until(field('vmi', '.items[*].status.phase'), 'Running Running');
    const migration = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { name: 'move' },
      spec: { vmiName: 'vm-01' },
    };
    await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(migration) });
    await until(field('vmim move', '.status.phase'), 'Succeeded');
    await lab.kubectl(['delete', 'vm', 'vm-02', '--wait=false']);
    await until(field('vmi', '.items[*].metadata.name'), 'vm-01');
    expect(deniedTo(lab, `${AGENTS_NAMESPACE}/${AGENTS_ACCOUNT}`)).toEqual([]);
  });

  it.skipIf(!whole)('has no right that it does not use, but for events that repeat', async () => {
    await until(leases, 'lab-n01 lab-n02');
    const done = new Set(
      asked().map((entry) => {
        const { resource, subresource } = objectAt(entry, 'objectRef');
        return `${entry.verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
      }),
    );
    const granted = (loadAll(rights) as JsonObject[])
      .flatMap((object) => objectsAt(object, 'rules'))
      .flatMap(({ verbs, resources }) =>
        (verbs as string[]).flatMap((verb) =>
          (resources as string[]).map((resource) => `${verb} ${resource}`),
        ),
      );
    const unused = granted.filter((right) => !right.startsWith('impersonate ') && !done.has(right));
    expect(unused.filter((right) => right !== 'patch events')).toEqual([]);
  });

  it.skipIf(!whole)('writes VMIs as virt-handler of their node, by PUT alone', () => {
    const byHandler = asked().filter((entry) => 'impersonatedUser' in entry);
    const wrote = byHandler.filter(({ verb }) => verb !== 'get');
    expect(
      new Set(wrote.map(({ verb, objectRef }) => `${verb} ${(objectRef as JsonObject).resource}`)),
    ).toEqual(new Set(['update virtualmachineinstances']));
    const users = new Set(
      wrote.map((entry) => {
        const { username, extra } = objectAt(entry, 'impersonatedUser');
        return `${username} ${JSON.stringify(extra)}`;
      }),
    );
    const handler = 'system:serviceaccount:kubevirt:kubevirt-handler';
    expect([...users].sort()).toEqual(
      ['lab-n01', 'lab-n02'].map(
        (node) => `${handler} {"authentication.kubernetes.io/node-name":["${node}"]}`,
      ),
    );
    const own = asked().filter((entry) => !('impersonatedUser' in entry));
    expect(own.filter(isVmiWrite)).toEqual([]);
  });

  it.skipIf(!whole)(
    'keeps the Leases of its nodes, leaves others alone, and ends at once when asked',
    async () => {
      await until(leases, 'lab-n01 lab-n02');
      expect(await field('node real', '.metadata.annotations')()).not.toContain('heartbeat');
      // Nor does the stand-in play theirs: its nodes have the address of its kubelets.
      expect(await field('node lab-n01', '.status.addresses[*].type')()).not.toContain('InternalDNS');
      agents.child.kill('SIGTERM');
      expect(await agents.ended).toMatchObject({ code: 0, err: '' });
    },
  );

  const asked = () =>
    lab
      .audit()
      .filter(
        (entry) =>
          objectAt(entry, 'user').username === `system:serviceaccount:${AGENTS_NAMESPACE}:${AGENTS_ACCOUNT}`,
      );

  function isVmiWrite({ verb, objectRef }: JsonObject): boolean {
    const { resource } = (objectRef ?? {}) as JsonObject;
    return resource === 'virtualmachineinstances' && verb !== 'list' && verb !== 'watch';
  }
});

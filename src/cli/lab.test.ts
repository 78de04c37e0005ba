import { describe, expect, it } from 'vitest';
import { runCli, words } from './builders.ts';
import { releaseTag } from './parsers.ts';

describe('drover lab', () => {
  const byDefault = {
    nodes: 10,
    vms: 200,
    speed: 1,
    version: 'v1.9.0',
    behavior: 'intended',
    behaviourFile: undefined,
    kubeconfigOut: 'drover-lab.kubeconfig',
    isTerminal: false,
  };

  it.each<[string, object]>([
    ['', {}],
    ['--nodes 3 --vms 0 --speed 0.5', { nodes: 3, vms: 0, speed: 0.5 }],
    ['--snapshot dump.yaml --behaviour g.yaml', { snapshot: 'dump.yaml', behaviourFile: 'g.yaml' }],
    ['--kubevirt-version 1.8 --behavior exact', { version: 'v1.8.0', behavior: 'exact' }],
    ['--kubeconfig-out k', { kubeconfigOut: 'k' }],
  ])('up %s', async (flags, change) => {
    const { asked, code } = await runCli(words(`lab up ${flags}`));
    expect(code).toBe(0);
    expect(asked).toMatchObject([{ name: 'lab up', question: { ...byDefault, ...change } }]);
  });

  it.each<[string, object]>([
    ['--version 1.9.1', { tag: 'v1.9.1' }],
    ['--image host:5000/a/virt-launcher:v2', { tag: 'v2', registry: 'host:5000/a' }],
  ])('upgrade %s', async (flags, release) => {
    const { asked, stdout } = await runCli(words(`lab upgrade ${flags} --kubeconfig k`));
    expect(asked).toEqual([{ name: 'lab upgrade', question: 'k', options: release }]);
    expect(stdout).toBe('KubeVirt rolls it out\n');
  });

  it.each([
    [
      '1.11',
      'note: KubeVirt 1.11 is not among those that are known (1.5 to 1.9): it is played as the nearest',
    ],
    ['1.9.1', ''],
  ])('upgrade to %s says whether it is known', async (version, note) => {
    const { stderr } = await runCli(words(`lab upgrade --version ${version} --kubeconfig k`));
    expect(note === '' ? stderr : stderr.slice(0, note.length)).toBe(note);
  });

  it.each([
    ['upgrade', 'give either --version or --image'],
    ['upgrade --version 1.9 --image a/virt-launcher:b', 'give either --version or --image'],
    ['upgrade --image a/launcher:b', '--image a/launcher:b: it looks like REGISTRY/virt-launcher:TAG'],
    ['up --nodes 0', 'it must be a number above 0'],
    ['up --vms -1', 'it must be a number from 0'],
    ['up --snapshot dump.yaml --nodes 3', '--nodes and --vms are for a lab without --snapshot'],
    ['up --snapshot dump.yaml --vms 0', '--nodes and --vms are for a lab without --snapshot'],
    ['up --kubevirt-version new', 'a release looks like v1.9.1'],
  ])('%s is refused', async (line, message) => {
    const { code, stderr, asked } = await runCli(words(`lab ${line}`));
    expect([code, stderr, asked]).toEqual([2, expect.stringContaining(message), []]);
  });

  it('status and down go by the kubeconfig that up writes', async () => {
    const status = await runCli(words('lab status'));
    expect(status.stdout).toBe('KubeVirt    v1.9.0 Deployed\n');
    expect(status.asked).toMatchObject([{ name: 'lab status', question: 'drover-lab.kubeconfig' }]);
    const down = await runCli(words('lab down --kubeconfig k'));
    expect(down.stdout).toBe('the lab has ended\n');
    expect(down.asked).toMatchObject([{ name: 'lab down', question: 'k' }]);
  });

  it('agents play nodes, or say what rights they need', async () => {
    const { asked } = await runCli(words('lab agents --kubeconfig k --nodes 7 --prefix x- --speed 2'));
    const question = { source: { kubeconfig: 'k' }, nodes: 7, prefix: 'x-', speed: 2 };
    expect(asked).toMatchObject([{ name: 'lab agents', question }]);
    const rights = await runCli(words('lab agents --print-rbac --kubevirt-namespace cnv'));
    expect([rights.stdout, rights.asked]).toEqual(['rights in cnv\n', []]);
  });
});

it.each([
  ['1.9', 'v1.9.0'],
  ['v1.9.1', 'v1.9.1'],
  ['1.10.0-rc.1', 'v1.10.0-rc.1'],
])('release %s is %s', (text, tag) => expect(releaseTag(text)).toBe(tag));

import { describe, expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import type { Outcome } from '../forecast/forecast.ts';
import { aForecast } from '../forecast/views/builders.ts';
import { aKubeVirt } from '../kubevirt/builders.ts';
import { aSmallFleet, runCli, words } from './builders.ts';
import type { CliContext } from './context.ts';

describe('questions', () => {
  const drain = {
    nodes: ['n1'],
    client: 'kubectl',
    podSelector: undefined,
    ignoreDaemonsets: true,
    deleteEmptydirData: true,
    force: false,
    disableEviction: false,
    timeoutSeconds: undefined,
    gracePeriodSeconds: undefined,
  };

  it.each([
    ['plan upgrade -f x', 'upgrade', { launcherImage: undefined }],
    ['plan upgrade --launcher-image a:v2 -f x', 'upgrade', { launcherImage: 'a:v2' }],
    ['plan drain n1 -f x', 'drain', drain],
    [
      'plan drain n1 -f x --timeout 5m --client talosctl',
      'drain',
      { ...drain, timeoutSeconds: 300, client: 'talosctl' },
    ],
    [
      'plan drain n1 -f x --no-ignore-daemonsets --no-delete-emptydir-data',
      'drain',
      { ...drain, ignoreDaemonsets: false, deleteEmptydirData: false },
    ],
    ['plan drain n1 -f x --ignore-daemonsets=true --force', 'drain', { ...drain, force: true }],
    [
      'plan drain n1 -f x --grace-period 0 --disable-eviction',
      'drain',
      { ...drain, gracePeriodSeconds: 0, disableEviction: true },
    ],
    ['plan drain n1 -f x --grace-period -1', 'drain', drain],
    [
      'plan drain n1 -f x --pod-selector a=b',
      'drain',
      { ...drain, podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] } },
    ],
    ['plan round -f x', 'round', { nodes: [] }],
    ['plan round n1 n1 -f x', 'round', { nodes: ['n1', 'n1'] }],
    ['plan evict shop/db-0 -f x', 'evict', { vms: ['shop/db-0'] }],
    ['plan evict db-0 -n shop -f x', 'evict', { vms: ['shop/db-0'] }],
    ['plan evict -l app=db -f x', 'evict', { vms: [] }],
    [
      'plan config --set a.b=c=d --set e=f -f x',
      'config',
      {
        set: [
          { path: 'a.b', value: 'c=d' },
          { path: 'e', value: 'f' },
        ],
      },
    ],
    [
      'plan edit virtualmachineinstance/shop/db-0 --set cpu.sockets=2 -f x',
      'edit',
      { vm: 'shop/db-0', set: [{ path: 'cpu.sockets', value: '2' }] },
    ],
    ['explain vmi shop/db-0 -f x', 'explain', 'shop/db-0'],
    ['explain vm db-0 -n shop -f x', 'explain', 'shop/db-0'],
  ])('%s', async (line, name, question) => {
    const ran = await runCli(words(line));
    expect(ran.stderr).toBe('');
    expect(ran.asked.map((call) => [call.name, call.question])).toEqual([[name, question]]);
  });

  it('plan config takes the whole KubeVirt object from a file', async () => {
    const fleet = new Fleet();
    fleet.apply('KubeVirt', aKubeVirt().build());
    const ran = await runCli(words('plan config --kubevirt new.yaml -f x'), {
      readInput: async () => ({ fleet, warnings: [] }),
    });
    expect(ran.asked[0]?.question).toEqual({ kubevirt: aKubeVirt().build() });
  });
});

describe('options', () => {
  const common = { now: 0, kubevirtVersion: undefined, behavior: 'exact' };
  it.each([
    ['plan upgrade -f x', { ...common, scope: { namespace: undefined, selector: undefined } }],
    ['plan upgrade -f x -n shop', { ...common, scope: { namespace: 'shop', selector: undefined } }],
    ['plan upgrade -f x -n shop -A', { ...common, scope: { namespace: undefined, selector: undefined } }],
    [
      'plan upgrade -f x --behavior intended --kubevirt-version v1.7.1 --at 1970-01-01T00:00:01Z',
      { now: 1000, behavior: 'intended', kubevirtVersion: { major: 1, minor: 7 }, scope: {} },
    ],
    ['plan drain n1 -f x --external none', { ...common, external: 'none', scope: {} }],
    ['explain vmi shop/db-0 -f x', { ...common, explain: true, scope: {} }],
  ])('%s', async (line, options) => {
    const ran = await runCli(words(line));
    expect(ran.asked[0]?.options).toEqual(options);
  });

  it('the time is that of the input where it has one', async () => {
    const readInput = async () => ({ fleet: aSmallFleet(), warnings: [], takenAt: 5000 });
    const ran = await runCli(words('plan upgrade -f x'), { readInput });
    expect(ran.asked[0]?.options).toMatchObject({ now: 5000 });
    const told = await runCli(words('plan upgrade -f x --at 1970-01-01T00:00:01Z'), { readInput });
    expect(told.asked[0]?.options).toMatchObject({ now: 1000 });
  });

  it.each([
    ['-f a -f b', ['a', 'b']],
    ['--filename=a', ['a']],
    ['-fa', ['a']],
    ['-f=a', ['a']],
    ['-f -', ['-']],
  ])('%s names the input', async (flags, sources) => {
    expect((await runCli(words(`plan upgrade ${flags}`))).read).toEqual([sources]);
  });
});

describe('exit codes', () => {
  const answering = (outcome: Parameters<ReturnType<typeof aForecast>['with']>[1]) => ({
    answers: {
      planUpgrade: async () => aForecast().with('a/b', outcome).build(),
    } as unknown as CliContext['answers'],
  });

  it.each([
    ['Blocks', '', 1],
    ['Restarts', '', 1],
    ['Deferred', '', 0],
    ['LiveMigrates', '', 0],
    ['Unknown', '', 1],
    ['Restarts', '--fail-on Blocks', 0],
    ['Blocks', '--fail-on Blocks', 1],
    ['Cut', '--fail-on Blocks', 1],
    ['LiveMigrates', '--fail-on LiveMigrates', 1],
    ['Cut', '--fail-on never', 0],
  ] as const)('%s with "%s" gives %i', async (outcome, flags, code) => {
    expect((await runCli(words(`plan upgrade -f x ${flags}`), answering(outcome))).code).toBe(code);
  });

  it('counts what a change of the configuration brings later, not what stays as it was', async () => {
    const later = (before: Outcome, after: Outcome) => ({
      answers: {
        planConfig: async () =>
          aForecast()
            .with('a/b', 'Untouched', { later: [{ when: 'next drain', before, after, message: '' }] })
            .build(),
      } as unknown as CliContext['answers'],
    });
    const line = words('plan config --set a=b -f x');
    expect((await runCli(line, later('Blocks', 'Restarts'))).code).toBe(1);
    expect((await runCli(line, later('Restarts', 'Restarts'))).code).toBe(0);
    expect((await runCli(line, later('Restarts', 'LiveMigrates'))).code).toBe(0);
  });

  it('lint fails on errors only, unless told otherwise', async () => {
    expect((await runCli(words('lint -f x'))).code).toBe(0);
    expect((await runCli(words('lint -f x --fail-on never'))).code).toBe(0);
  });
});

describe('outputs', () => {
  it.each([
    ['table', 'drain n1 ·'],
    ['wide', 'drain n1 ·'],
    ['name', 'virtualmachineinstance/shop/db-0\n'],
    ['json', '{\n  "apiVersion": "drover.dev/v1alpha1",\n  "kind": "Forecast"'],
    ['yaml', 'apiVersion: drover.dev/v1alpha1\nkind: Forecast'],
    ['markdown', '### ❌'],
    ['html', '<!doctype html>'],
  ])('-o %s', async (form, start) => {
    const { stdout, stderr } = await runCli(words(`plan upgrade -f x -o ${form}`));
    expect(stdout.startsWith(start)).toBe(true);
    expect(stderr).toBe('');
  });

  it('--no-headers leaves bare rows', async () => {
    expect((await runCli(words('plan upgrade -f x --no-headers'))).stdout).toBe(
      'shop/db-0  Blocks  BlocksReason  db-0 is Blocks\n',
    );
  });

  it('the next command names the program and the input as the user did', async () => {
    const { stdout } = await runCli(['plan', 'upgrade', '-f', 'my file.yaml'], { program: 'kubectl drover' });
    expect(stdout).toContain("kubectl drover explain vmi shop/db-0 -f 'my file.yaml'\n");
  });

  it('what is odd about the input goes to stderr, and so does progress where a person watches', async () => {
    const { stdout, stderr } = await runCli(words('plan upgrade -f x -o name'), {
      readInput: async () => ({ fleet: aSmallFleet(), warnings: ['an odd thing'] }),
      terminal: { width: 100, colour: false, watched: true },
    });
    expect(stderr).toBe('\r\u001b[Kreading x …\r\u001b[Kwarning: an odd thing\n');
    expect(stdout).toBe('virtualmachineinstance/shop/db-0\n');
  });
});

describe('help, version and completion', () => {
  it.each([
    ['plan drain', 'drover plan drain NODE... [flags]'],
    ['plan round', 'drover plan round [NODE...] [flags]'],
    ['plan edit', 'drover plan edit NAMESPACE/VM --set PATH=VALUE [flags]'],
  ])('help of %s tells what may be left out', async (command, usage) => {
    expect((await runCli([...command.split(' '), '--help'])).stdout).toContain(`\n  ${usage}\n`);
  });

  it.each(['--version', 'version', 'version -o json'])('%s tells the version', async (line) => {
    const { code, stdout } = await runCli(words(line));
    expect([code, stdout.includes('1.2.3')]).toEqual([0, true]);
  });

  it.each(['', '--help', '-h', 'plan', 'plan drain --help', 'explain -h', 'webhook -h', 'lab up -h'])(
    '"%s" prints help',
    async (line) => {
      const { code, stdout } = await runCli(words(line), { program: 'kubectl drover' });
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage:\n  kubectl drover`);
      for (const text of stdout.split('\n')) expect(text.length).toBeLessThanOrEqual(100);
    },
  );

  it.each(['bash', 'zsh', 'fish'])('completion %s prints a script that asks the program', async (shell) => {
    expect((await runCli(['completion', shell])).stdout).toContain('__complete');
  });

  it.each([
    [['pl'], 'plan\tSays beforehand what a change does to every VM\n:4\n'],
    [['plan', 'drain', 'n1', '--clie'], '--client\tWho drains\n:4\n'],
    [['plan', 'drain', '--client', 'kub'], 'kubectl\tWho drains\n:4\n'],
    [['completion', 'f'], 'fish\tThe shell\n:4\n'],
    [['plan', 'upgrade', '-f', 'cl'], ':0\n'],
    [['plan', 'config', '--kubevirt', ''], ':0\n'],
  ])('completes %j', async (typed, proposals) => {
    expect((await runCli(['__complete', ...typed])).stdout).toBe(proposals);
  });
});

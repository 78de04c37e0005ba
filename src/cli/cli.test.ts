import { describe, expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import type { Outcome } from '../forecast/forecast.ts';
import { aForecast } from '../forecast/views/builders.ts';
import { aKubeVirt } from '../kubevirt/builders.ts';
import { aSmallFleet, runCli } from './builders.ts';
import type { CliContext } from './context.ts';
import { DroverError } from './errors.ts';

const words = (line: string): string[] => line.split(' ').filter(Boolean);

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

describe('what goes wrong is told in two lines, and gives 2', () => {
  it.each([
    ['plan drain n9 -f x', 'node "n9" is not in the input (UnknownNode)'],
    ['plan drain -f x', 'the node is missing (WrongFlags)'],
    ['plan evict -f x', 'name the VMs to evict, or give -l (WrongFlags)'],
    ['plan evict shop/db-1 -f x', 'VM "shop/db-1" is not in the input (UnknownVm)'],
    ['plan evict db-0 -f x', '"db-0" does not name a VM (UnknownVm)'],
    ['plan config -f x', 'say what changes: either --set or --kubevirt (WrongFlags)'],
    ['plan config -f x --set a=b --kubevirt k', 'say what changes: either --set or --kubevirt (WrongFlags)'],
    ['plan config -f x --kubevirt k', 'k holds no KubeVirt object (NoKubeVirt)'],
    ['plan edit shop/db-0 -f x', '--set is missing, or has no value (WrongFlags)'],
    [
      'plan edit shop/db-0 -f x --set a',
      '"a" cannot be the set: a setting looks like path.of.field=value (WrongFlags)',
    ],
    [
      'plan upgrade -f x --kubevirt-version one',
      '"one" cannot be the kubevirt-version: a version looks like v1.9.0 or 1.9 (WrongFlags)',
    ],
    [
      'plan upgrade -f x --at noon',
      '"noon" cannot be the at: a time looks like 2026-03-01T12:00:00Z (WrongFlags)',
    ],
    [
      'plan drain n1 -f x --timeout 5',
      '"5" cannot be the timeout: a duration is a number with a unit, as in 5m or 90s (WrongFlags)',
    ],
    ['plan upgrade -f x --namspace y', 'there is no flag --namspace; did you mean --namespace? (WrongFlags)'],
    ['plan upgrade -f x -q', 'there is no flag -q (WrongFlags)'],
    [
      'plan upgrade -f x -oxml',
      '"xml" cannot be the output: it is one of table, wide, name, json, yaml, markdown, html (WrongFlags)',
    ],
    ['plan upgrade -f x y', '"y" is one argument too many (WrongFlags)'],
    ['plan upgrade -f x -n a -n b', '--namespace was given twice: "a" and "b" (WrongFlags)'],
    ['plan drian n1', 'there is no command "drian" (WrongFlags)'],
    ['completion tcsh', '"tcsh" cannot be the bash|zsh|fish: it must be one of bash, zsh, fish (WrongFlags)'],
  ])('%s', async (line, message) => {
    const { code, stdout, stderr } = await runCli(words(line));
    expect(stderr.split('\n')).toEqual([`error: ${message}`, expect.stringMatching(/^ {2}to do: \S/), '']);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('suggests what is there', async () => {
    expect((await runCli(words('plan drain n9 -f x'))).stderr).toContain('Name one of: n1.');
    expect((await runCli(words('plan evict x/db-0 -f x'))).stderr).toContain('Name one of: shop/db-0.');
    expect((await runCli(words('plan drian n1'))).stderr).toContain('Did you mean `drain`?');
  });

  it('tells an unforeseen error without its stack, and with it on request', async () => {
    const readInput = async (): Promise<never> => {
      throw new TypeError('x is not a function');
    };
    const { code, stderr } = await runCli(words('plan upgrade -f x'), { readInput });
    expect([code, stderr]).toEqual([
      2,
      'error: TypeError: x is not a function (Internal)\n  to do: Please report it, with the output of the same command under DROVER_DEBUG=1.\n',
    ]);
    const told = await runCli(words('plan upgrade -f x'), { readInput }, { DROVER_DEBUG: '1' });
    expect(told.stderr).toContain('    at ');
  });

  it('tells several problems of one input', async () => {
    const readInput = async (): Promise<never> => {
      throw Object.assign(new DroverError('NoInput', 'first (and 3 more)', 'mend it'), {
        lines: ['first', 'second'],
        count: 4,
      });
    };
    expect((await runCli(words('plan upgrade -f x'), { readInput })).stderr).toBe(
      'error: first (NoInput)\nerror: second\nerror: and 2 more\n  to do: mend it\n',
    );
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
  it.each(['--version', 'version', 'version -o json'])('%s tells the version', async (line) => {
    const { code, stdout } = await runCli(words(line));
    expect([code, stdout.includes('1.2.3')]).toEqual([0, true]);
  });

  it.each(['', '--help', '-h', 'plan', 'plan drain --help', 'explain -h'])(
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

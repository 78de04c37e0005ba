import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from './bundle.ts';
import { PAGES_WITH_EXAMPLES, runBuilt, withOutputs } from './examples.ts';

/** The program as it is shipped: bundled, run as a process. */
const out = mkdtempSync(join(tmpdir(), 'drover-dist-'));
const program = join(out, 'drover.js');

beforeAll(() => buildProgram(out));
afterAll(() => rmSync(out, { recursive: true, force: true }));

function drover(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(program, args, { encoding: 'utf8' });
}

describe('the program', () => {
  it.each([
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['--help'], 0, /^Says beforehand/, /^$/],
    [['completion', 'bash'], 0, /complete -F _drover/, /^$/],
    [['__complete', 'li'], 0, /^lint\t.*\n:4\n$/, /^$/],
    [['--no-such-flag'], 2, /^$/, /^error: there is no command/],
    [['plan', 'upgrade'], 2, /^$/, /^error: no input/],
    [['plan', 'upgrade', '-f', '/no/such/file.yaml'], 2, /^$/, /^error: .*\n {2}to do: /],
  ])('%j ends with %i', (args, status, stdout, stderr) => {
    const ran = drover(...args);
    expect(ran.stderr).toMatch(stderr);
    expect(ran.stdout).toMatch(stdout);
    expect(ran.status).toBe(status);
  });

  it('is a kubectl plugin under that name', () => {
    const plugin = join(out, 'kubectl-drover');
    symlinkSync(program, plugin);
    expect(spawnSync(plugin, ['plan'], { encoding: 'utf8' }).stdout).toContain(
      '  kubectl drover plan COMMAND',
    );
  });

  it('does not mind a reader that goes away', async () => {
    const child = spawn(program, ['plan', 'drain', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const status = await new Promise((done) => child.on('close', done));
    expect([status, said]).toEqual([0, '']);
  });

  it.each(PAGES_WITH_EXAMPLES)('prints what the examples of %s show (npm run docs writes them)', (path) => {
    const page = readFileSync(path, 'utf8');
    expect(page).toContain('```console');
    expect(withOutputs(page, runBuilt(program))).toBe(page);
  });

  it('plays a scenario the same way on one thread and on two', () => {
    const played = (jobs: string) =>
      drover(
        'simulate',
        'scenarios/how-the-guest-ends/scenario.yaml',
        '--runs',
        '4',
        '--jobs',
        jobs,
        '-o',
        'json',
      );
    const [one, two] = [played('1'), played('2')];
    expect([one.status, one.stderr]).toEqual([0, '']);
    expect([two.status, two.stderr, two.stdout]).toEqual([one.status, one.stderr, one.stdout]);
    expect(JSON.parse(one.stdout).status.runs).toBe(4);
  });

  it('says with its exit code whether a scenario came as expected, and whether it could be played', () => {
    const file = join(out, 'scenario.yaml');
    writeFileSync(file, 'title: x\ncluster: { nodes: [n1] }\nexpect: { counts: { Cut: 1 } }\n');
    expect(drover('simulate', file).status).toBe(1);
    writeFileSync(file, 'title: x\ntimeline: [{ at: soon, drain: { node: n9 } }]\n');
    const wrong = drover('simulate', file);
    expect([wrong.status, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(
      /^error: .*scenario\.yaml: timeline.*a duration.*\(ScenarioInvalid\)\n {2}to do: /,
    );
    expect(drover('simulate', join(out, 'none.yaml')).stderr).toMatch(
      /^error: .*\(ScenarioUnreadable\)\n {2}to do: /,
    );
  });

  it('ships the licence of every package that is in it', () => {
    const licences = readFileSync(join(out, 'LICENSES.txt'), 'utf8');
    expect(licences).toMatch(/^@stricli\/core .*Apache-2\.0/m);
    expect(licences).toMatch(/^js-yaml .*MIT/m);
  });
});

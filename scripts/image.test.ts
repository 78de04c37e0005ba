import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What the Dockerfile says, one instruction a line. */
const INSTRUCTIONS = readFileSync('Dockerfile', 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '');
const wordsOf = (instruction: string): string[][] =>
  INSTRUCTIONS.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(/\s+/).slice(1));
const COPIED = wordsOf('COPY')
  .filter(([first = '']) => !first.startsWith('--from'))
  .flatMap((words) => words.slice(0, -1));
const IGNORED = readFileSync('.dockerignore', 'utf8').split('\n');

describe('the image', () => {
  it('is made in two stages, of which the last has no npm', () => {
    const [build = [], last = []] = wordsOf('FROM');
    expect(build).toEqual([expect.stringMatching(/^node:.*-slim$/), 'AS', 'build']);
    expect(last).toEqual([expect.stringMatching(/^debian:.*-slim$/)]);
  });

  it('runs as the user whom the pods name, and as no other', () => {
    expect(wordsOf('USER')).toEqual([['65532:65532']]);
    const pods = readFileSync('deploy/helm/drover/templates/_pods.tpl', 'utf8');
    expect(pods).toContain('runAsUser: 65532\n');
    expect(pods).toContain('runAsGroup: 65532\n');
  });

  it('is of a Node that the program runs on', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [version] = wordsOf('ARG').find(([word = '']) => word.startsWith('NODE_VERSION=')) ?? [];
    const [, least = ''] = />=(\d+)/.exec(engines.node) ?? [];
    expect(Number(version?.split('=')[1])).toBeGreaterThanOrEqual(Number(least));
  });

  it('gets nothing else of the work tree', () => {
    for (const path of COPIED) {
      expect(existsSync(path), path).toBe(true);
      expect(IGNORED, path).toContain(`!${path}`);
    }
    const let_in = IGNORED.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(let_in.filter((path) => !COPIED.includes(path))).toEqual([]);
    expect(IGNORED[1]).toBe('*');
  });
});

/** Both stages by hand, as far as that goes without a container. */
describe('the program of the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-image-'));
  const program = join(folder, 'dist', 'drover.js');
  /** Root may become the user of the image. */
  const user = process.getuid?.() === 0 ? { uid: 65532, gid: 65532 } : {};

  beforeAll(() => {
    const wanted = (path: string): boolean => !path.endsWith('.test.ts');
    for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true, filter: wanted });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: folder, encoding: 'utf8' });
    expect(built.status, built.stderr).toBe(0);
    rmSync(join(folder, 'node_modules'));
    for (const path of ['.', 'dist']) chmodSync(join(folder, path), 0o555);
  });
  afterAll(() => {
    for (const path of ['.', 'dist']) chmodSync(join(folder, path), 0o755);
    rmSync(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: join(folder, 'dist'),
      encoding: 'utf8',
      env: { NODE_ENV: 'production', HOME: '/nonexistent', TMPDIR: '/nonexistent' },
      ...user,
    });

  it('is made of what is copied, and runs with nothing but that', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(run('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('serves webhooks as far as to the question of a cluster', () => {
    const { status, stderr } = run('webhook', '--guard', '--bootstrap-certs');
    expect([status, stderr]).toEqual([2, expect.stringContaining('(NoKubeconfig)')]);
  });
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isThere, PROCESSES, type ProcessTable, PS } from './processes.ts';
import { clearRemains, writeOwner } from './remains.ts';

let temporary: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'drover-remains-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

/** A folder as a lab of this process has it, with some of that changed. */
function aFolder(name: string, change: object = {}, table?: ProcessTable): string {
  const folder = join(temporary, name);
  mkdirSync(folder);
  writeOwner(folder, table);
  const file = join(folder, 'owner.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
  return folder;
}

/** The number of a process that has ended. */
const gone = (): number => spawnSync(process.execPath, ['--version']).pid;

async function aProcess(name: string, argument: string): Promise<number> {
  const words = ['--eval', 'setTimeout(() => {}, 60_000)', '--', argument];
  const child = spawn(process.execPath, words, { argv0: name, stdio: 'ignore' });
  started.push(child);
  await once(child, 'spawn');
  return child.pid as number;
}

async function cleared(table?: ProcessTable): Promise<string[]> {
  const lines: string[] = [];
  await clearRemains((line) => lines.push(line), table);
  return lines;
}

describe.each([
  ['as this machine tells of its processes', PROCESSES],
  ['by ps, as on machines without /proc', PS],
])('%s', (_, table) => {
  it('ends what was left running of a lab that was killed, removes its folder, and says so', async () => {
    const folder = aFolder('drover-lab-a', { pid: gone() }, table);
    const etcd = await aProcess('/some where/etcd', `--data-dir=${folder}/etcd`);
    const reader = await aProcess('tail', `--follow=${folder}/etcd.log`);
    const other = await aProcess('etcd', `--data-dir=${temporary}/drover-lab-b/etcd`);
    const told = `a lab was killed before: removed ${folder}, and ended etcd (${etcd})\n`;
    expect(await cleared(table)).toEqual([told]);
    expect(existsSync(folder)).toBe(false);
    expect([etcd, reader, other].map(isThere)).toEqual([false, true, true]);
    expect(await cleared(table)).toEqual([]);
  });

  it('knows that another process has the number of one that was killed', async () => {
    const folder = aFolder('drover-lab-a', { begun: 'long ago' }, table);
    expect(await cleared(table)).toEqual([`a lab was killed before: removed ${folder}\n`]);
  });

  it('leaves a lab alone that runs', async () => {
    const folder = aFolder('drover-lab-a', {}, table);
    expect([await cleared(table), existsSync(folder)]).toEqual([[], true]);
  });

  it('knows since when a process runs, and nothing of one that is not there', () => {
    expect(table.beginningOf(process.pid)).not.toBe('');
    expect(table.beginningOf(process.pid)).toBe(table.beginningOf(process.pid));
    expect(table.beginningOf(gone())).toBe('');
  });

  it('sees a process whose command line is longer than a line of a terminal', async () => {
    const long = `--data-dir=${'x'.repeat(5_000)}`;
    const pid = await aProcess('etcd', long);
    expect(table.commandLines().find((line) => line.pid === pid)?.text).toContain(long);
  });
});

it.each<[string, string, object]>([
  [
    'of another machine, whose processes nobody sees',
    'drover-lab-a',
    { pid: 2 ** 22 + 1, host: 'elsewhere' },
  ],
  ['of a process whose beginning is not known', 'drover-lab-a', { begun: '' }],
  ['that says nothing of its process', 'drover-lab-a', { pid: undefined }],
  ['of another name', 'drover-run-a', { pid: 2 ** 22 + 1 }],
])('leaves a folder alone %s', async (_, name, change) => {
  const folder = aFolder(name, change);
  expect([await cleared(), existsSync(folder)]).toEqual([[], true]);
});

it('finds nothing where there is no folder for temporary files', async () => {
  vi.stubEnv('TMPDIR', join(temporary, 'nowhere'));
  expect(await cleared()).toEqual([]);
});

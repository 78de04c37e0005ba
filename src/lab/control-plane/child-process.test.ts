import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startProcess } from './child-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-process-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shell = (script: string, logFile: string) =>
  startProcess({ name: 'part', command: '/bin/sh', args: ['-c', script], folder, logFile });

const FULL = '/dev/full';

it.skipIf(!existsSync(FULL))('a disk without room for its log ends nobody', async () => {
  const part = await shell('echo much; exec sleep 0.2', FULL);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(part.isRunning()).toBe(true);
  await part.ended;
});

it('all that it says is in its log when it has ended', async () => {
  const logFile = join(folder, 'part.log');
  const part = await shell('seq 10000; echo last >&2', logFile);
  await part.ended;
  expect(readFileSync(logFile, 'utf8')).toMatch(/\n10000\nlast\n$/);
});

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeLabFile, writeLabFile } from './lab-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-lab-file-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const kubeconfig = join(folder, 'admin');
writeFileSync(kubeconfig, JSON.stringify({ kind: 'Config' }));

it('the kubeconfig of a lab is of its process, for nobody else to read, and gone with it', async () => {
  const file = join(folder, 'lab');
  await writeLabFile(file, kubeconfig);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    kind: 'Config',
    extensions: [{ extension: { pid: process.pid } }],
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  removeLabFile(file);
  expect(existsSync(file)).toBe(false);
});

it.each(['/proc/drover-lab', join(folder, 'no', 'lab')])(
  'a kubeconfig that cannot be written when the lab runs is told as such: %s',
  async (file) => {
    await expect(writeLabFile(file, kubeconfig)).rejects.toMatchObject({
      code: 'CannotWrite',
      message: expect.stringContaining(file),
    });
  },
);

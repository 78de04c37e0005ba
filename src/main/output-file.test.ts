import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { requireFolder, requireWritable, writeOutput } from './output-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-output-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'there');
writeFileSync(file, '');

describe('a file for an answer', () => {
  it.each([
    ['in a folder that is not there', join(folder, 'no', 'x')],
    ['that is a folder', folder],
    ['in a file', join(file, 'x')],
  ])('%s cannot be written', async (_, path) => {
    await expect(requireWritable(path)).rejects.toMatchObject({ code: 'CannotWrite' });
    await expect(writeOutput(path, '')).rejects.toMatchObject({ code: 'CannotWrite' });
  });

  it('is told in words', async () => {
    const lacking = join(folder, 'no');
    await expect(requireWritable(join(lacking, 'x'))).rejects.toMatchObject({
      message: `${lacking}: there is no such file or folder`,
    });
    await expect(requireFolder(join(file, 'x'))).rejects.toMatchObject({
      message: `${join(file, 'x')}: there is a file in the place of a folder`,
    });
  });

  it.each([file, join(folder, 'new')])('%s can', async (path) => {
    await expect(requireWritable(path)).resolves.toBeUndefined();
  });
});

it('a folder is made where there is none, and refused where there cannot be one', async () => {
  await expect(requireFolder(join(folder, 'a', 'b'))).resolves.toBeUndefined();
  await expect(requireFolder(join(file, 'x'))).rejects.toMatchObject({ code: 'CannotWrite' });
  await expect(requireFolder(file)).rejects.toMatchObject({ code: 'CannotWrite' });
});

it.each(['/proc/drover', '/proc/drover/x'])(
  '%s, where nobody can make a folder, is refused at once',
  async (path) => {
    await expect(requireFolder(path)).rejects.toMatchObject({ code: 'CannotWrite' });
  },
  5000,
);

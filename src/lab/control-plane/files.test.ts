import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { layFiles } from './files.ts';

afterEach(() => vi.unstubAllEnvs());

it('says where the folder of a lab cannot be made', async () => {
  const nowhere = join(import.meta.dirname, 'no-such-folder');
  vi.stubEnv('TMPDIR', nowhere);
  await expect(layFiles(6443)).rejects.toMatchObject({
    code: 'LabFolderUnwritable',
    message: expect.stringContaining(nowhere),
  });
});

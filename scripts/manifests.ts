import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { KUSTOMIZE, kustomizeFiles, labFiles, webhookFiles } from './manifest-files.ts';

/** `npm run manifests`: writes what is derived in `deploy/` anew. */
for (const [path, text] of webhookFiles()) writeFileSync(path, text);
const files = await kustomizeFiles();
rmSync(KUSTOMIZE, { recursive: true, force: true });
for (const [path, text] of [...files, ...labFiles()]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

import { writeFileSync } from 'node:fs';
import { kustomizeFiles, webhookFiles } from './manifest-files.ts';

/** `npm run manifests`: writes what is derived in `deploy/` anew. */
for (const [path, text] of webhookFiles()) writeFileSync(path, text);
for (const [path, text] of await kustomizeFiles()) writeFileSync(path, text);

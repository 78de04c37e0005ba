import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './reference.ts';

/** `npm run docs`: writes `docs/reference/` anew. */
const FOLDER = 'docs/reference';

mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of referencePages()) writeFileSync(join(FOLDER, name), text);

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from './bundle.ts';
import { PAGES_WITH_EXAMPLES, runBuilt, withOutputs } from './examples.ts';
import { referencePages } from './reference.ts';

/** `npm run docs`: writes `docs/reference/` and the outputs of all examples anew. */
const FOLDER = 'docs/reference';

mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of referencePages()) writeFileSync(join(FOLDER, name), text);

await buildProgram('dist');
for (const page of PAGES_WITH_EXAMPLES) {
  writeFileSync(page, withOutputs(readFileSync(page, 'utf8'), runBuilt('dist/drover.js')));
}

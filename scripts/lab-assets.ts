import { buildLabAssets } from '../src/lab/assets.ts';

/**
 * `npm run lab:assets -- [--kubernetes 1.36]`: builds the lab's real parts from their Go modules where they are not built
 * yet, and prints the folder that holds them.
 */
const at = process.argv.indexOf('--kubernetes');
const kubernetes = at < 0 ? undefined : process.argv[at + 1];
console.log(buildLabAssets(kubernetes, (line) => console.error(line)));

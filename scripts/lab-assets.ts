import { buildLabAssets, buildPromtool } from '../src/lab/control-plane/assets.ts';

/**
 * `npm run lab:assets -- [--kubernetes 1.36]`: builds the lab's real parts, and promtool, from their Go modules where they
 * are not built yet, and prints the folder that holds the lab's.
 */
const at = process.argv.indexOf('--kubernetes');
const kubernetes = at < 0 ? undefined : process.argv[at + 1];
const say = (line: string): void => console.error(line);
buildPromtool(say);
console.log(buildLabAssets(kubernetes, say));

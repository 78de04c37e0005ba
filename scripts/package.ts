import { packagePlugin } from './plugin-archive.ts';

/** `npm run package -- URL`: writes the archive that is to lie under the URL, and the manifest for krew, into `release/`. */
const [uri] = process.argv.slice(2);
if (uri === undefined) throw new Error('give the URL under which the archive will lie');
const { archive, manifest } = await packagePlugin('release', uri);
console.log(`${archive}\n${manifest}`);

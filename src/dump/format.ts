/** What the first bytes of a file say that it is. */
export type Format = 'json' | 'yaml' | 'gzip' | 'utf-16' | 'binary' | 'empty';

/** How many bytes are enough to tell; fewer where the file is shorter. */
export const BYTES_TO_TELL = 4096;

/** Files that are often given by mistake, by the bytes they begin with (at an offset). */
const ARCHIVES: readonly (readonly [string, string, number])[] = [
  ['zip archive', 'PK\u0003\u0004', 0],
  ['zstd file', '\u0028\u00b5\u002f\u00fd', 0],
  ['xz file', '\u00fd7zXZ', 0],
  ['bzip2 file', 'BZh', 0],
  ['tar archive', 'ustar', 257],
];

/** Tells the format by content; names of files say nothing certain. */
export function formatOf(start: Buffer): Format {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) return 'utf-16';
  if (archiveOf(start) !== undefined || start.some(isControl)) return 'binary';
  const text = start.subarray(preambleLength(start)).toString('latin1').trimStart();
  if (text === '') return 'empty';
  // A YAML flow mapping begins with the same bracket, but hardly with a quoted key.
  return /^(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]]|$))/.test(text) ? 'json' : 'yaml';
}

/** The kind of archive that a file is, in words. */
export function archiveOf(start: Buffer): string | undefined {
  return ARCHIVES.find(([, magic, at]) => start.toString('latin1', at, at + magic.length) === magic)?.[0];
}

/** Bytes that no text has: control characters but tab, line ends, form feed and escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
}

const NPM_BANNER = /^\s*> [^\n]*\n(?:> [^\n]*\n)*\s*(?=[[{])/;

/**
 * Length of what stands before the content: a byte order mark, and the lines that `npm run` without `--silent` prints
 * before the output of a script, such as the fleet generator's.
 */
export function preambleLength(start: Buffer): number {
  const mark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
  const banner = NPM_BANNER.exec(start.toString('latin1', mark))?.[0].length ?? 0;
  return mark + banner;
}

const DASH = 0x2d;
const BLANK = 0x20;
const COMMENT = 0x23;
const LINE_ENDS: ReadonlySet<number | undefined> = new Set([undefined, 0x0a, 0x0d]);
const SPACES: ReadonlySet<number | undefined> = new Set([undefined, 0x0a, 0x0d, 0x20, 0x09]);

/** What the beginning of a line of block YAML tells. */
export interface YamlLine {
  /** Nothing but blanks or a comment. */
  readonly empty: boolean;
  /** Blanks before the first character. */
  readonly indent: number;
  /** Begins an item of a sequence. */
  readonly item: boolean;
}

/** The line of the block that begins at a byte. */
export function yamlLine(block: Buffer, at: number): YamlLine {
  let first = at;
  while (block[first] === BLANK) first++;
  const byte = block[first];
  return {
    empty: LINE_ENDS.has(byte) || byte === COMMENT,
    indent: first - at,
    item: byte === DASH && SPACES.has(block[first + 1]),
  };
}

/** `---` or `...` at the start of a line, which end a document wherever they stand. */
export function isMarker(block: Buffer, at: number): boolean {
  const byte = block[at];
  if (byte !== DASH && byte !== 0x2e) return false;
  return block[at + 1] === byte && block[at + 2] === byte && SPACES.has(block[at + 3]);
}

/** A marker with the content of its document behind it (`--- {a: b}`). */
export function hasContentBehindMarker(line: string): boolean {
  return /^---[ \t]+[^#\s]/.test(line);
}

export const DIRECTIVE = 0x25;
export const FULL_STOP = 0x2e;
/** `items:` and nothing behind it, as kubectl begins the items of a List. */
export const ITEMS_LINE = /^items:[ \t]*(?:#.*)?\r?\n?$/;
/** A plain key at the start of a line: the document is a block mapping. */
export const KEY_LINE = /^[A-Za-z_][\w.-]*:(?:\s|$)/;

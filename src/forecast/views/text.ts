/** Text for a terminal. Names and messages come from a cluster that others write to, so nothing in them may steer the terminal. */

/** Control characters, bidirectional overrides, zero-width and separator characters: they move, hide or reorder what stands around them. */
export const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be caught.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** The text with every character that a terminal would act on written as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** First and last code point of the blocks whose characters take two columns (Unicode East Asian Width W and F, coarsely). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];

function isWide(codePoint: number): boolean {
  return codePoint >= 0x1100 && WIDE.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/** Columns that a text takes on a terminal; combining marks take none. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

const ASCII = /^[\x20-\x7e]*$/;

function columnsOfCharacter(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
}

/** At least `columns` columns; a wide character takes two. */
export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** At most `columns` columns; a cut text ends in `…`. */
export function truncate(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const [kept = ''] = pieces(text, columns - 1);
  return `${kept.trimEnd()}…`;
}

/**
 * Breaks a text at spaces into lines of at most `columns` columns.
 *
 * Promise: a word that is longer than a line is cut in pieces; nothing is lost and every line fits (a two-column character excepted where `columns` is 1).
 */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(' ').flatMap((word) => pieces(word, columns))) {
    const longer = line === '' ? piece : `${line} ${piece}`;
    if (columnsOf(longer) <= columns) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = piece;
    }
  }
  return [...lines, line];
}

function pieces(word: string, columns: number): string[] {
  const cut: string[] = [];
  let piece = '';
  let taken = 0;
  for (const character of word) {
    const more = columnsOfCharacter(character);
    if (taken + more > columns && piece !== '') {
      cut.push(piece);
      piece = '';
      taken = 0;
    }
    piece += character;
    taken += more;
  }
  return [...cut, piece];
}

/** Wraps with a first line that starts with `head` and further lines indented to the same column. */
export function hanging(head: string, text: string, columns: number): string[] {
  const indent = columnsOf(head);
  const lines = wrap(text, Math.max(columns - indent, 20));
  return lines.map((line, index) => (index === 0 ? head : ' '.repeat(indent)) + line);
}

/** Blocks of lines with an empty line between them and one line end at the end; empty blocks leave no gap, no blocks no text. */
export function paragraphs(blocks: readonly (readonly string[])[]): string {
  const filled = blocks.filter((block) => block.length > 0);
  return filled.length === 0 ? '' : `${filled.map((block) => block.join('\n')).join('\n\n')}\n`;
}

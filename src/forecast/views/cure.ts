import { columnsOf, hanging, printable } from './text.ts';

/** What follows a backtick when the words between two of them are a command to paste. */
const COMMAND = /`((?:kubectl|virtctl|drover|helm|echo) [^`]*)`/;

/** A part of an advice: words, or a command to be pasted as it is. */
export interface Piece {
  readonly kind: 'words' | 'command';
  readonly text: string;
}

/** A cure in pieces: the commands between its backticks, and the words beside them without what held the commands. */
export function curePieces(cure: string): Piece[] {
  const texts = printable(cure).split(COMMAND);
  return texts
    .map((text, i): Piece => {
      if (i % 2 === 1) return { kind: 'command', text };
      return { kind: 'words', text: between(text, i > 0, i < texts.length - 1) };
    })
    .filter(({ text }) => text !== '');
}

/** The words beside commands, without the parentheses and commas that held the commands. */
function between(piece: string, follows: boolean, leads: boolean): string {
  const start = follows ? piece.replace(/^([^()]*)\)/, '$1').replace(/^[.,;\s]*/, '') : piece;
  const words = leads ? start.replace(/[\s(:]*$/, '') : start;
  return leads && words !== '' ? `${words}:` : words;
}

/** A remedy in pieces: it may end in a colon and a command. */
export function remedyPieces(remedy: string): Piece[] {
  const text = printable(remedy);
  const [, words, command] = /^(.+?:) ((?:kubectl|virtctl|drover) .+)$/.exec(text) ?? [];
  if (words === undefined || command === undefined) return [{ kind: 'words', text }];
  return [
    { kind: 'words', text: words },
    { kind: 'command', text: command },
  ];
}

/**
 * A cure with each command on a line of its own, never broken, so that it can be pasted; the words between are wrapped.
 * `head` stands before the first line, and everything else is indented to it.
 */
export function cureLines(head: string, cure: string, columns: number): string[] {
  return pieceLines(head, curePieces(cure), columns);
}

/** A remedy on one line where it fits, else with its command on a line of its own, never broken. */
export function remedyLines(head: string, remedy: string, columns: number): string[] {
  const line = head + printable(remedy);
  return columnsOf(line) <= columns ? [line] : pieceLines(head, remedyPieces(remedy), columns);
}

function pieceLines(head: string, pieces: readonly Piece[], columns: number): string[] {
  const indent = ' '.repeat(columnsOf(head));
  const lines = pieces.flatMap(({ kind, text }) =>
    kind === 'command' ? [`${indent}  ${text}`] : hanging(indent, text, columns),
  );
  return lines.map((line, i) => (i === 0 ? head + line.slice(indent.length) : line));
}

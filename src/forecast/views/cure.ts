import { hanging, printable } from './text.ts';

/** What follows a backtick when the words between two of them are a command to paste. */
const COMMAND = /`((?:kubectl|virtctl|drover|helm|echo) [^`]*)`/;

/**
 * A cure with each command on a line of its own, never broken, so that it can be pasted; the words between are wrapped.
 * `head` stands before the first line, and everything else is indented to it.
 */
export function cureLines(head: string, cure: string, columns: number): string[] {
  const indent = ' '.repeat(head.length);
  const pieces = printable(cure).split(COMMAND);
  const lines = pieces.flatMap((piece, i) => {
    if (i % 2 === 1) return [`${indent}  ${piece}`];
    const words = between(piece, i > 0, i < pieces.length - 1);
    return words === '' ? [] : hanging(indent, words, columns);
  });
  return lines.map((line, i) => (i === 0 ? head + line.slice(head.length) : line));
}

/** The words beside commands, without the parentheses and commas that held the commands. */
function between(piece: string, follows: boolean, leads: boolean): string {
  const start = follows ? piece.replace(/^([^()]*)\)/, '$1').replace(/^[.,;\s]*/, '') : piece;
  const words = leads ? start.replace(/[\s(:]*$/, '') : start;
  return leads && words !== '' ? `${words}:` : words;
}

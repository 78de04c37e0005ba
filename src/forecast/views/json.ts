import { UNPRINTABLE } from './text.ts';

/**
 * Any of Drover's answers as JSON, for programs.
 *
 * Promise: keys in the order of the type; an absent value has no key. Characters that a terminal would act on are written
 * as `\uXXXX`, which reads back as the same text.
 */
export function jsonView(answer: object): string {
  return `${JSON.stringify(answer, null, 2).replace(UNPRINTABLE, escapeCharacter)}\n`;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return character;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

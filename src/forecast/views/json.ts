import { UNPRINTABLE } from './text.ts';

/**
 * Any of Drover's answers as JSON, for programs.
 *
 * Promise: keys in the order of the type; an absent value has no key, but evidence of an absent field says `null`. Stages
 * are printed where there are any, and always by explain. Characters that a terminal would act on are written as `\uXXXX`,
 * which reads back as the same text.
 */
export function jsonView(answer: object): string {
  return `${escaped(JSON.stringify(answer, replacerFor(answer), 2))}\n`;
}

/** The value that programs read, in JSON and in YAML. */
export function forPrograms(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer, replacerFor(answer)));
}

/** The text with every character that a terminal would act on written as JSON and YAML write it within double quotes. */
export function escaped(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

type Replacer = (this: unknown, key: string, value: unknown) => unknown;

function replacerFor(answer: object): Replacer {
  const isExplained = 'kind' in answer && answer.kind === 'ForecastList';
  return function (key, value) {
    if (key === 'value' && value === undefined && isEvidence(this)) return null;
    if (key === 'stages' && !isExplained && Array.isArray(value) && value.length === 0) return undefined;
    return value;
  };
}

function isEvidence(holder: unknown): boolean {
  return typeof holder === 'object' && holder !== null && 'object' in holder && 'path' in holder;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return character;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

import { LIMITS } from './limits.ts';

/** The first place where a text stops being JSON. */
export interface JsonFault {
  /** Offset in the text, in characters. */
  readonly at: number;
  /** `expected ":", found "x"`. */
  readonly problem: string;
}

/**
 * Finds out why `JSON.parse` refuses a text. V8's own message names a place only sometimes, and quotes the text.
 *
 * Promise: undefined for well-formed JSON of up to 256 levels.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const walk = new Walk(text);
  try {
    walk.value(0);
    walk.blank();
    if (walk.at < text.length) walk.fail('nothing more');
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return { at: error.at, problem: error.message };
    throw error;
  }
}

class Fault extends Error {
  readonly at: number;

  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}

const BLANK = /[ \t\r\n]*/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts.
const CHARACTERS = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

class Walk {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): void {
    this.blank();
    if (depth > LIMITS.nesting) this.fail('less nesting');
    const next = this.#text[this.at];
    if (next === '{') this.#members('}', () => this.#member(depth));
    else if (next === '[') this.#members(']', () => this.value(depth + 1));
    else if (next === '"') this.#characters();
    else if (!this.#run(WORD)) this.fail('a value');
  }

  blank(): void {
    this.#run(BLANK);
  }

  fail(expected: string): never {
    const found = this.#text[this.at];
    const what = found === undefined ? 'the end' : JSON.stringify(found);
    throw new Fault(this.at, `expected ${expected}, found ${what}`);
  }

  #members(end: string, member: () => void): void {
    this.at++;
    this.blank();
    if (this.#take(end)) return;
    do {
      member();
      this.blank();
    } while (this.#take(','));
    if (!this.#take(end)) this.fail(`"," or "${end}"`);
  }

  #member(depth: number): void {
    this.blank();
    if (this.#text[this.at] !== '"') this.fail('a key in double quotes');
    this.#characters();
    this.blank();
    if (!this.#take(':')) this.fail('":"');
    this.value(depth + 1);
  }

  #characters(): void {
    this.at++;
    this.#run(CHARACTERS);
    if (!this.#take('"')) this.fail('a legal character of a text');
  }

  #take(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  /** Moves behind what the pattern matches here; false where it matches nothing. */
  #run(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.at += length;
    return length > 0;
  }
}

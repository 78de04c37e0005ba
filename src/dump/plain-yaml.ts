import { LIMITS } from './limits.ts';
import { BeyondPlain, keyEnd, readKey, readScalar } from './plain-scalar.ts';

/** The answer to a text that is not entirely of the plain form. */
export const BEYOND = Symbol('beyond plain YAML');

/**
 * Reads YAML in the form in which kubectl writes it: block mappings and sequences, scalars on one line, literal blocks.
 *
 * Promise: what js-yaml makes of the text, or `BEYOND` where it is broken, ambiguous or just unusual; js-yaml then has
 * the word. It is several times faster: docs/adr/0004-plain-yaml.md.
 */
export function readPlainYaml(source: string): unknown {
  if (!source.endsWith('\n') || UNUSUAL.test(source)) return BEYOND;
  try {
    return new PlainReader(source).read();
  } catch (error) {
    if (error instanceof BeyondPlain) return BEYOND;
    throw error;
  }
}

/** Characters that YAML forbids or that need a closer look: controls, tabs, halves of surrogate pairs, marks, other line ends. */
const UNUSUAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be caught.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;
const SPACE = 0x20;
const DASH = 0x2d;

class PlainReader {
  readonly #source: string;
  /** The line under way: blanks before its content (or the column of what stands behind a dash), and the content. */
  #indent = 0;
  #content = '';
  #ended = false;
  /** Where the next line begins. */
  #next = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): unknown {
    this.#advance();
    if (this.#content === '---') this.#advance();
    const value = this.#ended ? undefined : this.#node();
    if (!this.#ended || value === undefined) throw new BeyondPlain();
    return value;
  }

  #node(): unknown {
    if (++this.#depth > LIMITS.nesting / 2) throw new BeyondPlain();
    const value = this.#isItem() ? this.#sequence(this.#indent) : this.#mapping(this.#indent);
    this.#depth--;
    return value;
  }

  #mapping(indent: number): unknown {
    const mapping: Record<string, unknown> = {};
    while (!this.#ended && this.#indent === indent && !this.#isItem()) {
      const colon = keyEnd(this.#content);
      if (colon < 0) throw new BeyondPlain();
      const key = readKey(this.#content.slice(0, colon));
      if (Object.hasOwn(mapping, key)) throw new BeyondPlain();
      mapping[key] = this.#value(this.#content.slice(colon + 1).trimStart(), indent, true);
    }
    return mapping;
  }

  #sequence(indent: number): unknown {
    const sequence: unknown[] = [];
    while (!this.#ended && this.#indent === indent && this.#isItem()) sequence.push(this.#item(indent));
    return sequence;
  }

  #item(indent: number): unknown {
    const inner = this.#content.slice(1).trimStart();
    if (inner === '') return this.#value('', indent, false);
    this.#indent += this.#content.length - inner.length;
    this.#content = inner;
    return this.#isItem() || keyEnd(inner) >= 0 ? this.#node() : this.#value(inner, indent, false);
  }

  /** What stands behind a key or dash at `indent`; `items`: a sequence may begin in the column of the key. */
  #value(text: string, indent: number, items: boolean): unknown {
    if (text.startsWith('|')) return this.#literal(text, indent);
    const value = text === '' ? null : readScalar(text);
    this.#advance();
    if (this.#ended || this.#indent < indent) return value;
    const below = this.#indent > indent || (items && text === '' && this.#isItem());
    if (!below) return value;
    // A scalar that goes on in the next line is not plain.
    if (text !== '') throw new BeyondPlain();
    return this.#node();
  }

  /** The lines of a literal block, which all stand deeper than `indent`. */
  #literal(header: string, indent: number): string {
    const lines: string[] = [];
    const depth = this.#blanksAt(this.#next);
    if (depth <= indent || !/^\|[-+]?$/.test(header)) throw new BeyondPlain();
    while (this.#next < this.#source.length) {
      const end = this.#source.indexOf('\n', this.#next);
      const blanks = this.#blanksAt(this.#next);
      const empty = this.#next + blanks === end;
      if (empty && (blanks > depth || lines.length === 0)) throw new BeyondPlain();
      if (!empty && blanks < depth) break;
      lines.push(empty ? '' : this.#source.slice(this.#next + depth, end));
      this.#next = end + 1;
    }
    this.#advance();
    if (!this.#ended && this.#indent > indent) throw new BeyondPlain();
    return chomped(lines, header);
  }

  #blanksAt(start: number): number {
    let at = start;
    while (this.#source.charCodeAt(at) === SPACE) at++;
    return at - start;
  }

  /** To the next line with something on it. */
  #advance(): void {
    let blanks = 0;
    let start = this.#next;
    for (; start < this.#source.length; start = this.#next) {
      blanks = this.#blanksAt(start);
      this.#next = this.#source.indexOf('\n', start) + 1;
      if (start + blanks + 1 < this.#next) break;
    }
    this.#ended = start >= this.#source.length;
    this.#indent = blanks;
    this.#content = this.#source.slice(start + blanks, this.#next - 1);
  }

  #isItem(): boolean {
    if (this.#content.charCodeAt(0) !== DASH) return false;
    return this.#content.length === 1 || this.#content.charCodeAt(1) === SPACE;
  }
}

/** `|` keeps one line end at the end, `|-` none, `|+` all. */
function chomped(lines: readonly string[], header: string): string {
  if (header === '|+') return `${lines.join('\n')}\n`;
  const text = lines.join('\n').replace(/\n+$/, '');
  return header === '|-' ? text : `${text}\n`;
}

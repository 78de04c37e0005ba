import { Capture } from './capture.ts';
import { DumpFault } from './errors.ts';
import { JsonNesting } from './json-nesting.ts';
import { LIMITS } from './limits.ts';
import type { Place } from './place.ts';

/** What a splitter finds, in the order of the file. Texts are complete; whether they are well-formed is for the parser to say. */
export interface JsonPieces {
  /** A top-level object that has no list at its first level: most Kubernetes objects. */
  readonly onValue: (text: Buffer, place: Place) => void;
  /** A list begins. `head` is the text around it so far, earlier lists emptied, up to and with the opening bracket. */
  readonly onListStart: (head: Buffer, place: Place) => void;
  readonly onElement: (text: Buffer, place: Place) => void;
  /** The object (or the bare list) around the lists ends. `head` is its text with every list emptied. */
  readonly onListsEnd: (head: Buffer, place: Place) => void;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const NEWLINE = 0x0a;
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
/** Of numbers, `true`, `false` and `null`. */
const WORD: ReadonlySet<number> = new Set(Buffer.from('+-.0123456789Eaeflnrstu'));

const ELEMENT_STARTS: ReadonlySet<number> = new Set([OPEN_OBJECT, OPEN_LIST, QUOTE, ...WORD]);

type Step = (chunk: Buffer, at: number) => number;

/**
 * Cuts JSON into objects while its bytes come in: one value, values one after another (JSON lines), a List, or an object
 * of lists. Lists at the first level are cut into their elements, so that no more than one object is in memory.
 *
 * Promise: how the bytes are cut into chunks makes no difference.
 */
export class JsonSplitter {
  readonly #pieces: JsonPieces;
  readonly #nesting = new JsonNesting();
  /** The object under way, without what its lists hold. */
  readonly #head = new Capture(LIMITS.objectBytes, () => this.#headPlace);
  readonly #element = new Capture(LIMITS.objectBytes, () => this.#elementPlace);
  #step: Step = this.#between;
  #hasLists = false;
  /** The list under way is the top-level value itself. */
  #bare = false;
  /** What came last in the list under way. */
  #last: 'bracket' | 'comma' | 'element' = 'bracket';
  #document = 0;
  #item = 0;
  #headPlace: Place = {};
  #elementPlace: Place = {};

  constructor(pieces: JsonPieces) {
    this.#pieces = pieces;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
    this.#head.hold(chunk);
    this.#element.hold(chunk);
    this.#nesting.nextChunk(chunk.length);
  }

  /** The file has ended. */
  end(): void {
    if (this.#document === 0) throw new DumpFault('DumpEmpty', {}, 'holds nothing');
    if (this.#step === this.#between) return;
    const inside = this.#item === 0 || this.#step === this.#insideElement || this.#step === this.#word;
    const what =
      this.#item > 0 ? `item ${this.#item}` : `the object that begins at line ${this.#headPlace.line}`;
    const place = this.#nesting.placeOf(0);
    throw new DumpFault('DumpTruncated', place, `the file ends ${inside ? 'inside' : 'after'} ${what}`);
  }

  #between(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (BLANKS.has(byte)) return this.#blank(byte, at);
    if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) throw this.#unexpected(chunk, at, 'an object');
    this.#document++;
    this.#item = 0;
    this.#headPlace = { ...this.#nesting.placeOf(at), document: this.#document };
    this.#head.start(at);
    this.#hasLists = false;
    this.#bare = byte === OPEN_LIST;
    this.#nesting.startBracket();
    this.#step = this.#object;
    return this.#bare ? this.#startList(chunk, at + 1) : at + 1;
  }

  #object(chunk: Buffer, at: number): number {
    const next = this.#nesting.run(chunk, at, true);
    if (this.#nesting.closed) this.#endObject(chunk, next);
    else if (this.#nesting.atList) return this.#startList(chunk, next);
    return next;
  }

  #endObject(chunk: Buffer, next: number): void {
    const head = this.#head.take(chunk, next);
    this.#step = this.#between;
    this.#item = 0;
    this.#last = 'bracket';
    if (this.#hasLists) this.#pieces.onListsEnd(head, this.#headPlace);
    else this.#pieces.onValue(head, this.#headPlace);
  }

  #startList(chunk: Buffer, next: number): number {
    this.#head.pause(chunk, next);
    this.#hasLists = true;
    this.#item = 0;
    this.#last = 'bracket';
    this.#step = this.#list;
    this.#pieces.onListStart(this.#head.peek(), this.#headPlace);
    return next;
  }

  /** Between the elements of a list. */
  #list(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (BLANKS.has(byte)) return this.#blank(byte, at);
    if (byte === CLOSE_LIST) return this.#endList(chunk, at);
    if (byte === COMMA) return this.#comma(chunk, at);
    if (this.#last === 'element') throw this.#unexpected(chunk, at, '"," or "]"');
    return this.#startElement(chunk, at, byte);
  }

  #comma(chunk: Buffer, at: number): number {
    if (this.#last !== 'element') throw this.#unexpected(chunk, at, 'an object');
    this.#last = 'comma';
    return at + 1;
  }

  #endList(chunk: Buffer, at: number): number {
    if (this.#last === 'comma') throw this.#unexpected(chunk, at, 'an object');
    this.#head.start(at);
    this.#nesting.startBracket();
    this.#step = this.#object;
    if (!this.#bare) return at + 1;
    this.#endObject(chunk, at + 1);
    return at + 1;
  }

  #startElement(chunk: Buffer, at: number, byte: number): number {
    if (!ELEMENT_STARTS.has(byte)) throw this.#unexpected(chunk, at, 'an object');
    this.#item++;
    this.#elementPlace = { ...this.#nesting.placeOf(at), document: this.#document, item: this.#item };
    this.#element.start(at);
    this.#step = this.#insideElement;
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#nesting.startBracket();
    else if (byte === QUOTE) this.#nesting.startText();
    else this.#step = this.#word;
    return at + 1;
  }

  #insideElement(chunk: Buffer, at: number): number {
    const next = this.#nesting.run(chunk, at, false);
    if (this.#nesting.closed) this.#endElement(chunk, next);
    return next;
  }

  #word(chunk: Buffer, at: number): number {
    if (WORD.has(chunk[at] as number)) return at + 1;
    this.#endElement(chunk, at);
    return at;
  }

  #endElement(chunk: Buffer, next: number): void {
    this.#last = 'element';
    this.#step = this.#list;
    this.#pieces.onElement(this.#element.take(chunk, next), this.#elementPlace);
  }

  #blank(byte: number, at: number): number {
    if (byte === NEWLINE) this.#nesting.nextLine(at);
    return at + 1;
  }

  #unexpected(chunk: Buffer, at: number, expected: string): DumpFault {
    const found = JSON.stringify(String.fromCharCode(chunk[at] ?? 0));
    const behind = this.#last === 'bracket' ? '' : ` behind item ${this.#item}`;
    return new DumpFault(
      'DumpSyntax',
      this.#nesting.placeOf(at),
      `expected ${expected}, found ${found}${behind}`,
    );
  }
}

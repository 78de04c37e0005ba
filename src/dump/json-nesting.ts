import { DumpFault } from './errors.ts';
import { LIMITS } from './limits.ts';
import type { Place } from './place.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const BLANK = 0x20;

/** What a byte outside of texts means while brackets are counted. */
const TEXT = 1;
const OPENING = 2;
const CLOSING = 3;
const LINE_END = 4;
const MEANING = new Uint8Array(256);
MEANING[QUOTE] = TEXT;
for (const byte of Buffer.from('[{')) MEANING[byte] = OPENING;
for (const byte of Buffer.from(']}')) MEANING[byte] = CLOSING;
MEANING[0x0a] = LINE_END;

/** Follows brackets, texts and lines through the chunks of a JSON file; the hot loop of the splitter. */
export class JsonNesting {
  atList = false;
  /** Open brackets of the value under way. */
  #depth = 0;
  #inText = false;
  #escaped = false;
  #line = 1;
  /** Offsets in the file: of the current line, and of the current chunk. */
  #lineStart = 0;
  #chunkStart = 0;

  /** Begins with a text of its own, which ends with its closing quote. */
  startText(): void {
    this.#depth = 0;
    this.#inText = true;
  }

  startBracket(): void {
    this.#depth = 1;
  }

  placeOf(at: number): Place {
    return { line: this.#line, column: this.#chunkStart + at - this.#lineStart + 1 };
  }

  nextLine(at: number): void {
    this.#line++;
    this.#lineStart = this.#chunkStart + at + 1;
  }

  nextChunk(length: number): void {
    this.#chunkStart += length;
  }

  /**
   * Runs from `at` to behind the byte that ends the value (`closed` then), with `lists` to behind the bracket that begins
   * a list at its first level (`atList` then), or to the end of the chunk.
   */
  run(chunk: Buffer, at: number, lists: boolean): number {
    this.atList = false;
    let next = this.#inText ? this.#runText(chunk, at) : at;
    while (next < chunk.length && (this.#depth > 0 || this.#inText)) {
      const byte = chunk[next++] as number;
      const meaning = MEANING[byte];
      if (meaning === 0) continue;
      if (meaning === TEXT) next = this.#runText(chunk, next);
      else if (meaning === LINE_END) next = this.#runIndent(chunk, next);
      else if (meaning === CLOSING) this.#depth--;
      else if (this.#opens(byte, next, lists)) break;
    }
    return next;
  }

  /** Whether the value that `run` follows has ended. */
  get closed(): boolean {
    return this.#depth === 0 && !this.#inText;
  }

  #runIndent(chunk: Buffer, at: number): number {
    this.nextLine(at - 1);
    let next = at;
    while (chunk[next] === BLANK) next++;
    return next;
  }

  /** Whether the bracket begins a list to stop at; any other makes the nesting deeper. */
  #opens(byte: number, next: number, lists: boolean): boolean {
    this.atList = lists && this.#depth === 1 && byte === LIST;
    if (this.atList) return true;
    if (++this.#depth <= LIMITS.nesting) return false;
    throw new DumpFault(
      'DumpTooLarge',
      this.placeOf(next - 1),
      `is nested deeper than ${LIMITS.nesting} levels`,
    );
  }

  /** To behind the closing quote, or to the end of the chunk with the text still open. */
  #runText(chunk: Buffer, at: number): number {
    let next = this.#escaped ? at + 1 : at;
    while (next < chunk.length) {
      const byte = chunk[next++];
      if (byte === QUOTE) {
        this.#inText = false;
        this.#escaped = false;
        return next;
      }
      if (byte === BACKSLASH) next++;
    }
    this.#inText = true;
    this.#escaped = next > chunk.length;
    return chunk.length;
  }
}

import { Capture } from './capture.ts';
import { DumpFault } from './errors.ts';
import { LIMITS } from './limits.ts';
import { LineBlocks, lineEnd } from './lines.ts';
import type { Place } from './place.ts';
import {
  DIRECTIVE,
  FULL_STOP,
  hasContentBehindMarker,
  ITEMS_LINE,
  isMarker,
  KEY_LINE,
  type YamlLine,
  yamlLine,
} from './yaml-line.ts';

/** What a splitter finds, in the order of the file. */
export interface YamlPieces {
  /** A document that is no List as kubectl writes it. */
  readonly onDocument: (text: Buffer, place: Place) => void;
  /** The items of a List begin; `head` is the text of the document so far. */
  readonly onListStart: (head: Buffer, place: Place) => void;
  /** One item with its dash, at its own indentation. */
  readonly onItem: (text: Buffer, place: Place) => void;
  /** A document with items ends. `head` is its text without them; `lineOf` says where a line of it (from 0) stands in the file. */
  readonly onListEnd: (head: Buffer, place: Place, lineOf: (line: number) => number) => void;
}

/**
 * Where a document stands: nothing of it yet; a block mapping; behind a line `items:` of it, which may begin a List; among
 * the items; or anything else, which is left whole.
 */
type State = 'before' | 'mapping' | 'opening' | 'items' | 'whole';

/**
 * Cuts YAML into documents, and Lists in kubectl's form (`items:`, then `- ` at one indentation) into items, while its
 * bytes come in. Sound for any YAML: what belongs to an item is indented deeper than its dash, and a marker ends a
 * document even within a text.
 *
 * Promise: how the bytes are cut into chunks makes no difference.
 */
export class YamlSplitter {
  readonly #pieces: YamlPieces;
  readonly #blocks = new LineBlocks((block) => this.#lines(block));
  /** The document under way, without its items, and the item under way. */
  readonly #head = new Capture(LIMITS.documentBytes, () => this.#placeOfHead());
  readonly #item = new Capture(LIMITS.objectBytes, () => this.#placeOfItem());
  #state: State = 'before';
  /** The document has its `---`, and directives before it. */
  #marked = false;
  #directives = false;
  /** Number of the line under way, and of the first of the document, of its items, and of the item. */
  #line = 0;
  #headLine = 1;
  #itemsLine = 1;
  #itemLine = 1;
  #document = 0;
  #items = 0;
  /** Blanks before the dashes of the items. */
  #indent = 0;
  /** Lists that were cut out of the document: behind which line of what is left, and how many lines. */
  #gaps: { readonly behind: number; readonly lines: number }[] = [];

  constructor(pieces: YamlPieces) {
    this.#pieces = pieces;
  }

  push(chunk: Buffer): void {
    this.#blocks.push(chunk);
  }

  /** The file has ended. */
  end(): void {
    this.#blocks.end();
    this.#line++;
    this.#endDocument(Buffer.alloc(0), 0);
    if (this.#document === 0) throw new DumpFault('DumpEmpty', {}, 'holds nothing');
  }

  #lines(block: Buffer): void {
    if (this.#line === 0) this.#head.start(0);
    for (let at = 0; at < block.length; ) {
      const next = lineEnd(block, at);
      this.#line++;
      if (isMarker(block, at)) this.#marker(block, at, next);
      else this.#look(block, at, next);
      at = next;
    }
    this.#head.hold(block);
    this.#item.hold(block);
  }

  #look(block: Buffer, at: number, next: number): void {
    if (this.#state === 'whole') return;
    const line = yamlLine(block, at);
    if (line.empty) return;
    if (this.#state === 'items') this.#amongItems(block, at, line);
    if (this.#state === 'opening') this.#opening(block, at, line);
    if (this.#state === 'before') this.#begin(block, at, next);
    if (this.#state === 'mapping' && line.indent === 0 && ITEMS_LINE.test(textOf(block, at, next))) {
      this.#state = 'opening';
    }
  }

  #marker(block: Buffer, at: number, next: number): void {
    const stop = block[at] === FULL_STOP;
    if (stop || this.#marked || this.#state !== 'before') this.#endDocument(block, stop ? next : at, stop);
    if (stop) return;
    this.#marked = true;
    if (hasContentBehindMarker(textOf(block, at, next))) this.#start('whole');
  }

  #begin(block: Buffer, at: number, next: number): void {
    if (block[at] === DIRECTIVE) this.#directives = true;
    else this.#start(!this.#directives && KEY_LINE.test(textOf(block, at, next)) ? 'mapping' : 'whole');
  }

  #start(state: State): void {
    this.#document++;
    this.#items = 0;
    this.#gaps = [];
    this.#state = state;
  }

  #opening(block: Buffer, at: number, line: YamlLine): void {
    this.#state = line.item ? 'items' : 'mapping';
    if (!line.item) return;
    this.#head.pause(block, at);
    this.#pieces.onListStart(this.#head.peek(), this.#placeOfHead());
    this.#indent = line.indent;
    this.#itemsLine = this.#line;
    this.#startItem(at);
  }

  #amongItems(block: Buffer, at: number, line: YamlLine): void {
    if (line.indent > this.#indent) return;
    if (line.item && line.indent === this.#indent) {
      this.#endItem(block, at);
      this.#startItem(at);
    } else this.#endItems(block, at);
  }

  #startItem(at: number): void {
    this.#items++;
    this.#itemLine = this.#line;
    this.#item.start(at);
  }

  #endItem(block: Buffer, to: number): void {
    this.#pieces.onItem(this.#item.take(block, to), this.#placeOfItem());
  }

  #endItems(block: Buffer, to: number): void {
    this.#endItem(block, to);
    this.#head.start(to);
    const cut = this.#gaps.reduce((sum, gap) => sum + gap.lines, 0);
    this.#gaps.push({ behind: this.#itemsLine - this.#headLine - cut, lines: this.#line - this.#itemsLine });
    this.#state = 'mapping';
  }

  #endDocument(block: Buffer, to: number, stop = false): void {
    if (this.#state === 'items') this.#endItems(block, to);
    const text = this.#head.take(block, to);
    const place = this.#placeOfHead();
    const [found, gaps, first] = [this.#state !== 'before', this.#gaps, this.#headLine];
    this.#state = 'before';
    this.#marked = false;
    this.#directives = false;
    this.#head.start(to);
    this.#headLine = stop ? this.#line + 1 : this.#line;
    if (!found) return;
    if (gaps.length > 0) this.#pieces.onListEnd(text, place, (line) => lineBehind(gaps, first, line));
    else this.#pieces.onDocument(text, place);
  }

  #placeOfHead(): Place {
    return { line: this.#headLine, document: this.#document };
  }

  #placeOfItem(): Place {
    return { line: this.#itemLine, document: this.#document, item: this.#items };
  }
}

function textOf(block: Buffer, at: number, next: number): string {
  return block.toString('latin1', at, Math.min(next, at + 200));
}

function lineBehind(gaps: readonly { behind: number; lines: number }[], first: number, line: number): number {
  const cut = gaps.filter((gap) => gap.behind <= line).reduce((sum, gap) => sum + gap.lines, 0);
  return first + line + cut;
}

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
  /** Items of a List begin. `head` is the text of the document so far, without earlier items. */
  readonly onListStart: (head: Buffer, place: Place, lineOf: LineOf) => void;
  /** One item with its dash, at its own indentation; `last`: the file ends in it. */
  readonly onItem: (text: Buffer, place: Place, last: boolean) => void;
  /** A document with items ends. `head` is its text without them. */
  readonly onListEnd: (head: Buffer, place: Place, lineOf: LineOf) => void;
}

/** Line in the file of a line of a text; lines of the text count from 0, as in js-yaml. */
export type LineOf = (line: number) => number;

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
    this.#endDocument(Buffer.alloc(0), 0, this.#line, true);
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
    if (block[at] === FULL_STOP) {
      this.#endDocument(block, next, this.#line + 1);
      return;
    }
    if (this.#marked || this.#state !== 'before') this.#endDocument(block, at, this.#line);
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
    this.#pieces.onListStart(this.#head.peek(), this.#placeOfHead(), this.#lineOf());
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

  #endItem(block: Buffer, to: number, last = false): void {
    this.#pieces.onItem(this.#item.take(block, to), this.#placeOfItem(), last);
  }

  #endItems(block: Buffer, to: number, last = false): void {
    this.#endItem(block, to, last);
    this.#head.start(to);
    const cut = this.#gaps.reduce((sum, gap) => sum + gap.lines, 0);
    this.#gaps.push({ behind: this.#itemsLine - this.#headLine - cut, lines: this.#line - this.#itemsLine });
    this.#state = 'mapping';
  }

  /** Ends the document, if one is under way; the next begins at `to`, in line `nextLine`. */
  #endDocument(block: Buffer, to: number, nextLine: number, last = false): void {
    if (this.#state === 'items') this.#endItems(block, to, last);
    const text = this.#head.take(block, to);
    if (this.#state !== 'before' && this.#gaps.length === 0) {
      this.#pieces.onDocument(text, this.#placeOfHead());
    } else if (this.#state !== 'before') {
      this.#pieces.onListEnd(text, this.#placeOfHead(), this.#lineOf());
    }
    this.#state = 'before';
    this.#marked = false;
    this.#directives = false;
    this.#head.start(to);
    this.#headLine = nextLine;
  }

  /** Finds lines of the document's own text in the file. */
  #lineOf(): LineOf {
    const [first, gaps] = [this.#headLine, [...this.#gaps]];
    return (line) => {
      const cut = gaps.filter((gap) => gap.behind <= line).reduce((sum, gap) => sum + gap.lines, 0);
      return first + line + cut;
    };
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

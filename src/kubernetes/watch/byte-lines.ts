import { isUtf8 } from 'node:buffer';

/** What a stream gave that cannot be a line of JSON. */
export class BadLine extends Error {
  override readonly name = 'BadLine';
}

const NEWLINE = 0x0a;
/** An object in etcd has at most 1.5 MiB; a line of ten times that is no object. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines.
 *
 * Promise: only the byte LF ends a line (other line ends of Unicode may stand within a text), and bytes are read as UTF-8
 * line by line, so that a character that arrives in two pieces is whole. Empty lines are passed over. Throws a `BadLine`
 * for what is not UTF-8, or is too long.
 */
export class ByteLines {
  #pieces: Buffer[] = [];
  #length = 0;

  /** The lines that the chunk completes. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      if (this.#length > 0) lines.push(this.#take());
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return lines;
  }

  /** Bytes of a line that has not ended. */
  get rest(): number {
    return this.#length;
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > LONGEST_LINE) throw new BadLine(`a line is longer than ${LONGEST_LINE} bytes`);
  }

  #take(): string {
    const [first] = this.#pieces;
    const line = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    if (!isUtf8(line)) throw new BadLine('a line is not UTF-8');
    return line.toString('utf8');
  }
}

import { DumpFault } from './errors.ts';
import { LIMITS, mebibytes } from './limits.ts';

const NEWLINE = 0x0a;

/** Gives whole lines of a file whose chunks end anywhere: `onLines` gets a block of bytes that ends behind a line end (or the file's end). */
export class LineBlocks {
  readonly #onLines: (block: Buffer) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onLines: (block: Buffer) => void) {
    this.#onLines = onLines;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) this.#onLines(bytes.subarray(0, end));
    this.#rest = bytes.subarray(end);
    if (this.#rest.length <= LIMITS.objectBytes) return;
    throw new DumpFault('DumpTooLarge', {}, `a line is longer than ${mebibytes(LIMITS.objectBytes)}`);
  }

  end(): void {
    if (this.#rest.length > 0) this.#onLines(this.#rest);
  }
}

/** Where the line that begins at `at` ends: behind its line end. */
export function lineEnd(block: Buffer, at: number): number {
  const newline = block.indexOf(NEWLINE, at);
  return newline < 0 ? block.length : newline + 1;
}

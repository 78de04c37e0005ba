import { DumpFault } from './errors.ts';
import { mebibytes } from './limits.ts';
import type { Place } from './place.ts';

/** The bytes of one piece of a file while its chunks come in. */
export class Capture {
  readonly #most: number;
  readonly #placeOf: () => Place;
  #parts: Buffer[] = [];
  #size = 0;
  /** Where in the current chunk the part not yet kept begins; −1 while nothing is captured. */
  #from = -1;

  /** Refuses more than `most` bytes; `placeOf` says where they stand. */
  constructor(most: number, placeOf: () => Place) {
    this.#most = most;
    this.#placeOf = placeOf;
  }

  start(at: number): void {
    this.#from = at;
  }

  /** Keeps what was captured of this chunk, up to `to`, and stops capturing. */
  pause(chunk: Buffer, to: number): void {
    if (this.#from < 0) return;
    this.#parts.push(chunk.subarray(this.#from, to));
    this.#size += to - this.#from;
    this.#from = -1;
    if (this.#size <= this.#most) return;
    throw new DumpFault('DumpTooLarge', this.#placeOf(), `is larger than ${mebibytes(this.#most)}`);
  }

  /** At the end of a chunk: keeps what was captured and goes on with the next one. */
  hold(chunk: Buffer): void {
    if (this.#from < 0) return;
    this.pause(chunk, chunk.length);
    this.#from = 0;
  }

  /** Everything captured so far, without letting go of it. */
  peek(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] ?? Buffer.alloc(0);
  }

  /** Everything captured, up to `to` in this chunk; the capture is empty afterwards. */
  take(chunk: Buffer, to: number): Buffer {
    this.pause(chunk, to);
    const bytes = this.peek();
    this.#parts = [];
    this.#size = 0;
    return bytes;
  }
}

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DumpFault } from './errors.ts';
import { archiveOf, BYTES_TO_TELL, type Format, formatOf, preambleLength } from './format.ts';

export type Bytes = AsyncIterable<Uint8Array>;

export interface Content {
  readonly format: 'json' | 'yaml';
  /** The content without byte order mark, unzipped. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Finds out what a file is, unzips it where needed, and refuses what is no text. */
export async function contentOf(bytes: Bytes): Promise<Content> {
  const plain = await peek(bytes);
  const peeked = plain.format === 'gzip' ? await peek(gunzip(plain.bytes)) : plain;
  try {
    return contentOfText(peeked);
  } catch (error) {
    await peeked.close();
    throw error;
  }
}

interface Peeked {
  readonly start: Buffer;
  readonly format: Format;
  /** All of it, the start included. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Lets go of the file when nobody reads `bytes`. */
  readonly close: () => Promise<unknown>;
}

function contentOfText({ start, format, bytes }: Peeked): Content {
  if (format === 'empty') throw new DumpFault('DumpEmpty', {}, 'is empty');
  if (format === 'utf-16') throw new DumpFault('DumpEncoding', {}, 'is UTF-16, not UTF-8');
  if (format === 'gzip') throw new DumpFault('DumpBinary', {}, 'is gzipped twice');
  if (format === 'binary')
    throw new DumpFault('DumpBinary', {}, `is a ${archiveOf(start) ?? 'binary file'}, not text`);
  return { format, bytes: without(preambleLength(start), bytes) };
}

async function peek(bytes: Bytes): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]();
  const ahead: Buffer[] = [];
  let size = 0;
  while (size < BYTES_TO_TELL) {
    const { done, value } = await iterator.next();
    if (done) break;
    ahead.push(bufferOf(value));
    size += value.length;
  }
  const start = Buffer.concat(ahead).subarray(0, BYTES_TO_TELL);
  const close = async () => iterator.return?.();
  return { start, format: formatOf(start), bytes: resume(ahead, iterator), close };
}

async function* resume(
  ahead: readonly Buffer[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Buffer> {
  try {
    yield* ahead;
    for (let step = await iterator.next(); !step.done; step = await iterator.next())
      yield bufferOf(step.value);
  } finally {
    await iterator.return?.();
  }
}

async function* without(length: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = length;
  for await (const chunk of bytes) {
    const cut = Math.min(left, chunk.length);
    left -= cut;
    if (cut < chunk.length) yield chunk.subarray(cut);
  }
}

async function* gunzip(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(bytes);
  const unzipped = source.pipe(createGunzip({ chunkSize: 1024 * 1024 }));
  // A pipe hands on data and the end, but not errors.
  source.on('error', (error) => unzipped.destroy(error));
  try {
    yield* unzipped as AsyncIterable<Buffer>;
  } catch (error) {
    throw zipFault(error);
  } finally {
    source.destroy();
  }
}

function zipFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'Z_BUF_ERROR') return new DumpFault('DumpTruncated', {}, 'the gzip file ends in the middle');
  return code.startsWith('Z_') ? new DumpFault('DumpBinary', {}, 'is a damaged gzip file') : error;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

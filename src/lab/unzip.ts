import { inflateRawSync } from 'node:zlib';

/** Signatures of the parts of a zip file, and the length of the fixed piece of each. */
const END = { signature: 0x06054b50, length: 22 };
const ENTRY = { signature: 0x02014b50, length: 46 };
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

/** The content of one file of a zip archive. Throws where there is none of that name, or it is packed in an unusual way. */
export function unzipFile(archive: Buffer, name: string): Buffer {
  const entry = findEntry(archive, name);
  const method = archive.readUInt16LE(entry + 10);
  const packedLength = archive.readUInt32LE(entry + 20);
  const local = archive.readUInt32LE(entry + 42);
  const start = local + LOCAL_LENGTH + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + packedLength);
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflateRawSync(packed);
  throw new Error(`${name} is packed by method ${method}`);
}

/** Where the directory of the archive tells of the file. */
function findEntry(archive: Buffer, name: string): number {
  const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(END.signature).buffer));
  if (end < 0 || end + END.length > archive.length) throw new Error('not a zip archive');
  let entry = archive.readUInt32LE(end + 16);
  while (entry < end && archive.readUInt32LE(entry) === ENTRY.signature) {
    const nameLength = archive.readUInt16LE(entry + 28);
    const nameAt = entry + ENTRY.length;
    if (archive.toString('utf8', nameAt, nameAt + nameLength) === name) return entry;
    entry = nameAt + nameLength + archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32);
  }
  throw new Error(`no ${name} in the archive`);
}

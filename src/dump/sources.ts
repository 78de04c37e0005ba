import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from '../kubevirt/order.ts';
import { whyUnread } from '../kubevirt/thrown.ts';
import type { Bytes } from './bytes.ts';
import { DumpError, dumpProblem } from './errors.ts';

/** A path of a file or folder, `-` for stdin, or bytes with a name. */
export type Source = string | { readonly name: string; readonly bytes: Bytes };

/** One file to read. */
export interface DumpFile {
  readonly name: string;
  readonly open: () => Bytes;
  /** Found in a folder, not named by the user: what is no Kubernetes object there is passed over. */
  readonly found: boolean;
}

export interface FoundFiles {
  readonly files: readonly DumpFile[];
  /** Files in folders whose names end in nothing that Drover reads. */
  readonly passedOver: number;
}

/** The files that the sources mean, in their order; those of a folder by path. */
export async function findFiles(sources: readonly Source[], stdin: Bytes): Promise<FoundFiles> {
  if (sources.filter((source) => source === '-').length > 1) {
    throw unreadable('-', 'stdin can be read only once');
  }
  const files: DumpFile[] = [];
  let passedOver = 0;
  for (const source of sources) {
    const found = await filesOf(source, stdin);
    files.push(...found.files);
    passedOver += found.passedOver;
  }
  return { files, passedOver };
}

async function filesOf(source: Source, stdin: Bytes): Promise<FoundFiles> {
  if (typeof source !== 'string') return one({ name: source.name, open: () => source.bytes, found: false });
  if (source === '-') return one({ name: 'stdin', open: () => stdin, found: false });
  if (!(await isFolder(source))) return one(fileAt(source, false));
  const names = await walk(source);
  const read = names.filter((name) => READ.test(name));
  if (read.length === 0) throw unreadable(source, 'no .json, .yaml, .jsonl or .ndjson file in this folder');
  return { files: read.map((name) => fileAt(name, true)), passedOver: names.length - read.length };
}

const READ = /\.(?:json|ya?ml|jsonl|ndjson)(?:\.gz)?$/i;
const CHUNK_BYTES = 1024 * 1024;

function one(file: DumpFile): FoundFiles {
  return { files: [file], passedOver: 0 };
}

function fileAt(name: string, found: boolean): DumpFile {
  return { name, found, open: () => createReadStream(name, { highWaterMark: CHUNK_BYTES }) };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw unreadableBy(path, error);
  }
}

/** Every file under a folder, by path. Links to files count; links to folders are not followed, so that none is met twice. */
async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadableBy(folder, error);
  });
  const names: string[] = [];
  for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) names.push(...(await walk(path)));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) names.push(path);
  }
  return names;
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** What the operating system said, in words. */
export function unreadableBy(name: string, error: unknown): DumpError {
  return unreadable(name, whyUnread(error));
}

function unreadable(name: string, cause: string): DumpError {
  return new DumpError([dumpProblem('DumpUnreadable', name, {}, cause)]);
}

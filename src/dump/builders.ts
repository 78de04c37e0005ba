/** For tests: dumps in a temporary folder, and objects as kubectl gives them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DumpError } from './errors.ts';
import { type LoadOptions, loadFleet } from './load.ts';
import type { Source } from './sources.ts';

type Parts = Readonly<Record<string, unknown>>;

/** A raw VirtualMachineInstance `shop/<name>`; `more` goes over its top-level fields. */
export function rawVmi(name: string, more: Parts = {}): Parts {
  const metadata = { name, namespace: 'shop' };
  return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata, ...more };
}

export function rawNode(name: string, more: Parts = {}): Parts {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name }, ...more };
}

export function rawList(...items: readonly unknown[]): Parts {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
}

/** Writes files into a temporary folder that goes with the test, and gives its path. */
export function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-dump-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

/** Writes one file and gives its path. */
export function writeFile(name: string, content: string | Uint8Array): string {
  return join(writeFiles({ [name]: content }), name);
}

/** A source whose bytes come in chunks of that many bytes. */
export function bytesOf(name: string, content: string | Uint8Array, chunkBytes = 1 << 20): Source {
  return { name, bytes: chunksOf(Buffer.from(content), chunkBytes) };
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The error that loading ends in; anything else fails the test. */
export async function errorOf(sources: readonly Source[], options: LoadOptions = {}): Promise<DumpError> {
  try {
    await loadFleet(sources, options);
  } catch (error) {
    if (error instanceof DumpError) return error;
    throw error;
  }
  throw new Error('the dump was taken');
}

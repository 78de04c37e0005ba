/** For tests: dumps in a temporary folder, and objects as kubectl gives them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fleet } from '../fleet/fleet.ts';
import { DUMP_ERRORS, DumpError, type DumpErrorCode } from './errors.ts';
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

/** Names of the VMIs, sorted. */
export function vmisOf(fleet: Fleet): string[] {
  return [...fleet.all('VirtualMachineInstance')].map((vmi) => vmi.metadata.name).sort();
}

/** What is wrong, the content, the code, and the message behind the name of the file. */
export type BadInput = readonly [string, string | Uint8Array, DumpErrorCode, string];

/** Each content is refused in one clear line, from a file and in any chunks. */
export function itRefuses(title: string, cases: readonly BadInput[]): void {
  describe(title, () => {
    it.each(cases)('%s', async (_what, content, code, told) => {
      const file = writeFile('cluster.dump', content);
      const error = await errorOf([file]);
      expect(error.message).toBe(`${file}: ${told}`);
      expect(error).toMatchObject({ name: 'DumpError', code, file, count: 1, cure: DUMP_ERRORS[code].cure });
      expect(error.lines).toEqual([error.message]);
      expect(error.message).not.toMatch(/\n| at .*\.ts:/);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it.each(cases.filter(([, content]) => content.length < 10_000))(
      '%s, in small chunks',
      async (_what, content, _code, told) => {
        expect((await errorOf([bytesOf('x', content, 3)])).message).toBe(`x: ${told}`);
      },
    );
  });
}

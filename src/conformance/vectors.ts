import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Difference } from './compare.ts';
import { VECTOR_DRIVERS } from './drivers.ts';

/** One recorded decision of the real code. */
export interface Vector {
  readonly id: string;
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
}

/** Runs one kind of vector through `src/decide` and says where the outcome differs. Throwing counts as a difference. */
export interface VectorDriver {
  /** The file's name without `.jsonl` and `.gz`. */
  readonly family: string;
  readonly run: (vector: Vector) => readonly Difference[];
}

export interface VectorResult {
  readonly id: string;
  readonly differences: readonly Difference[];
}

export interface FileResult {
  readonly name: string;
  readonly agree: number;
  readonly differing: readonly VectorResult[];
}

const VECTOR_FILE = /^(.+)\.jsonl(\.gz)?$/;

/** Every vector file of a folder, by name. A file of an unknown family, or an empty file, fails as a whole. */
export function runVectors(folder: string): FileResult[] {
  return readdirSync(folder)
    .filter((name) => VECTOR_FILE.test(name))
    .sort()
    .map((name) => runFile(folder, name));
}

function runFile(folder: string, name: string): FileResult {
  const family = VECTOR_FILE.exec(name)?.[1] ?? name;
  const driver = VECTOR_DRIVERS.find((candidate) => candidate.family === family);
  if (!driver) return { name, agree: 0, differing: [failed(name, `no driver knows the family "${family}"`)] };
  const lines = readLines(join(folder, name));
  if (lines.length === 0) return { name, agree: 0, differing: [failed(name, 'the file has no vectors')] };
  const results = lines.map((line, index) => runLine(driver, line, `${name}:${index + 1}`));
  const differing = results.filter((result) => result.differences.length > 0);
  return { name, agree: results.length - differing.length, differing };
}

function runLine(driver: VectorDriver, line: string, place: string): VectorResult {
  try {
    const vector = JSON.parse(line) as Vector;
    return { id: vector.id ?? place, differences: driver.run(vector) };
  } catch (error) {
    return failed(place, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function failed(id: string, why: string): VectorResult {
  return { id, differences: [{ path: '', real: 'a decision', ours: why }] };
}

function readLines(path: string): string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').filter((line) => line.trim() !== '');
}
